"""The end of a season's play: everything accepted is visible, in the feed once, and on a board."""

from collections.abc import Sequence
from random import Random
from time import monotonic, sleep

from leaderboard.management.simulation.connection import Connection
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.kit import Kit
from leaderboard.management.simulation.model import Board
from leaderboard.management.simulation.moves import SETTLED
from leaderboard.management.simulation.questions import Place
from leaderboard.management.simulation.rows import judge_score
from leaderboard.management.simulation.stage import Stage
from leaderboard.management.simulation.walk import VersionGone, ask_patiently, walk_board

PATIENCE = 30.0
POLL = 0.1
WALKED_WHOLE = 200_000
PAGES = 200
RANKS = 1000
RANKS_OF_REGION = 100
GROUP = 200
PAGE = 100
TOP = 100
# No reader has this number.
LAST_READER = 1000


def await_visible(connection: Connection, stage: Stage, findings: Findings) -> int:
    """Return the current version once it includes everything accepted, and the feed all moves."""
    book, deadline = stage.book, monotonic() + PATIENCE
    while True:
        reply = ask_patiently(connection, stage.asker.season())
        if reply.status == 410:
            raise VersionGone
        version = int(reply.body["current_version"])
        book.saw(version, reply.sent, reply.arrived)
        with book.lock:
            moves = len([*book.moves_due()])
        if version >= book.last_visible and not moves:
            return version
        if monotonic() > deadline:
            findings.add(
                "not_visible",
                f"{stage.season.season_id}: events are to be visible in version "
                f"{book.last_visible}, and {moves} moves, and {PATIENCE:g} s after the last one "
                f"the version is {version}",
            )
            return version
        sleep(POLL)


def judge_rest(stage: Stage, version: int, findings: Findings) -> bool:
    """Judge what waits, read the feed to its end, move the model on; return whether all was."""
    deadline = monotonic() + PATIENCE
    while True:
        while stage.follow():
            pass
        while stage.checker.step(lag=0.0):
            pass
        if not stage.checker.waiting or monotonic() > deadline:
            break
        # The feed must have been asked for some time after the last version was seen.
        sleep(SETTLED / 10)
    if stage.checker.waiting:
        return False
    if not stage.follower.purged:
        findings.extend(stage.book.feed.missing())
    stage.book.model.advance(version)
    return True


def compare(kit: Kit, connection: Connection, stage: Stage, *, ranks: int = RANKS) -> None:
    """Compare all boards of a season with the model, and look at many ranks one by one."""
    model, random = stage.book.model, kit.random
    eye = Eye(LAST_READER, connection, stage, kit.findings, kit.tally)
    for board in model.boards.values():
        if len(board.standings) <= WALKED_WHOLE:
            _compare_whole(connection, stage, board, kit.findings)
        else:
            _look_at_samples(eye, board, random)
    for board in model.boards.values():
        count = ranks if board.region is None else min(ranks, RANKS_OF_REGION)
        _look_at_ranks(eye, board, count, random)
    while stage.checker.step(lag=0.0):
        pass


def look_at_final(kit: Kit, connection: Connection, stage: Stage, version: int) -> None:
    """Look at the top of the final version by its name: it must be the one that was announced."""
    eye = Eye(LAST_READER, connection, stage, kit.findings, kit.tally)
    reply = eye.look(stage.asker.final_top(TOP, version), "last look")
    if reply is None or reply.body.get("final") is not True:
        text = f"{stage.season.season_id}: version {version} was announced as final"
        kit.findings.add("not_final", f"{text}, and is not")


def _compare_whole(connection: Connection, stage: Stage, board: Board, findings: Findings) -> None:
    """Walk a board at the model's version, and report every player who differs."""
    version = stage.book.model.version
    where = f"the last walk of {stage.season.season_id} {board.region or ''}, version {version}"
    rows = walk_board(
        connection,
        stage.season.season_id,
        version,
        lambda finding: findings.add(*finding),
        region=board.region,
    )
    shown = dict(rows)
    for player in shown.keys() | board.standings.scores.keys():
        if shown.get(player) != board.score(player):
            findings.add(*judge_score(player, shown.get(player), board, where))


def _look_at_samples(eye: Eye, board: Board, random: Random) -> None:
    """Look at pages at random places, and at everybody whose score was changed."""
    asker, version, region = eye.stage.asker, eye.book.model.version, board.region
    for _ in range(PAGES):
        place = Place("at_score", score=random.randint(*eye.stage.scores))
        eye.look(asker.page(PAGE, place, pinned=version, region=region), "last look")
    for names in _groups(board.changed_players()):
        eye.look(asker.lookup(tuple(names), pinned=version, region=region), "last look")


def _look_at_ranks(eye: Eye, board: Board, count: int, random: Random) -> None:
    """Look at the rank of many, one by one: half of those who were changed, half of all."""
    asker, version, region = eye.stage.asker, eye.book.model.version, board.region
    for names in (board.changed_players(), list(board.standings.scores)):
        for name in random.sample(names, min(count, len(names))):
            eye.look(asker.rank(name, pinned=version, region=region), "last look")


def _groups(names: Sequence[str]) -> list[Sequence[str]]:
    return [names[at : at + GROUP] for at in range(0, len(names), GROUP)]
