"""One publication at a time, whoever starts one, and each version whole."""

import pytest

from leaderboard.operations import publish_version, seal_and_publish
from leaderboard.queries import published
from seasons.models import Season
from seasons.operations import seal_epoch
from tests.factories import apply, correct, event, make_season, unused_slug
from tests.leaderboard.agreement import require_board
from tests.races.harness import together, uncommitted

pytestmark = pytest.mark.race


def season_id(slug: str) -> int:
    return Season.objects.get(slug=slug).id


def test_a_second_publisher_is_told_that_one_is_busy(slug: str) -> None:
    apply(slug, event("ann", 10))
    seal_epoch(season_id(slug))
    with uncommitted(lambda: publish_version(season_id(slug))) as first:
        assert publish_version(season_id(slug)).outcome == "busy"
        assert published(slug).number == 1
        assert first.go_on().version == 2
    assert publish_version(season_id(slug)).outcome == "idle"


def test_a_version_is_seen_whole_or_not_at_all(slug: str) -> None:
    apply(slug, event("ann", 10), event("bob", 20))
    seal_and_publish(season_id(slug))
    apply(slug, event("ann", 30, 2), event("cyd", 30))
    correct(slug, "bob", 2)
    seal_epoch(season_id(slug))
    before, after = {"ann": 10, "bob": 20}, {"ann": 30, "cyd": 30}
    with uncommitted(lambda: publish_version(season_id(slug))):
        assert published(slug).number == 2
        require_board(published(slug), 2, before, after, [2])
    assert published(slug).number == 3
    require_board(published(slug), 3, after, before, [2])
    require_board(published(slug), 2, before, after, [2])


def test_writers_go_on_while_a_version_is_made(slug: str) -> None:
    apply(slug, event("ann", 10))
    seal_epoch(season_id(slug))
    with uncommitted(lambda: publish_version(season_id(slug))):
        assert apply(slug, event("ann", 20, 2))[0].outcome == "improved"
        assert seal_epoch(season_id(slug))
    require_board(published(slug), 2, {"ann": 10}, [])
    assert publish_version(season_id(slug)).version == 3
    require_board(published(slug), 3, {"ann": 20}, [])


def test_beats_that_come_at_once_publish_each_event_once(slug: str) -> None:
    numbers = [1]
    for turn in range(1, 8):
        apply(slug, event("ann", turn, turn), event(f"player-{turn}", turn))
        done = together(*[lambda: seal_and_publish(season_id(slug))] * 3)
        assert {one.outcome for one in done} <= {"published", "unchanged", "busy", "idle"}
        made = [one.version for one in done if one.outcome == "published"]
        assert len(made) <= 1
        numbers += made
    seal_and_publish(season_id(slug))
    assert numbers == sorted(set(numbers))
    last = published(slug)
    expected = {f"player-{turn}": turn for turn in range(1, 8)} | {"ann": 7}
    require_board(last, last.current, expected, [], [3])


def test_the_beats_of_two_seasons_do_not_wait_for_each_other(slug: str, shared: str) -> None:
    elsewhere = make_season(unused_slug()).slug
    apply(slug, event("ann", 10))
    apply(elsewhere, event("ann", 10))
    seal_epoch(season_id(slug))
    with uncommitted(lambda: publish_version(season_id(slug))):
        assert seal_and_publish(season_id(elsewhere)).outcome == "published"
