"""The changes feed against what is due, and versions against when they were seen."""

from typing import Any

from leaderboard.management.simulation.feed import Due, Feed
from leaderboard.management.simulation.sightings import NEVER, Sightings

Json = dict[str, Any]
FIRST = Due("e1", "a", None, 5, 1, "result", 11)
SECOND = Due("e2", "a", 5, 9, 2, "result", 12)


def change(due: Due, version: int, **other: Any) -> Json:
    return {
        "season_id": "demo",
        "player_id": due.player_id,
        "old_score": due.old,
        "new_score": due.new,
        "score_version": due.score_version,
        "event_id": due.event_id,
        "kind": due.kind,
        "region": None,
        "committed_at": "2026-01-01T00:00:00Z",
        "version": version,
        **other,
    }


def kinds(changes: list[Json], *seen: int) -> list[str]:
    feed, sightings = Feed(10, "e"), Sightings(10, 0.0)
    for version in seen:
        sightings.saw(version, 1.0, 1.0)
    feed.expect(FIRST)
    feed.expect(SECOND)
    found = [*feed.read(changes, sightings), *feed.missing()]
    return [finding.kind for finding in found]


def test_each_change_once_in_order_is_right() -> None:
    assert kinds([change(FIRST, 11), change(SECOND, 12)], 11, 12) == []


def test_a_change_may_come_in_the_next_version_that_there_is() -> None:
    assert kinds([change(FIRST, 14), change(SECOND, 14)], 14) == []


def test_a_change_after_a_version_that_includes_it_is_wrong() -> None:
    assert kinds([change(FIRST, 12), change(SECOND, 12)], 11, 12) == ["change"]


def test_changes_from_before_the_beginning_are_somebody_elses() -> None:
    early = change(Due("x", "b", None, 1, 1, "result", 9), 9)
    assert kinds([early, change(FIRST, 11), change(SECOND, 12)]) == []


def test_a_change_that_nobody_made_is_foreign() -> None:
    strange = change(Due("x", "b", None, 1, 1, "result", 11), 11)
    assert kinds([strange, change(FIRST, 11), change(SECOND, 12)]) == ["foreign_change"]


def test_a_change_twice_and_one_never() -> None:
    assert kinds([change(FIRST, 11), change(FIRST, 11)]) == ["change_repeated", "change_missing"]


def test_changes_of_a_player_out_of_order() -> None:
    assert kinds([change(SECOND, 12), change(FIRST, 12)]) == ["change_order"]


def test_versions_out_of_order() -> None:
    assert kinds([change(FIRST, 13), change(SECOND, 12)]) == ["change_order"]


def test_a_change_that_begins_where_a_lost_one_began() -> None:
    assert kinds([change(SECOND, 12, old_score=None)]) == ["lost_event", "change"]


def test_an_event_of_ones_own_that_should_have_changed_nothing() -> None:
    nothing = Due("e3", "a", 9, 9, 3, "result", 13)
    changes = [change(FIRST, 11), change(SECOND, 12), change(nothing, 13)]
    assert kinds(changes) == ["change"]
    assert kinds([change(nothing, 13, old_score=None)])[0] == "lost_event"


def test_wrong_content() -> None:
    assert kinds([change(FIRST, 11, new_score=6), change(SECOND, 12)]) == ["change"]


def test_a_delay_ends_with_the_first_reply_of_its_version_or_a_newer_one() -> None:
    sightings = Sightings(10, 0.0)
    sightings.wait_for(12, 1.0)
    sightings.saw(11, 1.5, 1.6)
    assert sightings.delays == []
    sightings.saw(13, 1.9, 2.0)
    sightings.wait_for(13, 1.5)
    assert sightings.delays == [1.0, 0.5]


def test_a_version_counts_as_seen_when_a_newer_one_was() -> None:
    sightings = Sightings(10, 0.0)
    sightings.saw(13, 1.9, 2.0)
    sightings.saw(12, 1.9, 2.5)
    assert (sightings.first_seen(12), sightings.first_seen(14)) == (2.0, NEVER)
    assert sightings.seen_between(11, 14) == [13]
    assert sightings.newest == 13
