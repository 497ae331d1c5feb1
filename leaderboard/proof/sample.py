"""A cheap proof of a few hundred players, one bucket and all prefixes: fit for every minute."""

from typing import NamedTuple

from config import db
from leaderboard.proof.beside import CREATE_HASHED
from leaderboard.proof.board import (
    DIFFERING_PREFIXES,
    DIFFERING_TOP,
    TOP_LENGTH,
    Sampled,
    check_ranks,
    totals_by_ledger,
)
from leaderboard.proof.findings import Check, Proof, compared, equal
from leaderboard.proof.session import Clock, Say, Session
from leaderboard.proof.subject import RankAt, Subject
from leaderboard.proof.whole import (
    ANALYZE_WORK,
    DIFFERING_BESTS,
    unsound_players,
    work_tables,
)

BY_INDEX = db.statement(__file__, "by_index")
ASK_SOME = db.statement(__file__, "ask_some")
FOLD_ASKED = db.statement(__file__, "fold_asked")
ASK_UNTIL_NOW = db.statement(__file__, "ask_until_now")
ALTERED_ROWS_OF_ASKED = db.statement(__file__, "altered_rows_of_asked")
DIFFERING_LAST_VERSIONS = db.statement(__file__, "differing_last_versions")
COUNT_STORED_BUCKETS = db.statement(__file__, "count_stored_buckets")
ANY_BUCKET = db.statement(__file__, "any_bucket")
PLAYERS_OF_BUCKET = db.statement(__file__, "players_of_bucket")
FORGET_PLAYERS = db.statement(__file__, "forget_players")
TOP_OF_BESTS = db.statement(__file__, "top_of_bests")

ROWS_SAMPLED = 500


class AnyBucket(NamedTuple):
    """The lowest score of a bucket, and the rank of the first player in it."""

    lowest: int
    first_rank: int


def prove_sample(subject: Subject, rank_at: RankAt, say: Say | None = None) -> Proof:
    """
    Fold some players from the ledger, and compare stored counts with each other and the bests.

    Every statement reads a bounded number of rows by index, however large the season is.
    """
    clock = Clock(say)
    with Session().opened(work_tables(subject)):
        db.run_script(BY_INDEX, using="proof")
        hashed = CREATE_HASHED.literal(namespace=subject.ledger_namespace)
        db.run_script(hashed, using="proof")
        with clock.phase("fold some players"):
            checks = _check_some_players(subject)
        with clock.phase("compare prefixes, top and a bucket"):
            checks += _check_stored(subject, rank_at)
        totals = totals_by_ledger()
    told = {"players": checks[0].compared, "members": totals.members}
    return Proof(checks, clock.phases, told)


def _check_some_players(subject: Subject) -> list[Check]:
    namespace, version = subject.namespace, {"version": subject.version}
    ledger = {"ledger_namespace": subject.ledger_namespace}
    players = db.execute(
        ASK_SOME.literal(namespace=namespace),
        using="proof",
        percent_of_bests=_percent(subject.members),
        percent_of_ledger=_percent(subject.ledger_rows),
        **version,
        **ledger,
    )
    db.execute(FOLD_ASKED, using="proof")
    db.execute(ASK_UNTIL_NOW, using="proof")
    db.run_script(ANALYZE_WORK, using="proof")
    bests = DIFFERING_BESTS.literal(namespace=namespace)
    recent = DIFFERING_LAST_VERSIONS.literal(season_id=subject.season_id)
    return [
        compared("bests", players, bests, **version),
        unsound_players(subject, players),
        compared("ledger rows", players, ALTERED_ROWS_OF_ASKED),
        compared("ledger of versions", 3, recent, **version, **ledger),
    ]


def _check_stored(subject: Subject, rank_at: RankAt) -> list[Check]:
    literals = {
        "namespace": subject.namespace,
        "lower_score": subject.lower_score,
        "bucket_width": subject.bucket_width,
    }
    place = {"version": subject.version, "buckets": subject.buckets}
    db.execute(COUNT_STORED_BUCKETS.literal(**literals), using="proof", **place)
    prefixes = DIFFERING_PREFIXES.literal(**literals)
    db.execute(FORGET_PLAYERS, using="proof")
    statement = TOP_OF_BESTS.literal(namespace=subject.namespace)
    db.execute(statement, using="proof", version=subject.version)
    top = DIFFERING_TOP.literal(namespace=subject.namespace)
    return [
        equal("members", totals_by_ledger().members, subject.members),
        compared("prefixes", subject.buckets, prefixes, **place),
        compared("top", min(TOP_LENGTH, subject.members), top, version=subject.version),
        check_ranks(_players_of_a_bucket(subject), rank_at),
    ]


def _players_of_a_bucket(subject: Subject) -> list[Sampled]:
    bucket = db.fetch_one(AnyBucket, ANY_BUCKET, using="proof")
    if bucket is None:
        return []
    statement = PLAYERS_OF_BUCKET.literal(
        namespace=subject.namespace, bucket_width=subject.bucket_width
    )
    return db.fetch_all(
        Sampled, statement, using="proof", version=subject.version, **bucket._asdict()
    )


def _percent(rows: int) -> float:
    return min(100.0, 100.0 * ROWS_SAMPLED / max(rows, 1))
