"""The end of a run: everything accepted is visible, in the feed once, and on the board."""

from collections.abc import Sequence
from random import Random
from time import monotonic, sleep

from leaderboard.management.simulation.book import Book
from leaderboard.management.simulation.connection import Connection
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.model import Model
from leaderboard.management.simulation.questions import Asker, Place
from leaderboard.management.simulation.rows import judge_score
from leaderboard.management.simulation.walk import ask_patiently, walk_board

PATIENCE = 30.0
POLL = 0.1
WALKED_WHOLE = 200_000
PAGES = 200
RANKS = 1000
GROUP = 200
PAGE = 100


def await_visible(connection: Connection, asker: Asker, book: Book, findings: Findings) -> int:
    """Return the current version once it includes everything accepted."""
    deadline = monotonic() + PATIENCE
    while True:
        reply = ask_patiently(connection, asker.season())
        version = int(reply.body["current_version"])
        book.saw(version, reply.sent, reply.arrived)
        if version >= book.last_visible:
            return version
        if monotonic() > deadline:
            findings.add(
                "not_visible",
                f"events are to be visible in version {book.last_visible}, and {PATIENCE:g} s "
                f"after the last one the version is {version}",
            )
            return version
        sleep(POLL)


def compare_whole(
    connection: Connection, season_id: str, model: Model, findings: Findings
) -> None:
    """Walk the board at the model's version, and report every player who differs."""
    where = f"the last walk, version {model.version}"
    board = walk_board(
        connection,
        season_id,
        model.version,
        lambda finding: findings.add(*finding),
        lambda _, __: None,
    )
    shown = dict(board)
    for player in shown.keys() | model.standings.scores.keys():
        if shown.get(player) != model.score(player):
            findings.add(*judge_score(player, shown.get(player), model, where))


def look_at_samples(
    eye: Eye, asker: Asker, version: int, scores: tuple[int, int], random: Random
) -> None:
    """Look at pages at random places, and at everybody whose score was changed."""
    for _ in range(PAGES):
        place = Place("at_score", score=random.randint(*scores))
        eye.look(asker.page(PAGE, place, pinned=version), "last look")
    for names in _groups(eye.book.model.changed_players()):
        eye.look(asker.lookup(tuple(names), pinned=version), "last look")


def look_at_ranks(eye: Eye, asker: Asker, version: int, random: Random) -> None:
    """Look at the rank of many, one by one: half of those who were changed, half of all."""
    model = eye.book.model
    for names in (model.changed_players(), list(model.standings.scores)):
        for name in random.sample(names, min(RANKS, len(names))):
            eye.look(asker.rank(name, pinned=version), "last look")


def _groups(names: Sequence[str]) -> list[Sequence[str]]:
    return [names[at : at + GROUP] for at in range(0, len(names), GROUP)]
