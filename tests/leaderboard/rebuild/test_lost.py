"""Whatever is lost or wrong in the boards in use, a rebuild makes them what they were."""

from typing import Any

import pytest

from leaderboard.models import Stop
from leaderboard.operations.rebuild import CannotRebuild, Differs, rebuild_season
from leaderboard.queries import published
from leaderboard.steps.check_failed import CheckFailed
from seasons.models import Season
from tests.leaderboard.rebuild.seasons_to_rebuild import (
    everything_happens,
    namespace_of,
    play,
    rebuild,
    require_right,
    seal_and_publish,
)
from tests.play import Wanted

pytestmark = pytest.mark.usefixtures("shared")


@pytest.mark.parametrize("source", ["ledger", "bests"])
@pytest.mark.parametrize("noticed", ["noticed", ""], ids=["noticed", "not noticed"])
def test_lost_buckets_come_back(superuser: Any, source: str, noticed: str) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    superuser.execute(f"TRUNCATE leaderboard_bucket_n{namespace_of(played)}")
    if noticed:
        with pytest.raises(CheckFailed, match="buckets_lost"):
            played.publish()
    done = rebuild(played, source)
    assert "skipped" in done.report["shadowed"]
    require_right(played, [current])
    assert not Stop.objects.filter(season_id=played.season_id).exists()
    played.results(Wanted("player-g", 355, 1))
    require_right(played, [current, seal_and_publish(played)])


@pytest.mark.parametrize("noticed", ["noticed", ""], ids=["noticed", "not noticed"])
def test_lost_bests_come_back(superuser: Any, noticed: str) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    superuser.execute(f"TRUNCATE scores_best_n{namespace_of(played)}")
    if noticed:
        with pytest.raises(CheckFailed, match="bests_lost"):
            played.publish()
    done = rebuild(played)
    assert "skipped" in done.report["shadowed"]
    require_right(played, [current])
    assert Season.objects.get(id=played.season_id).bests_damaged_at is None
    played.results(Wanted("player-g", 355, 1))
    require_right(played, [current, seal_and_publish(played)])


def test_everything_lost_at_once_comes_back(superuser: Any) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    namespace = namespace_of(played)
    for table in ("scores_best", "scores_undo", "leaderboard_bucket"):
        superuser.execute(f"TRUNCATE {table}_n{namespace}")
    for table in ("leaderboard_prefix", "leaderboard_top"):
        superuser.execute(f"DELETE FROM {table} WHERE namespace = {namespace}")
    rebuild(played)
    require_right(played, [current])


def test_lost_bests_are_not_copied(superuser: Any) -> None:
    played = play()
    everything_happens(played)
    superuser.execute(f"TRUNCATE scores_best_n{namespace_of(played)}")
    with pytest.raises(CannotRebuild, match="lost: rebuild from the ledger"):
        rebuild_season(played.slug, "bests")


def test_a_best_that_was_altered_and_stopped_the_publication_is_made_right(
    superuser: Any,
) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    alter(superuser, played)
    played.results(Wanted("player-c", 590, 1))
    with pytest.raises(CheckFailed, match="top_ranks"):
        seal_and_publish(played)
    rebuild(played)
    assert not Stop.objects.filter(season_id=played.season_id).exists()
    require_right(played, [current, seal_and_publish(played)])


def test_a_ledger_that_was_written_by_a_wrong_best_stops_the_swap(superuser: Any) -> None:
    played = play()
    everything_happens(played)
    before = namespace_of(played)
    alter(superuser, played)
    played.results(Wanted("player-g", 400, 1))
    with pytest.raises(CheckFailed):
        seal_and_publish(played)
    with pytest.raises(Differs, match="not what the ledger says"):
        rebuild(played)
    assert namespace_of(played) == before


def test_a_best_that_was_altered_stops_the_swap_until_it_is_said_to_be_wrong(
    superuser: Any,
) -> None:
    played = play()
    everything_happens(played)
    before, current = namespace_of(played), published(played.slug).current
    alter(superuser, played)
    with pytest.raises(Differs, match="than in use"):
        rebuild(played)
    assert namespace_of(played) == before
    rebuild_season(played.slug, old_is_wrong=True)
    require_right(played, [current])


def test_without_the_row_of_the_current_version_nothing_is_swapped(superuser: Any) -> None:
    played = play()
    everything_happens(played)
    before = namespace_of(played)
    gone = "DELETE FROM leaderboard_version WHERE namespace = %s AND number = %s"
    superuser.execute(gone, [before, published(played.slug).number])
    with pytest.raises(CannotRebuild, match="is lost"):
        rebuild_season(played.slug)
    assert namespace_of(played) == before


def alter(superuser: Any, played: Any) -> None:
    superuser.execute(
        "UPDATE scores_best SET score = score + 1 WHERE namespace = %s AND player_id = %s",
        [namespace_of(played), "player-g"],
    )
