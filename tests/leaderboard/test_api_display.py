"""Data that results bring to be shown: with the score that they gave, and with no other."""

import itertools
from typing import Any
from unittest.mock import patch

import pytest

from leaderboard.api import entries as api_entries
from tests.api import (
    BOARD,
    CORRECTIONS,
    PLAYERS,
    SCORES,
    correction,
    get,
    post,
    result,
    token,
)
from tests.factories import make_final, make_season, move, publish

RESULTS = "/internal/v1/seasons/season/results"
numbers = itertools.count(1)


@pytest.fixture
def bearer(season: str) -> str:
    return token("scores:apply", "scores:correct", "results:read")


def play(bearer: str, player: str, score: int, display: Any = None) -> str:
    """Deliver a result, publish, and return the id of the event."""
    number = next(numbers)
    members = {} if display is None else {"display": display}
    sent = result(number, player_id=player, best_score=score, score_version=number, **members)
    assert post(SCORES, sent, bearer).status_code == 200
    publish("season")
    return str(sent["event_id"])


def correct(bearer: str, player: str, **members: Any) -> str:
    number = next(numbers)
    sent = correction(number, player_id=player, score_version=number, **members)
    response = post(CORRECTIONS, sent, bearer)
    assert response.status_code == 200, response.content
    publish("season")
    return str(sent["event_id"])


def shown(query: str = "") -> dict[str, Any]:
    """Return what is shown with each player of the top that has anything."""
    entries = get(f"{BOARD}/top{query}").json()["entries"]
    return {one["player_id"]: one["display"] for one in entries if "display" in one}


def test_every_list_of_entries_shows_it_and_only_where_there_is_any(bearer: str) -> None:
    play(bearer, "ann", 30, {"map": "Île", "n": [1, 2.5, None]})
    play(bearer, "bob", 20)
    play(bearer, "cid", 10, {})
    version = publish("season").version
    around = get(f"{PLAYERS}/bob/neighbors").json()
    lists = [
        get(f"{BOARD}/top").json()["entries"],
        get(f"{BOARD}/page").json()["entries"],
        get(f"{BOARD}/page?around_player=bob").json()["entries"],
        get(f"{BOARD}/top?version={version}").json()["entries"],
        [*around["above"], around["player"], *around["below"]],
    ]
    make_final("season")
    lists.append(get(RESULTS, authorization=f"Bearer {bearer}").json()["entries"])
    for entries in lists:
        assert [entry.get("display") for entry in entries] == [
            {"map": "Île", "n": [1, 2.5, None]},
            None,
            {},
        ]
        assert ["display" in entry for entry in entries] == [True, False, True]


def test_a_season_without_any_shows_none(bearer: str) -> None:
    play(bearer, "ann", 30)
    assert shown() == {}


def test_a_better_result_brings_its_own_or_none(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    play(bearer, "ann", 40, {"n": 2})
    assert shown() == {"ann": {"n": 2}}
    play(bearer, "ann", 50)
    assert shown() == {}


def test_what_a_result_that_changed_nothing_brought_is_not_shown(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    play(bearer, "ann", 20, {"n": 2})
    play(bearer, "ann", 30, {"n": 3})
    assert shown() == {"ann": {"n": 1}}


def test_a_correction_to_another_score_shows_nothing(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    correct(bearer, "ann", corrected_score=35)
    assert shown() == {}


def test_a_void_shows_again_what_was_shown_with_the_score_of_before(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    better = play(bearer, "ann", 40, {"n": 2})
    assert shown() == {"ann": {"n": 2}}
    correct(bearer, "ann", void_event_id=better)
    assert shown() == {"ann": {"n": 1}}


def test_a_void_shows_what_came_with_a_result_that_gives_the_score_only_now(
    bearer: str,
) -> None:
    play(bearer, "ann", 30, {"n": 1})
    better = play(bearer, "ann", 40, {"n": 2})
    play(bearer, "ann", 35, {"n": 3})
    play(bearer, "ann", 35, {"n": 4})
    correct(bearer, "ann", void_event_id=better)
    assert shown() == {"ann": {"n": 3}}


def test_a_score_that_is_reached_again_shows_what_the_newer_result_brought(
    bearer: str,
) -> None:
    play(bearer, "ann", 30, {"n": 1})
    correct(bearer, "ann", corrected_score=10)
    play(bearer, "ann", 30, {"n": 2})
    play(bearer, "ann", 30, {"n": 3})
    assert shown() == {"ann": {"n": 2}}


def test_a_removed_player_returns_with_it(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    removal = correct(bearer, "ann")
    assert get(f"{BOARD}/top").json()["entries"] == []
    correct(bearer, "ann", void_event_id=removal)
    assert shown() == {"ann": {"n": 1}}


def test_a_result_that_counted_while_the_player_was_removed_is_shown_after(
    bearer: str,
) -> None:
    play(bearer, "ann", 30, {"n": 1})
    removal = correct(bearer, "ann")
    play(bearer, "ann", 40, {"n": 2})
    correct(bearer, "ann", void_event_id=removal)
    assert shown() == {"ann": {"n": 2}}


def test_a_pinned_version_shows_what_it_showed(bearer: str) -> None:
    versions = []
    for score, display in ((30, {"n": 1}), (40, {"n": 2}), (50, None)):
        play(bearer, "ann", score, display)
        versions.append(get(f"{BOARD}/top").json()["leaderboard_version"])
    assert [shown(f"?version={version}") for version in versions] == [
        {"ann": {"n": 1}},
        {"ann": {"n": 2}},
        {},
    ]


def test_it_is_not_shown_before_its_version_is_published(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    sent = result(99, player_id="ann", best_score=40, score_version=999, display={"n": 2})
    post(SCORES, sent, bearer)
    assert shown() == {"ann": {"n": 1}}


def test_a_move_to_another_region_keeps_it(database: str) -> None:
    make_season("season", regions=("EU", "NA"))
    bearer = token()
    move(ann="EU")
    play(bearer, "ann", 30, {"n": 1})
    move(ann="NA")
    publish("season")
    assert shown("?region=NA") == shown() == {"ann": {"n": 1}}
    assert shown("?region=EU") == {}


@pytest.mark.parametrize(
    "rules",
    [
        {"order": "asc", "score_min": 3, "score_max": 43},
        {"keep": "latest"},
        {"tie_rule": "earliest"},
        {"score_max": 1_000_000_000},
    ],
    ids=str,
)
def test_every_kind_of_season_shows_it(database: str, rules: dict[str, Any]) -> None:
    make_season("season", **rules)
    bearer = token()
    play(bearer, "ann", 30, {"n": 1})
    play(bearer, "bob", 20, {"n": 2})
    play(bearer, "bob", 20, {"n": 3})
    assert shown() == {"ann": {"n": 1}, "bob": {"n": 2}}


def test_replies_about_one_player_or_a_group_do_not_show_it(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    entries = [
        get(f"{PLAYERS}/ann/rank").json(),
        *post(f"{BOARD}/lookup", {"player_ids": ["ann"]}).json()["entries"],
        *get(f"{PLAYERS}/ann/friends").json()["entries"],
    ]
    assert not any("display" in entry for entry in entries)


def test_the_top_of_a_version_reads_it_once(bearer: str) -> None:
    play(bearer, "ann", 30, {"n": 1})
    play(bearer, "bob", 20, {"n": 2})
    assert shown() == {"ann": {"n": 1}, "bob": {"n": 2}}
    with patch.object(api_entries, "displays", side_effect=AssertionError):
        assert shown() == {"ann": {"n": 1}, "bob": {"n": 2}}
    play(bearer, "ann", 40, {"n": 3})
    assert shown() == {"ann": {"n": 3}, "bob": {"n": 2}}
