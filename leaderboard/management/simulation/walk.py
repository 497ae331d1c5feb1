"""A walk over a whole board at one version, page by page, checked on its way."""

from collections.abc import Callable, Iterator
from time import sleep

from leaderboard.management.simulation.connection import (
    CannotRun,
    Connection,
    Json,
    Reply,
    Unreachable,
)
from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.questions import Asker, Place, Question
from leaderboard.management.simulation.standings import Key, key_of

PAGE = 100
ATTEMPTS = 8
AWAY = {429, 500, 502, 503, 504}


class VersionGone(Exception):
    """The version expired while it was walked."""


class Order:
    """
    Checks that rows follow each other as display order, ranks and positions demand.

    After a wrong position it goes on from there, so that one gap is one finding.
    """

    def __init__(self) -> None:
        """Begin before the first row."""
        self.rows = 0
        self._place = 0
        self._last: Key | None = None
        self._rank = 0
        self._players: set[str] = set()

    def row(self, entry: Json) -> Iterator[Finding]:
        """Take the next row, and return what is wrong with it."""
        self.rows += 1
        self._place += 1
        key = key_of(entry["score"], entry["player_id"])
        where = f"walk, row {self.rows}, {key[1]} with {-key[0]}"
        if key[1] in self._players:
            yield Finding("duplicated_row", f"{where}: came before")
        elif self._last is not None and key <= self._last:
            yield Finding("window", f"{where}: comes after {self._last}")
        yield from self._numbers(entry, key, where)
        self._last = key
        self._players.add(key[1])

    def _numbers(self, entry: Json, key: Key, where: str) -> Iterator[Finding]:
        if entry["position"] != self._place:
            yield Finding("position", f"{where}: position {entry['position']}, is {self._place}")
            self._place = int(entry["position"] or self._place)
        if self._last is None or key[0] != self._last[0]:
            self._rank = self._place
        if entry["rank"] != self._rank:
            text = f"{where}: rank {entry['rank']}, is {self._rank}"
            yield Finding("rank", text)
            if entry["rank"] == self._place:
                yield Finding("tie_rank", text)


def walk_board(
    connection: Connection,
    season_id: str,
    version: int,
    report: Callable[[Finding], None],
    progress: Callable[[int, int], None] = lambda _, __: None,
    region: str | None = None,
) -> list[tuple[str, int]]:
    """
    Return (player, score) of a whole board in display order, and report what is wrong.

    Raises VersionGone when the version expires on the way.
    """
    order, found, asker = Order(), [], Asker(season_id)
    question: Question | None = asker.page(PAGE, Place(), pinned=version, region=region)
    total = 0
    while question is not None:
        body = _page(connection, question.path)
        total = body["total_players"]
        if body["leaderboard_version"] != version:
            report(Finding("cursor", f"walk of {version} led to {body['leaderboard_version']}"))
        for entry in body["entries"]:
            for finding in order.row(entry):
                report(finding)
            found.append((entry["player_id"], entry["score"]))
        progress(order.rows, total)
        cursor = body["next"] if body["entries"] else None
        question = cursor and asker.follow(PAGE, Place(), cursor, version, region)
    if order.rows != total:
        report(Finding("total", f"walk of {version}: {order.rows} rows, total_players {total}"))
    return found


def _page(connection: Connection, path: str) -> Json:
    reply = ask_patiently(connection, path)
    if reply.status == 410:
        raise VersionGone
    if reply.status != 200:
        raise CannotRun(f"The board cannot be read: {reply.in_words()}")
    return reply.body


def ask_patiently(connection: Connection, path: str, headers: Json | None = None) -> Reply:
    """Read, and try again for a while if the server is away."""
    for attempt in range(ATTEMPTS):
        try:
            reply = connection.ask("GET", path, headers=headers)
        except Unreachable:
            reply = None
        if reply is not None and reply.status not in AWAY:
            return reply
        sleep(min(2.0, 0.1 * 2**attempt))
    raise CannotRun(f"The server does not answer {path}.")
