"""A board's new buckets against its old ones, at the first version that has the new ones."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from leaderboard import rules
from leaderboard.queries.lookup import lookup
from leaderboard.queries.moved import keys_moved
from leaderboard.queries.ordered import players_in_bucket
from leaderboard.queries.published import Published
from leaderboard.queries.stored_top import stored_top
from leaderboard.queries.window import Entry
from leaderboard.rules import Buckets, Keys
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.checks import MOST_IN_A_BUCKET
from leaderboard.steps.next_version import Sealed
from leaderboard.steps.ordered_board import (
    bests_have,
    bucket_of,
    buckets_before,
    stored_buckets,
)
from leaderboard.steps.target import Counted, Target

BUCKETS_COMPARED = 32


class Compared(NamedTuple):
    """How many players both layouts have, and how many buckets and ranks were compared."""

    members: int
    buckets: int
    ranks: int


def require_members(board: int, buckets: Buckets, members: int) -> None:
    """Raise CheckFailed unless new buckets have as many players as the board has."""
    if buckets.members.sum() != members:
        raise CheckFailed(
            "layout_membership",
            f"board {board}: the new buckets have {buckets.members.sum()} players, not {members}",
        )


def compare_layouts(
    season: Published, board: int, sealed: Sealed, counted: Counted, players: list[str]
) -> Compared:
    """
    Compare what the version just made says with what the board's old buckets would say.

    Those are the counts at all boundaries that both have, those of new buckets with the bests,
    and ranks, as readers get them and by the old boundaries: of the board's top, and of those of
    some players who have not left it. Raises CheckFailed with what disagrees.
    """
    target = sealed.target
    old = _old_buckets(board, sealed)
    new = stored_buckets(
        target, board, target.version, counted.boundary_set, counted.totals.members
    )
    _same_counts(board, old, new)
    buckets = _new_buckets_match_bests(target, board, old, new)
    ranks = _same_ranks(season, target, board, old, players)
    return Compared(counted.totals.members, buckets, ranks)


def _old_buckets(board: int, sealed: Sealed) -> Buckets:
    """Return the buckets that the version would have had without the new layout."""
    state = sealed.state
    before = buckets_before(sealed.target, board, state.members[board])
    moved = keys_moved(state.ledger_namespace, state.through, sealed.seals[-1].epoch)
    return rules.with_deltas(before, moved.on_board(board))


def _same_counts(board: int, old: Buckets, new: Buckets) -> None:
    """Compare how many players stand above each key at which buckets of both layouts begin."""
    above = rules.players_above(old)
    for key, players in rules.players_above(new).items():
        if above.get(key, players) != players:
            raise CheckFailed(
                "layout_counts",
                f"board {board}: {players} players stand above {key} by the new buckets, "
                f"{above[key]} by the old ones",
            )


def _new_buckets_match_bests(target: Target, board: int, old: Buckets, new: Buckets) -> int:
    changed = rules.changed_buckets(new.boundaries, old.boundaries)
    countable = changed & (new.members <= MOST_IN_A_BUCKET)
    chosen = rules.spread_over(countable.astype(int), BUCKETS_COMPARED)
    for bucket, _ in chosen:
        found = players_in_bucket(bucket_of(target, board, new.boundaries, bucket))
        bests_have(board, bucket, int(new.members[bucket]), found)
    return len(chosen)


def _same_ranks(
    season: Published, target: Target, board: int, old: Buckets, players: Iterable[str]
) -> int:
    top = stored_top(target.namespace, target.version, board)
    first = [] if top is None else top.player_ids
    asked = list({*players, *first})
    found = lookup(season, asked, version=target.version, board=board, using="default")
    entries = [] if found is None else found.entries
    for entry, rank in zip(entries, _ranks(target, board, old, entries), strict=True):
        if rank != entry.rank:
            raise CheckFailed(
                "layout_ranks",
                f"board {board}: {entry.player_id} has rank {entry.rank} by the new buckets, "
                f"{rank} by the old ones",
            )
    return len(entries)


def _ranks(
    target: Target, board: int, buckets: Buckets, entries: Sequence[Entry]
) -> Iterator[int]:
    """Return what ranks some buckets give to entries in display order, counted in the bests."""
    scores = np.asarray([entry.score for entry in entries], dtype=np.int64)
    tie_keys = np.asarray([entry.tie_key for entry in entries], dtype=np.int64)
    places = rules.buckets_of(buckets.boundaries, Keys(scores, tie_keys)).tolist()
    above = rules.prefixes_of_members(buckets.members)
    for bucket, inside in groupby(zip(places, entries, strict=True), key=itemgetter(0)):
        place = bucket_of(target, board, buckets.boundaries, bucket)
        rank = 1 + int(above[bucket])
        for _, entry in inside:
            # From the last key on: so a bucket is gone through once, however many are compared.
            end = (entry.score, entry.tie_key)
            rank += players_in_bucket(place._replace(end=end))
            place = place._replace(boundary=end)
            yield rank
