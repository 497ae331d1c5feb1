"""Cursors, gates, Accept headers, ETags."""

import threading

import pytest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from config.errors import InvalidCursor, Unavailable
from config.http.accept import takes
from config.http.cursors import seal, unseal
from config.http.gates import Gate
from config.http.replies import has_etag, weak_etag

PLACE = (7, "steam:1", 12, None)


def test_a_cursor_brings_its_place_back() -> None:
    cursor = seal("page/1", PLACE)
    assert unseal("page/1", cursor, tuple[int, str, int, int | None]) == PLACE
    assert cursor.replace("-", "").replace("_", "").isalnum()


def test_a_cursor_is_for_one_purpose() -> None:
    with pytest.raises(InvalidCursor):
        unseal("page/2", seal("page/1", PLACE), tuple[int, str, int, int | None])


def test_a_cursor_of_another_server_is_refused(settings: object) -> None:
    cursor = seal("page/1", PLACE)
    settings.SECRET_KEY = "another"  # type: ignore[attr-defined]
    with pytest.raises(InvalidCursor):
        unseal("page/1", cursor, tuple[int, str, int, int | None])


@given(st.data())
def test_a_cursor_changed_in_any_letter_is_refused(data: st.DataObject) -> None:
    cursor = seal("page/1", PLACE)
    place = data.draw(st.integers(0, len(cursor) - 1))
    letter = data.draw(st.sampled_from("AaZz09-_=é\0 "))
    changed = cursor[:place] + letter + cursor[place + 1 :]
    if changed != cursor:
        with pytest.raises(InvalidCursor):
            unseal("page/1", changed, tuple[int, str, int, int | None])


@pytest.mark.parametrize("place", ["", "a", "ab"])
def test_a_cursor_has_one_spelling_only(place: str) -> None:
    cursor = seal("page/1", place)
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_":
        if letter != cursor[-1]:
            with pytest.raises(InvalidCursor):
                unseal("page/1", cursor[:-1] + letter, str)


@given(st.text() | st.text("ABCabc019-_", max_size=60))
def test_no_other_text_is_a_cursor(text: str) -> None:
    with pytest.raises(InvalidCursor):
        unseal("page/1", text, int)


def test_a_full_gate_refuses_at_once_and_opens_again() -> None:
    gate = Gate(2)
    with gate.entered(), gate.entered(), pytest.raises(Unavailable):
        gate.entered().__enter__()
    with gate.entered(), gate.entered_if_free() as second, gate.entered_if_free() as third:
        assert (second, third) == (True, False)
    with gate.entered(), gate.entered():
        pass


def test_a_gate_counts_across_threads() -> None:
    gate = Gate(1)
    inside, leave = threading.Event(), threading.Event()

    def stay() -> None:
        with gate.entered():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=stay)
    thread.start()
    assert inside.wait(10)
    with pytest.raises(Unavailable):
        gate.entered().__enter__()
    leave.set()
    thread.join()
    with gate.entered():
        pass


@pytest.mark.parametrize(
    ("accept", "taken"),
    [
        ("", True),
        ("*/*", True),
        ("application/json", True),
        ("application/*", True),
        ("APPLICATION/JSON; charset=utf-8", True),
        ("text/html,application/xhtml+xml,*/*;q=0.8", True),
        ("text/html", False),
        ("text/html, application/json;q=0.1", True),
        ("application/json;q=0", False),
        ("application/json;q=0, */*", False),
        ("application/*;q=0, */*", False),
        ("*/*;q=0", False),
        ("application/xml;q=0, */*", True),
        (";;;,,", False),
    ],
)
def test_whether_a_client_takes_json(accept: str, taken: object) -> None:
    assert takes(accept, "application/json") is taken


@pytest.mark.parametrize(
    ("named", "has"),
    [
        ("", False),
        ("*", True),
        ("ETAG", True),
        ('ETAG, "x"', True),
        ('"x", W/"y",  ETAG', True),
        ('"x"', False),
    ],
)
def test_an_etag_is_compared_weakly(named: str, has: object) -> None:
    etag = weak_etag("a", 1)
    for form in (etag, etag.removeprefix("W/")):
        request = RequestFactory().get("/", headers={"if-none-match": named.replace("ETAG", form)})
        assert has_etag(request, etag) is has
    assert weak_etag("a", 1) != weak_etag("a", 2)
