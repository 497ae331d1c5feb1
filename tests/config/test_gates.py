"""Gates: a burst waits for a moment, a storm is refused at once."""

import threading
import time

import pytest

from config.errors import Unavailable
from config.http.gates import Gate


def test_a_full_gate_without_a_line_refuses_at_once() -> None:
    gate = Gate(1)
    with gate.entered():
        began = time.monotonic()
        with pytest.raises(Unavailable), gate.entered():
            pass
        assert time.monotonic() - began < 0.5


def test_whoever_stands_in_line_enters_when_a_place_is_free() -> None:
    gate = Gate(1, line=1, patience=10)
    inside, entered = threading.Event(), threading.Event()

    def enter() -> None:
        inside.set()
        with gate.entered():
            entered.set()

    waiting = threading.Thread(target=enter)
    with gate.entered():
        waiting.start()
        assert inside.wait(10)
        assert not entered.is_set()
    waiting.join(10)
    assert entered.is_set()


def test_over_the_end_of_the_line_nobody_waits() -> None:
    gate = Gate(1, line=0, patience=10)
    with gate.entered(), pytest.raises(Unavailable), gate.entered():
        pass


def test_patience_ends_and_the_place_in_line_is_free_again() -> None:
    gate = Gate(1, line=1, patience=0.01)
    with gate.entered():
        for _ in range(2):
            with pytest.raises(Unavailable), gate.entered():
                pass
    with gate.entered():
        pass


def test_a_place_is_free_again_after_an_exception() -> None:
    gate = Gate(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), gate.entered():
            raise ZeroDivisionError
