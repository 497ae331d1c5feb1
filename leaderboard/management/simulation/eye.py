"""How a reader asks: notes what is under way, sorts replies by status, hands them on."""

from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from leaderboard.management.simulation.book import Book
from leaderboard.management.simulation.connection import Connection, Json, Reply, Unreachable
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.questions import Question, Seen
from leaderboard.management.simulation.stage import Stage
from leaderboard.management.simulation.tally import Tally

AWAY = {429, 502, 503, 504}
SETTLING = 3.0
RETIRED = "season_retired"


@dataclass(frozen=True, slots=True)
class Eye:
    """Asks about one season, as the reader of one number in its book."""

    number: int
    connection: Connection
    stage: Stage
    findings: Findings
    tally: Tally

    @property
    def book(self) -> Book:
        """The book of the season."""
        return self.stage.book

    def look(
        self, question: Question, label: str = "", headers: Json | None = None
    ) -> Reply | None:
        """Ask, hand the reply to the checker, and return it if its status is 200."""
        newest = self.book.begin_read(self.number, monotonic(), question.floor)
        try:
            reply = self.fetch(question, label, headers)
            if reply is not None:
                self._take(question, reply, newest)
        finally:
            self.book.end_read(self.number)
        return reply if reply is not None and reply.status == 200 else None

    def fetch(
        self, question: Question, label: str = "", headers: Json | None = None
    ) -> Reply | None:
        """Ask, and return the reply without judging it; None if the server is away."""
        method = "POST" if question.asked else "GET"
        body = {"player_ids": list(question.asked)} if question.asked else None
        try:
            reply = self.connection.ask(method, question.path, body, headers)
        except Unreachable:
            self.tally.count("connections lost")
            return None
        if reply.status in AWAY:
            self.tally.count(f"reads answered {reply.status}")
            return None
        self.tally.took(f"read: {label or question.kind}", reply.seconds)
        return reply

    def wrong(self, kind: str, question: Question, reply: Reply) -> None:
        """Report a reply that should not be."""
        self.findings.add(kind, f"{question.path} was answered {reply.in_words()}")

    def is_gone(self, reply: Reply) -> bool:
        """Return whether the season is over and gone, and count that."""
        is_over = self.stage.season.may_refuse(datetime.now(UTC))
        is_gone = is_over and reply.body.get("code") == RETIRED
        self.tally.count("reads answered season_retired", int(is_gone))
        return is_gone

    def _take(self, question: Question, reply: Reply, newest: int) -> None:
        code = reply.body.get("code")
        if reply.status == 200:
            self._take_board(question, reply)
        elif reply.status == 404 and question.player and code == "player_not_ranked":
            self._take_absence(question, reply, newest)
        elif code in {"version_expired", "version_unknown", "cursor_expired"}:
            self._take_gone(question, reply)
        elif self.is_gone(reply):
            return
        elif code == "not_published_yet" and question.min_version is not None:
            self.tally.count("reads answered not_published_yet")
        else:
            self.wrong("status", question, reply)

    def _take_board(self, question: Question, reply: Reply) -> None:
        version = reply.body.get("leaderboard_version")
        if not isinstance(version, int):
            self.wrong("shape", question, reply)
            return
        if question.pinned is None and question.held is None:
            self.book.saw(version, reply.sent, reply.arrived, _age(reply))
        bound = question.pinned if question.held is None else question.held
        if bound is not None and version != bound:
            kind = "cursor" if question.held is not None else "pinned_reply"
            text = f"{question.path}, of version {bound}, was answered version {version}"
            self.findings.add(kind, text)
        if question.min_version is not None and version < question.min_version:
            self.findings.add("min_version", f"{question.path} was answered version {version}")
        self._submit(question, reply, version)

    def _take_absence(self, question: Question, reply: Reply, newest: int) -> None:
        """Take a 404 about a player; it need not say of which version it is."""
        named = reply.body.get("leaderboard_version", question.pinned)
        if isinstance(named, int):
            self._submit(question, reply, named)
        else:
            self._submit(question, reply, max(newest, question.floor or 0), exact=False)

    def _take_gone(self, question: Question, reply: Reply) -> None:
        """Take a refusal of a version: right only after its retention, or while servers settle."""
        bound = question.pinned if question.held is None else question.held
        if bound is None:
            self.wrong("status", question, reply)
        elif reply.status == 404 and reply.sent < self._first_seen(bound) + SETTLING:
            self.tally.count("reads answered version_unknown")
        elif reply.sent < self.book.readable_until(bound):
            self.wrong("version_lost", question, reply)

    def _first_seen(self, version: int) -> float:
        with self.book.lock:
            return self.book.sightings.first_seen(version)

    def _submit(
        self, question: Question, reply: Reply, version: int, *, exact: bool = True
    ) -> None:
        times = (reply.sent, reply.arrived)
        self.stage.checker.submit(Seen(question, reply.status, reply.body, *times, version, exact))


def _age(reply: Reply) -> float | None:
    """Return how long ago everything was included that a reply has."""
    age = reply.body.get("age_seconds")
    return float(age) if isinstance(age, int | float) else None
