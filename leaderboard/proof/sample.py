"""A cheap proof of a few hundred players, one bucket and all prefixes: fit for every minute."""

import random
from typing import NamedTuple

from config import db
from leaderboard.proof.beside import CREATE_HASHED, first_epoch
from leaderboard.proof.board import (
    ANALYZE_WORK,
    FORGET_KEYS,
    Sampled,
    buckets_of,
    check_ranks,
    prefixes,
    top,
    totals_by_ledger,
)
from leaderboard.proof.findings import (
    MOST_NAMED,
    Check,
    Difference,
    Proof,
    compared,
    equal,
    merged,
    on_board,
)
from leaderboard.proof.session import Clock, Say, Session
from leaderboard.proof.subject import Board, RankAt, Subject
from leaderboard.proof.whole import (
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
DIFFERING_CHAIN = db.statement(__file__, "differing_chain")
SOME_BUCKETS = db.statement(__file__, "some_buckets")
PLAYERS_OF_RANGE = db.statement(__file__, "players_of_range")

ROWS_SAMPLED = 500
ASKED_OF_A_BUCKET = 40


class AnyBucket(NamedTuple):
    """The lowest score of a bucket, and the rank of the first player in it."""

    lowest: int
    first_rank: int


class SomeBucket(NamedTuple):
    """A bucket of an ordered board: what its prefixes say of it, and its range of keys."""

    bucket: int
    players: int
    first_rank: int
    score: int
    tie_key: int
    end_score: int
    end_tie_key: int

    @property
    def asked(self) -> dict[str, int]:
        """Return the range of keys, and the rank of the first, as a statement names them."""
        _, _, *asked = self
        return dict(zip(self._fields[2:], asked, strict=True))


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
        boards = [first_epoch(subject)]
        for board in _some_boards(subject):
            with clock.phase(f"compare prefixes, top and buckets{board.named}"):
                boards += on_board(board.name, _check_stored(subject, board, rank_at))
    told = {"players": checks[0].compared, "members": subject.members[0]}
    return Proof([*checks, *merged(boards)], clock.phases, told)


def _some_boards(subject: Subject) -> list[Board]:
    """Choose the global board, and by chance one of a region."""
    every, *regional = subject.boards
    return [every, *random.sample(regional, min(1, len(regional)))]


def _check_some_players(subject: Subject) -> list[Check]:
    namespace, version = subject.namespace, {"version": subject.version}
    ledger = {"ledger_namespace": subject.ledger_namespace}
    players = db.execute(
        ASK_SOME.literal(namespace=namespace),
        using="proof",
        percent_of_bests=_percent(subject.members[0]),
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


def _check_stored(subject: Subject, board: Board, rank_at: RankAt) -> list[Check]:
    db.execute(FORGET_KEYS, using="proof")
    by_kind = _check_counted if board.is_counted else _check_ordered
    checks, sample = by_kind(subject, board)
    db.execute(FORGET_PLAYERS, using="proof")
    statement = TOP_OF_BESTS.literal(namespace=subject.namespace, board=board.number)
    db.execute(statement, using="proof", version=subject.version)
    return [*checks, top(subject, board, board.members), check_ranks(board, sample, rank_at)]


def _check_counted(subject: Subject, board: Board) -> tuple[list[Check], list[Sampled]]:
    """Compare the buckets' own counts with prefixes; name the players of one bucket."""
    statement = COUNT_STORED_BUCKETS.literal(namespace=subject.namespace, **subject.counted)
    db.execute(statement, using="proof", version=subject.version, buckets=subject.buckets)
    members = equal("members", totals_by_ledger().members, board.members)
    checks = [members, prefixes(subject, board, subject.buckets)]
    return checks, _players_of_a_bucket(subject)


def _check_ordered(subject: Subject, board: Board) -> tuple[list[Check], list[Sampled]]:
    """Look whether the prefixes are a chain; compare some buckets with the bests."""
    literals = {"namespace": subject.namespace, "board": board.number}
    asked = {
        "version": subject.version,
        "boundary_set": board.boundary_set,
        "members": board.members,
    }
    chain = DIFFERING_CHAIN.literal(**literals)
    checks = [compared("prefixes", buckets_of(subject, board), chain, **asked)]
    buckets = db.fetch_all(SomeBucket, SOME_BUCKETS.literal(**literals), using="proof", **asked)
    differing, sample = [], []
    for bucket in buckets:
        players, own = _players_of_range(subject, board, bucket)
        sample += own
        if players != bucket.players:
            told = (f"{players} players", f"{bucket.players} players")
            differing.append(Difference(f"bucket {bucket.bucket}", *told))
    checks.append(Check("counts", len(buckets), len(differing), differing[:MOST_NAMED]))
    return checks, sample


def _players_of_range(
    subject: Subject, board: Board, bucket: SomeBucket
) -> tuple[int, list[Sampled]]:
    """Return how many players the bests have in a bucket, and some of them with their ranks."""
    rows = db.fetch_all(
        lambda player_id, score, rank, players: (Sampled(player_id, score, rank), players),
        PLAYERS_OF_RANGE.literal(namespace=subject.namespace, board=board.number),
        using="proof",
        version=subject.version,
        **bucket.asked,
    )
    found = [sampled for sampled, _ in rows]
    chosen = random.sample(found, min(ASKED_OF_A_BUCKET, len(found)))
    return sum(players for _, players in rows), chosen


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
