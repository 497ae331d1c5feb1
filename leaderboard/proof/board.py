"""The board: what the folded ledger must have left in bests, buckets, prefixes and top."""

from collections.abc import Mapping
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
from leaderboard.proof.subject import Answer, RankAt, Subject

TOTALS = db.statement(__file__, "totals")
LEDGER_BY_BUCKET = db.statement(__file__, "ledger_by_bucket")
DUPLICATES = db.statement(__file__, "duplicates")
DIFFERING_BUCKETS = db.statement(__file__, "differing_buckets")
DIFFERING_PREFIXES = db.statement(__file__, "differing_prefixes")
DIFFERING_TOP = db.statement(__file__, "differing_top")
SAMPLED_PLAYERS = db.statement(__file__, "sampled_players")

PLAYERS_SAMPLED = 1_500
TOP_LENGTH = 100


class Totals(NamedTuple):
    """How many players the ledger has on the board, with which sum and hash."""

    members: int
    score_sum: int
    hash: Decimal


class Sampled(NamedTuple):
    """A player, and what the read statement must answer."""

    player_id: str
    score: int | None
    rank: int | None


def totals_by_ledger() -> Totals:
    """Return what the folded ledger adds up to."""
    found = db.fetch_one(Totals, TOTALS, using="proof")
    assert found is not None
    return found


def check_board(subject: Subject, bests: list[BucketCount], clock: Clock) -> list[Check]:
    """Compare everything that ranks are read from with the folded ledger."""
    totals = totals_by_ledger()
    literals = {
        "namespace": subject.namespace,
        "lower_score": subject.lower_score,
        "bucket_width": subject.bucket_width,
    }
    place = {"version": subject.version, "buckets": subject.buckets}
    checks = [
        equal("members", totals.members, subject.members),
        equal("score sum", totals.score_sum, subject.score_sum),
    ]
    with clock.phase("compare counts, buckets, prefixes and top"):
        counts = _counts(subject, bests)
        checks += [counts, _duplicates(subject, totals, is_worth_it=counts.differing > 0)]
        buckets = DIFFERING_BUCKETS.literal(**literals)
        checks.append(compared("buckets", subject.buckets, buckets, **place))
        prefixes = DIFFERING_PREFIXES.literal(**literals)
        checks.append(compared("prefixes", subject.buckets, prefixes, **place))
        top = DIFFERING_TOP.literal(namespace=subject.namespace)
        length = min(TOP_LENGTH, totals.members)
        checks.append(compared("top", length, top, version=subject.version))
    return checks


def sampled_players(subject: Subject, players: int) -> list[Sampled]:
    """Return players of all kinds of places with the ranks that they must have."""
    percent = min(100.0, 100.0 * PLAYERS_SAMPLED / max(players, 1))
    return db.fetch_all(
        Sampled,
        SAMPLED_PLAYERS.literal(
            lower_score=subject.lower_score, bucket_width=subject.bucket_width
        ),
        using="proof",
        percent=percent,
    )


def check_ranks(sample: list[Sampled], rank_at: RankAt) -> Check:
    """Compare what the read statement answers; VersionExpired if the version is gone."""
    differing = []
    for player_id, score, rank in sample:
        answer = rank_at(player_id)
        if answer is None:
            raise VersionExpired
        if answer != (score, rank):
            differing.append(Difference(player_id, _told(Answer(score, rank)), _told(answer)))
    return Check("ranks", len(sample), len(differing), differing[:MOST_NAMED])


def _counts(subject: Subject, bests: list[BucketCount]) -> Check:
    """Compare the players of each bucket: the hash has the score of each, and so their counts."""
    statement = LEDGER_BY_BUCKET.literal(
        lower_score=subject.lower_score, bucket_width=subject.bucket_width
    )
    ledger = db.fetch_all(BucketCount, statement, using="proof")
    expected = {count.bucket: count for count in ledger}
    found = {count.bucket: count for count in bests}
    differing = [
        Difference(f"bucket {bucket}", _counted(expected, bucket), _counted(found, bucket))
        for bucket in sorted({*expected, *found}, reverse=True)
        if expected.get(bucket) != found.get(bucket)
    ]
    return Check("counts", subject.buckets, len(differing), differing[:MOST_NAMED])


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


def _told(answer: Answer) -> str:
    if answer.rank is None and answer.score is None:
        return "not ranked"
    return f"score {answer.score}, rank {answer.rank}"
