"""The whole proof: one pass over the ledger to fold it, one to hash it, one over the bests."""

from concurrent.futures import ThreadPoolExecutor

from config import db
from leaderboard.proof.beside import check_beside
from leaderboard.proof.board import (
    ANALYZE_WORK,
    Totals,
    check_board,
    check_ranks,
    count_keys,
    sampled_players,
)
from leaderboard.proof.findings import (
    BucketCount,
    Check,
    Proof,
    compared,
    merged,
    on_board,
)
from leaderboard.proof.session import Clock, Say, Session
from leaderboard.proof.subject import Board, RankAt, Subject

CREATE_WORK = db.statement(__file__, "create_work")
FOLD_LEDGER = db.statement(__file__, "fold_ledger")
FOLD_LEDGER_BY_STEP = db.statement(__file__, "fold_ledger_by_step")
ASK_CORRECTED = db.statement(__file__, "ask_corrected")
FOLD_CORRECTED = db.statement(__file__, "fold_corrected")
UNSOUND_PLAYERS = db.statement(__file__, "unsound_players")
FORGET_ASKED = db.statement(__file__, "forget_asked")
ASK_SUSPECTS = db.statement(__file__, "ask_suspects")
DIFFERING_BESTS = db.statement(__file__, "differing_bests")


def prove(subject: Subject, rank_at: RankAt, say: Say | None = None) -> Proof:
    """
    Recompute a version from the ledger and compare everything that is stored of it.

    `rank_at` asks the read statement for a player's rank at this version, None if the version
    is gone. The rows are hashed in a second session at the same time. No statement needs the
    snapshot of another one: the ledger up to a version never changes, and bests are compared
    with what changed since by one statement. Somebody must hold a lease on the version.
    """
    clock, session = Clock(say), Session()
    with ThreadPoolExecutor(max_workers=1) as pool:
        beside = pool.submit(check_beside, subject, session, clock)
        try:
            with Session().opened(work_tables(subject)):
                players, checks = _fold(subject, clock)
                checks += _check_bests(subject, players, clock)
                totals = _count(subject, subject.boards[0], clock)
                found = beside.result()
                checks += _check_boards(subject, totals, found.bests, rank_at, clock)
        except BaseException:
            session.interrupt(beside)
            raise
    told = {
        "players": players,
        "members": totals.members,
        "score_sum": totals.score_sum,
        "hash": str(totals.hash),
    }
    return Proof([*found.checks, *checks], clock.phases, told)


def work_tables(subject: Subject) -> db.Statement:
    """Return what makes the work tables, with the fold of a player by the season's rules."""
    return CREATE_WORK.literal(namespace=subject.ledger_namespace, **subject.rules)


def unsound_players(subject: Subject, players: int) -> Check:
    """Compare the changes of the folded players, each with the one before and with the fold."""
    return compared(
        "chain",
        players,
        UNSOUND_PLAYERS.literal(**subject.rules),
        ledger_namespace=subject.ledger_namespace,
        version=subject.version,
    )


def _fold(subject: Subject, clock: Clock) -> tuple[int, list[Check]]:
    fold = FOLD_LEDGER if subject.is_plain else FOLD_LEDGER_BY_STEP.literal(**subject.rules)
    with clock.phase("fold the ledger"):
        players = db.execute(
            fold,
            using="proof",
            ledger_namespace=subject.ledger_namespace,
            version=subject.version,
        )
    with clock.phase("fold corrected players"):
        db.execute(ASK_CORRECTED, using="proof", version=subject.version)
        db.run_script(ANALYZE_WORK, using="proof")
        db.execute(FOLD_CORRECTED, using="proof")
        return players, [unsound_players(subject, players)]


def _check_bests(subject: Subject, players: int, clock: Clock) -> list[Check]:
    namespace, version = subject.namespace, subject.version
    with clock.phase("compare the bests"):
        db.execute(FORGET_ASKED, using="proof")
        suspects = ASK_SUSPECTS.literal(namespace=namespace)
        db.execute(suspects, using="proof", until=subject.until)
        db.run_script(ANALYZE_WORK, using="proof")
        statement = DIFFERING_BESTS.literal(namespace=namespace)
        return [compared("bests", players, statement, version=version)]


def _count(subject: Subject, board: Board, clock: Clock) -> Totals:
    with clock.phase(f"count the scores{board.named}"):
        return count_keys(subject, board)


def _check_boards(
    subject: Subject,
    totals: Totals,
    bests: list[list[BucketCount]],
    rank_at: RankAt,
    clock: Clock,
) -> list[Check]:
    """Compare each board with its keys; those of the global board are counted already."""
    checks: list[Check] = []
    for board, counts in zip(subject.boards, bests, strict=True):
        if board.number:
            totals = _count(subject, board, clock)
        found = check_board(subject, board, totals, counts, clock)
        with clock.phase(f"ask for ranks{board.named}"):
            found.append(check_ranks(board, sampled_players(board, totals.members), rank_at))
        checks += on_board(board.name, found)
    return merged(checks)
