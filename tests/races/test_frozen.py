"""A process that is frozen, not killed, makes others wait no longer than is stated."""

import itertools
import time
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from config.errors import FriendsConflict
from leaderboard.operations import publish_version, purge_versions, seal_and_publish
from leaderboard.queries import published
from scores.models import Ledger
from scores.operations import set_friends
from scores.rules import friend_list
from seasons.models import Season
from seasons.operations import close_season, seal_epoch
from tests.factories import apply, correct, event, make_season, unused_slug
from tests.leaderboard.agreement import require_board
from tests.races.harness import PATIENCE, Held, blocked, outcome, stopped

pytestmark = pytest.mark.race

WRITER_BOUND = 2.0
PUBLISHER_BOUND = 5.0
MARGIN = 4.0


def season_id(slug: str) -> int:
    return Season.objects.get(slug=slug).id


def until(call: Any) -> float:
    """Call again until it is true, and return how long that took."""
    started = time.monotonic()
    while not call():
        assert time.monotonic() - started < PATIENCE
    return time.monotonic() - started


def a_season_with_ann() -> str:
    slug = make_season(unused_slug()).slug
    apply(slug, event("ann", 10))
    seal_and_publish(season_id(slug))
    return slug


def frozen(stack: ExitStack, call: Any, trip: int) -> Held:
    return stack.enter_context(stopped(call, lambda number, _: number == trip))


@pytest.mark.parametrize("trips", [range(1, 4), range(4, 7)], ids=["first", "last"])
def test_a_writer_frozen_at_any_trip_is_ended_and_others_go_on(shared: str, trips: range) -> None:
    slugs = [a_season_with_ann() for _ in trips]
    with ExitStack() as stack:
        writers = [
            frozen(stack, partial(apply, slug, event("ann", 20, 2)), trip)
            for slug, trip in zip(slugs, trips, strict=True)
        ]
        started = time.monotonic()
        for slug in slugs:
            assert apply(slug, event("bob", 5))[0].outcome == "improved"
            until(lambda slug=slug: seal_epoch(season_id(slug)))
        assert time.monotonic() - started < WRITER_BOUND + MARGIN
        for slug, writer in zip(slugs, writers, strict=True):
            (receipt,) = writer.go_on()
            assert (receipt.outcome, receipt.replayed) == ("improved", False)
            seal_and_publish(season_id(slug))
            require_board(published(slug), published(slug).current, {"ann": 20, "bob": 5}, [], [2])


def test_the_writer_has_so_many_trips(slug: str) -> None:
    """The test before freezes at each: six, the fence before them and the commit included."""
    apply(slug, event("ann", 10))
    seal_epoch(season_id(slug))
    numbers = itertools.count()
    with stopped(lambda: apply(slug, event("ann", 20, 2)), lambda *_: next(numbers) == 6) as last:
        assert not last.future.done()
    with (
        pytest.raises(AssertionError, match="never got there"),
        stopped(lambda: apply(slug, event("ann", 30, 3)), lambda number, _: number == 7),
    ):
        pass


def test_a_correction_that_is_frozen_is_ended_and_others_go_on(shared: str) -> None:
    slug = a_season_with_ann()

    def when_ann_is_locked(_: int, statement: str) -> bool:
        return statement.startswith("UPDATE scores_best")

    with stopped(lambda: correct(slug, "ann", 2, corrected_score=3), when_ann_is_locked) as held:
        started = time.monotonic()
        assert apply(slug, event("ann", 30, 3))[0].outcome == "improved"
        assert time.monotonic() - started < WRITER_BOUND + MARGIN
        assert held.go_on().outcome == "stale_version"
    namespace = Season.objects.get(slug=slug).namespace
    assert Ledger.objects.filter(namespace=namespace).count() == 3


def test_a_friend_list_that_is_frozen_is_ended_and_others_go_on(shared: str) -> None:
    first, newer = (friend_list("frozen", [name], at) for at, name in ((1, "ann"), (2, "bob")))
    with sent(partial(set_friends, first), "COMMIT") as held:
        started = time.monotonic()
        assert set_friends(newer).says(newer)
        assert time.monotonic() - started < WRITER_BOUND + MARGIN
        assert isinstance(held.go_on(), FriendsConflict)


def test_a_change_of_state_that_is_frozen_is_ended_and_others_go_on(shared: str) -> None:
    slug = a_season_with_ann()
    close = partial(close_season, slug, actor="eve", reason="over")
    with sent(close, "COMMIT") as held:
        started = time.monotonic()
        assert apply(slug, event("bob", 5))[0].outcome == "improved"
        assert time.monotonic() - started < WRITER_BOUND + MARGIN
        assert isinstance(held.go_on(), Exception)
    assert published(slug).status == "open"
    close()
    assert published(slug).status == "closing"


def test_publishers_and_purges_that_are_frozen_are_ended_and_the_next_ones_go_on(
    shared: str,
) -> None:
    early, late, purged = (a_season_with_ann() for _ in range(3))
    for slug in (early, late):
        apply(slug, event("bob", 20))
        seal_epoch(season_id(slug))
    with (
        sent(partial(publish_version, season_id(early)), "INSERT INTO leaderboard_version") as one,
        sent(partial(publish_version, season_id(late)), "COMMIT") as other,
        sent(partial(purge, purged), "DELETE FROM scores_undo") as third,
    ):
        started = time.monotonic()
        next_purge = blocked(lambda: purge(purged))
        for slug in (early, late):
            assert publish_version(season_id(slug)).outcome == "busy"
            assert apply(slug, event("cyd", 30))[0].outcome == "improved"
        for slug in (early, late):
            until(lambda slug=slug: publish_version(season_id(slug)).outcome != "busy")
            require_board(published(slug), 3, {"ann": 10, "bob": 20}, ["cyd"], [2])
        assert outcome(next_purge) == [1]
        assert time.monotonic() - started < PUBLISHER_BOUND + MARGIN
        assert all(isinstance(held.go_on(), Exception) for held in (one, other, third))
    for slug in (early, late):
        assert published(slug).number == 3
        seal_and_publish(season_id(slug))
        last = published(slug)
        require_board(last, last.current, {"ann": 10, "bob": 20, "cyd": 30}, [], [2])
    require_board(published(purged), 2, {"ann": 10}, [], [2])


def purge(slug: str) -> list[int]:
    return purge_versions(season_id(slug), version_kept_seconds=0)


def sent(call: Any, statement: str) -> Any:
    """Run the call until it is about to send a statement that begins so."""
    return stopped(call, lambda _, text: text.startswith(statement))
