"""The checks before the flip: each reads what was stored and says what disagrees."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from leaderboard import rules
from leaderboard.queries.publication import (
    PublicationState,
    Witness,
    boards_present,
    bucket_members,
    counts_in_bests,
)
from leaderboard.queries.stored_top import StoredTop, stored_top
from leaderboard.rules import GLOBAL_BOARD, Counts, Gains
from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.counted_board import counted_prefixes, in_buckets
from leaderboard.steps.target import BoardTotals, Target

# To count them must not take longer than all else, however many players the season has: one
# takes 10 to 20 µs where the season is larger than the server's buffers. At one version a second
# half a day goes through fifty million.
PLAYERS_SAMPLED = 1_000
MOST_IN_A_BUCKET = 1_000
BUCKETS_SAMPLED = 8


class StoredBoard(NamedTuple):
    """
    What a board's buckets count at the version, and what its prefixes say of each bucket.

    That is what their own rows say, with what they gained since.
    """

    members: Counts
    versions: Counts
    prefixes: Counts
    ages: Counts
    gains: Gains


def stored_board(target: Target, board: int) -> StoredBoard:
    """Read back what was stored of a board, for the checks to compare."""
    rows = bucket_members(target.namespace, board, target.version, target.layout.buckets)
    found = counted_prefixes(target, board, target.version)
    members = rows.members + rules.gained_by_bucket(target.layout, found.gains)
    return StoredBoard(members, rows.versions, *found)


def nothing_is_lost(state: PublicationState) -> None:
    """Look whether bests and buckets are there at all: else nothing could be counted on."""
    present = boards_present(state.namespace, state.number)
    if not present.bests:
        raise CheckFailed("bests_lost", "the bests have no sentinel", bests_damaged=True)
    members = state.members[GLOBAL_BOARD]
    if members and not present.buckets:
        raise CheckFailed("buckets_lost", f"{members} players, but no bucket", bests_damaged=True)


def ledger_agrees_with_tallies(found: Sequence[Witness]) -> None:
    """Compare rows, sums and hash of each epoch, as ledger and tallies have them."""
    by_epoch: dict[int, dict[str, Witness]] = {}
    for witness in found:
        by_epoch.setdefault(witness.epoch, {})[witness.witness] = witness
    for epoch, sides in sorted(by_epoch.items()):
        ledger, tally = sides.get("ledger"), sides.get("tally")
        if ledger is None or tally is None or _facts_of(ledger) != _facts_of(tally):
            raise CheckFailed(
                "ledger_against_tallies",
                f"epoch {epoch}: ledger {_facts(ledger)}, tallies {_facts(tally)}",
            )


def membership_follows(
    previous: BoardTotals, totals: BoardTotals, found: Sequence[Witness]
) -> None:
    """Compare the global board's players with those before, entered and left."""
    tallies = [witness for witness in found if witness.witness == "tally"]
    entered = sum(tally.entered for tally in tallies)
    left = sum(tally.left_board for tally in tallies)
    if totals.members != previous.members + entered - left:
        raise CheckFailed(
            "membership",
            f"{totals.members} players, but {previous.members} + {entered} - {left} expected",
        )


def counted_board_is_right(target: Target, board: int, totals: BoardTotals) -> StoredBoard:
    """Compare what was stored of a counted board with itself and with its top; return it."""
    stored = stored_board(target, board)
    buckets_add_up(board, stored, totals)
    ages_lead_to_the_newest_rows(target, board, stored)
    top_is_right(target, board, stored, totals)
    return stored


def buckets_add_up(board: int, stored: StoredBoard, totals: BoardTotals) -> None:
    """Compare the buckets' own counts with the membership, and each prefix with the one above."""
    if int(stored.members.sum()) != totals.members:
        raise CheckFailed(
            "sum_of_buckets",
            f"board {board}: buckets hold {stored.members.sum()} players, not {totals.members}",
        )
    expected = rules.prefixes_of_members(stored.members)
    if not np.array_equal(stored.prefixes, expected):
        wrong = np.flatnonzero(stored.prefixes != expected)
        bucket = int(wrong[-1])
        raise CheckFailed(
            "prefix_chain",
            f"board {board}: the prefix of bucket {bucket} is {stored.prefixes[bucket]}, "
            f"but {expected[bucket]} players stand above it",
        )


def ages_lead_to_the_newest_rows(target: Target, board: int, stored: StoredBoard) -> None:
    """Compare the version that each bucket's row is sought at with that of its newest row."""
    sought = target.version - stored.ages
    wrong = np.flatnonzero(sought != stored.versions)
    if len(wrong):
        bucket = int(wrong[0])
        raise CheckFailed(
            "bucket_age",
            f"board {board}: the newest row of bucket {bucket} is of version "
            f"{stored.versions[bucket]}, but is sought at {sought[bucket]}",
        )


def top_is_right(target: Target, board: int, stored: StoredBoard, totals: BoardTotals) -> None:
    """
    Compare the stored top with its length, and its ranks with the formula's.

    The top comes from the order of the bests. Membership, buckets and prefixes agree by now, so
    a difference means that the bests are damaged, or at best the counts inside a bucket: no
    more is written then, since what the ledger takes from wrong bests stays in it.
    """
    top = whole_top(target, board, totals)
    by_formula = _ranks_by_formula(target, board, stored, sorted(set(top.scores)))
    for score, rank in dict(zip(top.scores, top.ranks, strict=True)).items():
        if rank != by_formula[score]:
            raise CheckFailed(
                "top_ranks",
                f"board {board}: score {score} is at place {rank} by counting, "
                f"at {by_formula[score]} by the formula",
                bests_damaged=True,
            )


def whole_top(target: Target, board: int, totals: BoardTotals) -> StoredTop:
    """Return the stored top of a board, which has a hundred rows, or everybody."""
    top = stored_top(target.namespace, target.version, board)
    length = min(rules.TOP_LENGTH, totals.members)
    if top is None or len(top.scores) != length:
        found = "none" if top is None else len(top.scores)
        raise CheckFailed(
            "top_length", f"board {board}: {found} rows, not {length}", bests_damaged=True
        )
    return top


def sampled_buckets_match_bests(
    target: Target, stored: StoredBoard, state: PublicationState
) -> int:
    """Compare some buckets with the bests, and return where the next sample begins."""
    sample, following = _sample(stored.members, state.sampled_bucket)
    buckets = np.sort(sample)
    found = in_buckets(target, GLOBAL_BOARD, target.version, buckets, stored.gains)
    for bucket, counts in zip(buckets.tolist(), found.counts, strict=True):
        _compare_with_bests(target, bucket, counts)
    return following


def _sample(members: Counts, start: int) -> tuple[list[int], int]:
    """Choose the next buckets: one at least, and no more players than can be counted meanwhile."""
    chosen: list[int] = []
    players = 0
    for step in range(min(BUCKETS_SAMPLED, len(members))):
        bucket = (start + step) % len(members)
        players += int(members[bucket])
        if chosen and players > PLAYERS_SAMPLED:
            return chosen, bucket
        chosen.append(bucket)
    return chosen, (start + step + 1) % len(members)


def _countable(counts: Counts, turn: int) -> slice:
    """Choose all scores of a bucket, or of one too full for that some in turn, perhaps none."""
    if counts.sum() <= MOST_IN_A_BUCKET:
        return slice(0, len(counts))
    first = turn % len(counts)
    fitting = np.cumsum(counts[first:]) <= PLAYERS_SAMPLED
    return slice(first, first + int(fitting.sum()))


def _compare_with_bests(target: Target, bucket: int, counts: Counts) -> None:
    part = _countable(counts, target.version)
    lowest, stored = target.layout.range_of(bucket)[0] + part.start, counts[part]
    scores = (lowest, lowest + len(stored) - 1)
    counted = np.zeros_like(stored)
    for row in counts_in_bests(
        target.season_id, target.namespace, GLOBAL_BOARD, target.version, scores
    ):
        counted[row.score - lowest] = row.players
    wrong = np.flatnonzero(stored != counted)
    if len(wrong):
        first = int(wrong[0])
        raise CheckFailed(
            "bucket_against_bests",
            f"score {lowest + first}: bucket {bucket} counts {stored[first]} players, "
            f"the bests have {counted[first]}",
            bests_damaged=True,
        )


def _ranks_by_formula(
    target: Target, board: int, stored: StoredBoard, scores: list[int]
) -> dict[int, int]:
    width, lowest = target.layout.bucket_width, target.layout.lower_score
    places = {score: divmod(score - lowest, width) for score in scores}
    needed = sorted({bucket for bucket, _ in places.values()})
    buckets = np.asarray(needed, dtype=np.int64)
    found = in_buckets(target, board, target.version, buckets, stored.gains)
    above = dict(zip(needed, found.above, strict=True))
    return {
        score: 1 + int(stored.prefixes[bucket]) + int(above[bucket][offset])
        for score, (bucket, offset) in places.items()
    }


def _facts_of(witness: Witness) -> tuple[object, ...]:
    return witness._replace(witness="", row_hashes=None)


def _facts(witness: Witness | None) -> str:
    if witness is None:
        return "nothing"
    return (
        f"{witness.events} events, {witness.changes} changes, +{witness.entered} "
        f"-{witness.left_board}, sum {witness.score_delta}, hash {witness.hash}"
    )
