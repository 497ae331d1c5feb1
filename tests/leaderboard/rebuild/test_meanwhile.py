"""Writes, publications and purges go on while a season is rebuilt, in every phase."""

import itertools
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from leaderboard.models import Lease, Rebuild, Version
from leaderboard.operations import publish_version, purge_versions, verify_season
from leaderboard.operations import seal_and_publish as seal_and_publish_season
from leaderboard.operations.rebuild import Differs, rebuild_season
from leaderboard.queries import published
from scores.operations import apply_events
from seasons.models import Epoch, Season
from tests.factories import event
from tests.leaderboard.rebuild.seasons_to_rebuild import (
    bests_of,
    between,
    everything_happens,
    namespace_of,
    play,
    rebuild,
    require_right,
    seal_and_publish,
    undo_of,
)
from tests.play import Play, Wanted
from tests.races.harness import blocked, on_and_on, outcome, stopped, together

pytestmark = [pytest.mark.usefixtures("shared"), pytest.mark.race]

PHASES = ["folded", "indexed", "counted", "caught_up", "compared", "shadowed"]


def more(played: Play) -> None:
    """Let more happen in the season, and be published in part."""
    played.oracle.epoch = Epoch.objects.get(season_id=played.season_id).open_epoch
    played.results(Wanted("player-a", 371, 1), Wanted("player-y", 3, 1))
    played.correct("player-b", 1)
    seal_and_publish(played)
    played.results(Wanted("player-y", 30, 1), Wanted("player-g", 599, 1))
    played.void("player-e", 1, 1)


@pytest.mark.parametrize("source", ["ledger", "bests"])
@pytest.mark.parametrize("phase", PHASES)
def test_what_is_written_and_published_between_phases_is_there(phase: str, source: str) -> None:
    played = play()
    everything_happens(played)
    old = namespace_of(played)
    with between(phase, partial(more, played)):
        rebuild(played, source)
    new = namespace_of(played)
    assert bests_of(new) == bests_of(old)
    current = published(played.slug).current
    assert undo_of(new, after=current) == undo_of(old, after=current)
    require_readable(played)
    played.results(Wanted("player-new", 1, 1))
    seal_and_publish(played)
    require_readable(played)


@pytest.mark.parametrize("phase", PHASES)
def test_versions_that_expire_between_phases_are_gone(phase: str) -> None:
    played = play()
    everything_happens(played)

    def expire() -> None:
        more(played)
        Lease.objects.all().delete()
        assert purge_versions(played.season_id, version_kept_seconds=0)

    with between(phase, expire):
        rebuild(played)
    require_right(played, [published(played.slug).current])


def require_readable(played: Play) -> None:
    """Every version that the season has now is right."""
    versions = Version.objects.filter(namespace=namespace_of(played)).order_by("number")
    numbers = list(versions.values_list("number", flat=True))
    assert published(played.slug).current == numbers[-1]
    require_right(played, numbers)


def test_a_season_that_becomes_final_meanwhile_keeps_its_final_version() -> None:
    played = play()
    everything_happens(played)
    numbers: list[int] = []

    def becomes_final() -> None:
        more(played)
        numbers.append(published(played.slug).current)
        versions = Version.objects.filter(namespace=played.namespace, number=numbers[0])
        versions.update(kind="final")
        played.oracle.epoch = Epoch.objects.get(season_id=played.season_id).open_epoch
        seal_and_publish(played)

    with between("counted", becomes_final):
        rebuild(played)
    kept = Version.objects.get(namespace=namespace_of(played), number=numbers[0])
    assert kept.kind == "final"
    require_readable(played)


def test_a_writer_waits_for_the_swap_and_writes_into_the_new_namespace() -> None:
    played = play()
    everything_happens(played)
    sent = event("player-a", 580, 50)
    with stopped(
        lambda: rebuild_season(played.slug), before("DELETE FROM leaderboard_stop")
    ) as it:
        writing = blocked(lambda: apply_events(played.slug, [sent]))
        it.go_on()
        assert outcome(writing).receipts[0].outcome == "improved"
    played.oracle.epoch = Epoch.objects.get(season_id=played.season_id).open_epoch
    played.oracle.apply([sent])
    seal_and_publish(played)
    require_readable(played)


def test_a_writer_that_is_not_done_keeps_the_swap_from_beginning() -> None:
    played = play()
    everything_happens(played)
    sent = event("player-a", 580, 50)
    is_swapping = threading.Event()

    def swaps(_: int, statement: str) -> bool:
        return statement.startswith("SET LOCAL lock_timeout") and not is_swapping.is_set()

    with (
        stopped(lambda: rebuild_season(played.slug), swaps) as rebuilding,
        stopped(lambda: apply_events(played.slug, [sent]), before("COMMIT")) as writing,
    ):
        is_swapping.set()
        rebuilding.may_go_on.set()
        assert not rebuilding.future.done()
        assert writing.go_on().receipts[0].outcome == "improved"
        assert outcome(rebuilding.future).phase == "swapped"
    played.oracle.epoch = Epoch.objects.get(season_id=played.season_id).open_epoch
    assert bests_of(namespace_of(played)) == bests_of(played.namespace)


def test_a_publisher_waits_for_nobody_and_the_swap_for_the_publisher() -> None:
    played = play()
    everything_happens(played)
    played.seal()
    publish = partial(publish_version, played.season_id)
    with stopped(publish, before("COMMIT")) as publishing:
        swap = blocked(lambda: rebuild_season(played.slug))
        assert publishing.go_on().outcome == "published"
        assert outcome(swap).phase == "swapped"
    require_readable(played)


def test_a_publisher_is_busy_while_the_boards_are_swapped() -> None:
    played = play()
    everything_happens(played)
    with stopped(lambda: rebuild_season(played.slug), before("DELETE FROM leaderboard_stop")):
        assert publish_version(played.season_id).outcome == "busy"
    played.oracle.epoch = Epoch.objects.get(season_id=played.season_id).open_epoch
    seal_and_publish(played)
    require_readable(played)


def test_of_two_rebuilds_that_begin_at_once_one_is_refused() -> None:
    played = play()
    everything_happens(played)
    done = together(*[lambda: rebuild_season(played.slug)] * 2)
    phases = [one for one in done if not isinstance(one, Exception)]
    refused = [str(one) for one in done if isinstance(one, Exception)]
    assert [one.phase for one in phases] == ["swapped"] * len(phases)
    assert phases
    assert all("under way" in sentence for sentence in refused)
    require_right(played, [published(played.slug).current])


def before(beginning: str) -> Callable[[int, str], bool]:
    """Stop before the first statement that begins so."""
    return lambda _, statement: statement.startswith(beginning)


DAMAGE = {
    "a best": "UPDATE scores_best_n{} SET score = score + 1 WHERE player_id = 'player-g'",
    "a best that is hidden": "UPDATE scores_best_n{} SET hidden_score = 1"
    " WHERE player_id = 'player-d'",
    "a best's version": "UPDATE scores_best_n{} SET score_version = 9"
    " WHERE player_id = 'player-g'",
    "a best's stamp": "UPDATE scores_best_n{} SET epoch = epoch + 1 WHERE player_id = 'player-g'",
    "a best that is lost": "DELETE FROM scores_best_n{} WHERE player_id = 'player-g'",
    "undo": "DELETE FROM scores_undo_n{}",
    "a bucket": "UPDATE leaderboard_bucket_n{} SET members = members + 1",
    "a prefix": "DELETE FROM leaderboard_prefix WHERE namespace = {}",
    "a top": "UPDATE leaderboard_top SET scores[1] = 600 WHERE namespace = {}",
    "a version": "UPDATE leaderboard_version SET members[1] = 3 WHERE namespace = {}",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_whatever_is_wrong_in_what_was_made_stops_the_swap(superuser: Any, what: str) -> None:
    played = play()
    everything_happens(played)
    before_it = namespace_of(played)

    def damage() -> None:
        made = Rebuild.objects.get(season_id=played.season_id).namespace
        superuser.execute(DAMAGE[what].format(made))

    with between("caught_up", damage), pytest.raises(Differs):
        rebuild_season(played.slug)
    assert Season.objects.get(id=played.season_id).namespace == before_it
    failure = Rebuild.objects.get(season_id=played.season_id).failure
    assert failure


@pytest.mark.parametrize("source", ["ledger", "bests"])
def test_it_goes_through_while_writers_and_publishers_never_stop(source: str) -> None:
    played = play()
    everything_happens(played)
    numbers = itertools.count()

    def write() -> None:
        turn = next(numbers)
        one, other = event(f"writer-{turn % 40}", turn % 601, turn + 1), event(f"new-{turn}", 7)
        apply_events(played.slug, [one, other])

    with on_and_on(write, partial(seal_and_publish_season, played.season_id)):
        rebuild(played, source)
    while seal_and_publish_season(played.season_id).more:
        pass
    assert verify_season(played.slug).agrees
    assert Season.objects.get(id=played.season_id).namespace != played.namespace
