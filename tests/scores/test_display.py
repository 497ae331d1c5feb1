"""Data that a result brings to be shown with it: kept as sent, and part of its content."""

from typing import Any

import pytest

from scores.models import Ledger
from scores.operations import release_held
from seasons.operations import close_season
from tests.api import SCORES, faults, post, problem, result, token
from tests.factories import apply, event, make_season

SHOWN = {"map": "Île", "character": {"name": 'A "B" \\', "skins": [1, 2.5, None]}}


@pytest.fixture
def bearer(season: str) -> str:
    return token()


def test_it_is_kept_and_is_part_of_the_content(bearer: str) -> None:
    sent = result(display=SHOWN)
    assert post(SCORES, sent, bearer).json()["outcome"] == "improved"
    reordered = {**sent, "display": dict(reversed(SHOWN.items()))}
    assert post(SCORES, reordered, bearer).json()["replayed"] is True
    problem(post(SCORES, {**sent, "display": {}}, bearer), 409, "event_conflict")
    problem(post(SCORES, result(), bearer), 409, "event_conflict")
    assert Ledger.objects.get().display == (
        '{"character":{"name":"A \\"B\\" \\\\","skins":[1,2.5,null]},"map":"\\u00cele"}'
    )


@pytest.mark.parametrize(
    ("display", "code"),
    [
        ("text", "type"),
        ([], "type"),
        (None, "type"),
        ({"replay": "x" * 1_011}, None),
        ({"replay": "x" * 1_012}, "display"),
    ],
)
def test_it_is_an_object_of_a_kilobyte(bearer: str, display: Any, code: str | None) -> None:
    response = post(SCORES, {"events": [result(display=display)]}, bearer)
    if code is None:
        assert response.status_code == 200
    else:
        assert faults(response) == [("/events/0/display", code)]


@pytest.mark.parametrize("number", ["1e400", "-1e999"])
def test_a_number_beyond_all_numbers_is_refused(bearer: str, number: str) -> None:
    body = str(result(display={"n": 7})).replace("'", '"').replace("7}", f"{number}}}")
    assert faults(post(SCORES, body.encode(), bearer)) == [("/display", "display")]


def test_a_held_result_keeps_it_when_it_is_let_in(season: str) -> None:
    slug = make_season("reviewed", late_policy="review").slug
    close_season(slug, actor="eve", reason="over")
    apply(slug, event("ann", 7, event_id="late", display='{"map":1}'))
    release_held(slug, "late", actor="eve", reason="a lost connection")
    rows = Ledger.objects.filter(event_id="late").order_by("id")
    assert [(row.kind, row.display) for row in rows] == [
        ("result", '{"map":1}'),
        ("release", '{"map":1}'),
    ]
