"""The boards: what the folded ledger must have left in buckets, boundaries, prefixes and tops."""

import random
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from config import db
from config.errors import VersionExpired
from leaderboard.proof.findings import (
    MOST_NAMED,
    BucketCount,
    Check,
    Difference,
    compared,
    equal,
)
from leaderboard.proof.session import Clock
from leaderboard.proof.subject import Answer, Board, RankAt, Subject

TOTALS = db.statement(__file__, "totals")
FORGET_KEYS = db.statement(__file__, "forget_keys")
ANALYZE_WORK = db.statement(__file__, "analyze_work")
COUNT_LEDGER_SCORES = db.statement(__file__, "count_ledger_scores")
COUNT_LEDGER_KEYS = db.statement(__file__, "count_ledger_keys")
COUNT_BOUNDARIES = db.statement(__file__, "count_boundaries")
LEDGER_BY_BUCKET = db.statement(__file__, "ledger_by_bucket")
DUPLICATES = db.statement(__file__, "duplicates")
DIFFERING_BOUNDARIES = db.statement(__file__, "differing_boundaries")
DIFFERING_BUCKETS = db.statement(__file__, "differing_buckets")
DIFFERING_PREFIXES = db.statement(__file__, "differing_prefixes")
DIFFERING_TOP = db.statement(__file__, "differing_top")
SAMPLED_PLAYERS = db.statement(__file__, "sampled_players")

PLAYERS_SAMPLED = 1_500
PLAYERS_OF_A_REGION = 400
TOP_LENGTH = 100


class Totals(NamedTuple):
    """How many players the ledger has on a board, with which sum and hash."""

    members: int
    score_sum: int
    hash: Decimal


class Sampled(NamedTuple):
    """A player, and what the read statement must answer."""

    player_id: str
    score: int | None
    rank: int | None


def count_keys(subject: Subject, board: Board) -> Totals:
    """Count the players on each key of a board by the folded ledger, and add all up."""
    db.execute(FORGET_KEYS, using="proof")
    if board.is_counted:
        db.execute(COUNT_LEDGER_SCORES.literal(**subject.counted), using="proof")
    else:
        statement = COUNT_LEDGER_KEYS.literal(board=board.number)
        db.execute(statement, using="proof", boundary_set=board.boundary_set)
    return totals_by_ledger()


def totals_by_ledger() -> Totals:
    """Return what the counted keys add up to."""
    found = db.fetch_one(Totals, TOTALS, using="proof")
    assert found is not None
    return found


def check_board(
    subject: Subject, board: Board, totals: Totals, bests: list[BucketCount], clock: Clock
) -> list[Check]:
    """Compare everything that ranks of a board are read from with its counted keys."""
    with clock.phase(f"compare counts, buckets, prefixes and top{board.named}"):
        db.run_script(ANALYZE_WORK, using="proof")
        buckets = buckets_of(subject, board)
        counts = _counts(buckets, bests)
        return [
            equal("members", totals.members, board.members),
            equal("score sum", totals.score_sum, board.score_sum),
            counts,
            _duplicates(subject, totals, is_worth_it=counts.differing > 0),
            *_boundaries(board, buckets),
            *_buckets(subject, board),
            prefixes(subject, board, buckets),
            top(subject, board, totals.members),
        ]


def sampled_players(board: Board, members: int) -> list[Sampled]:
    """
    Return players of all kinds of places with the ranks that they must have.

    Of a region these are fewer, since a season may have many of them.
    """
    percent = min(100.0, 100.0 * PLAYERS_SAMPLED / max(members, 1))
    statement = SAMPLED_PLAYERS.literal(board=board.number)
    found = db.fetch_all(Sampled, statement, using="proof", percent=percent)
    return random.sample(found, PLAYERS_OF_A_REGION) if _is_too_many(board, found) else found


def check_ranks(board: Board, sample: Sequence[Sampled], rank_at: RankAt) -> Check:
    """Compare what the read statement answers; VersionExpired if the version is gone."""
    differing = []
    for player_id, score, rank in sample:
        answer = rank_at(player_id, board.number)
        if answer is None:
            raise VersionExpired
        if answer != (score, rank):
            differing.append(Difference(player_id, _told(Answer(score, rank)), _told(answer)))
    return Check("ranks", len(sample), len(differing), differing[:MOST_NAMED])


def buckets_of(subject: Subject, board: Board) -> int:
    """Return how many buckets a board has."""
    if board.is_counted:
        return subject.buckets
    found = db.fetch_one(int, COUNT_BOUNDARIES, using="proof", boundary_set=board.boundary_set)
    assert found is not None
    return found


def prefixes(subject: Subject, board: Board, buckets: int) -> Check:
    """Compare the stored prefixes of a board with the counted keys."""
    return compared(
        "prefixes",
        buckets,
        DIFFERING_PREFIXES.literal(namespace=subject.namespace, board=board.number),
        version=subject.version,
        buckets=buckets,
        has_rows=board.is_counted,
        buckets_a_slice=32 if board.is_counted else 64,
    )


def top(subject: Subject, board: Board, members: int) -> Check:
    """Compare the stored top of a board with the first of the folded players."""
    statement = DIFFERING_TOP.literal(namespace=subject.namespace, board=board.number)
    return compared("top", min(TOP_LENGTH, members), statement, version=subject.version)


def _counts(buckets: int, bests: list[BucketCount]) -> Check:
    """Compare the players of each bucket: the hash has the key of each, and so their counts."""
    ledger = db.fetch_all(BucketCount, LEDGER_BY_BUCKET, using="proof")
    expected = {count.bucket: count for count in ledger}
    found = {count.bucket: count for count in bests}
    differing = [
        Difference(f"bucket {bucket}", _counted(expected, bucket), _counted(found, bucket))
        for bucket in sorted({*expected, *found}, reverse=True)
        if expected.get(bucket) != found.get(bucket)
    ]
    return Check("counts", buckets, len(differing), differing[:MOST_NAMED])


def _counted(counts: Mapping[int, BucketCount], bucket: int) -> str:
    if bucket not in counts:
        return "no players"
    return f"{counts[bucket].players} players, hash {counts[bucket].hash}"


def _duplicates(subject: Subject, totals: Totals, *, is_worth_it: bool) -> Check:
    # A player who stands there twice makes a count differ: to look for one costs a sort of all.
    if not is_worth_it:
        return Check("duplicates", totals.members)
    statement = DUPLICATES.literal(namespace=subject.namespace)
    return compared("duplicates", totals.members, statement, version=subject.version)


def _boundaries(board: Board, buckets: int) -> list[Check]:
    if board.is_counted:
        return []
    asked = {"boundary_set": board.boundary_set}
    return [
        equal("boundaries", expected=True, found=buckets > 0),
        compared("boundaries", buckets, DIFFERING_BOUNDARIES, **asked),
    ]


def _buckets(subject: Subject, board: Board) -> list[Check]:
    if not board.is_counted:
        return []
    statement = DIFFERING_BUCKETS.literal(namespace=subject.namespace, **subject.counted)
    place = {"version": subject.version, "buckets": subject.buckets}
    return [compared("buckets", subject.buckets, statement, **place)]


def _is_too_many(board: Board, found: Sequence[Sampled]) -> bool:
    return bool(board.name) and len(found) > PLAYERS_OF_A_REGION


def _told(answer: Answer) -> str:
    if answer.rank is None and answer.score is None:
        return "not ranked"
    return f"score {answer.score}, rank {answer.rank}"
