"""What the steps of a demo share: the way to the server, the model, and what was sent."""

from collections.abc import Callable, Sequence
from random import Random
from time import monotonic, sleep

from leaderboard.management.season_demo.checks import Checks
from leaderboard.management.season_demo.client import Answer, Client, Json
from leaderboard.management.season_demo.feed import Feed
from leaderboard.management.season_demo.model import Board, Model
from leaderboard.management.season_demo.options import Options
from leaderboard.management.season_demo.reading import Sight
from leaderboard.management.season_demo.receipts import (
    Book,
    Expected,
    Receipt,
    Shown,
    check_receipts,
)
from leaderboard.management.season_demo.traffic import Event, Traffic

PROMISED = 5.0
PATIENCE = 60.0
POLL = 0.05
MOST_CHANGES = 1000


class CannotGoOn(Exception):
    """Something that the rest of the demo builds on did not happen; it is noted as a mismatch."""


class Stage:
    """A season that is played, as its match service and its readers know it."""

    traffic: Traffic

    def __init__(self, options: Options, client: Client, checks: Checks) -> None:
        """Begin with a season that is not there yet."""
        self.options, self.client, self.checks = options, client, checks
        self.slug = options.season
        self.random = Random(options.seed)  # noqa: S311 - repeatable on purpose
        self.model = Model()
        self.book = Book(self.model)
        self.feed = Feed(self.slug)
        self.final: Sight | None = None
        self.corrected: Sight | None = None
        self.written_at = monotonic()

    @property
    def final_sight(self) -> Sight:
        """The final version."""
        assert self.final is not None
        return self.final

    def public(self, what: str = "") -> str:
        """Return a public address of the season."""
        return f"/v1/seasons/{self.slug}{what}"

    def internal(self, what: str) -> str:
        """Return an address for services."""
        return f"/internal/v1/seasons/{self.slug}/{what}"

    def detail(self) -> Json:
        """Return the season's detail, and note its version."""
        answer = self.client.get(self.public())
        if answer.status != 200:
            self.checks.equal(f"status of {self.slug}", 200, answer.status)
            raise CannotGoOn
        self.book.newest = max(self.book.newest, answer.body["current_version"])
        return answer.body

    def until(self, condition: Callable[[Json], bool], what: str) -> tuple[Json, float]:
        """Return the season's detail once it is so, and how long that took."""
        began = monotonic()
        while not condition(detail := self.detail()):
            if monotonic() - began > PATIENCE:
                self.checks.holds(f"{what} within {PATIENCE:g} s", truth=False)
                raise CannotGoOn
            sleep(POLL)
        return detail, monotonic() - began

    def send(self, events: Sequence[Event]) -> list[Receipt | None]:
        """Send a batch of results, check every receipt, and return them."""
        expected, newest = self.book.expect(events), self.book.newest
        body = {"events": [event._asdict() for event in events]}
        answer = self.client.post(self.internal("scores:apply"), body)
        self.written_at = monotonic()
        found = answer.body.get("results", [])
        if not self.checks.equal("a batch", (200, len(events)), (answer.status, len(found))):
            return [None] * len(events)
        retried = answer.retried
        receipts = check_receipts(self.checks, expected, found, newest, retried=retried)
        for event, receipt in zip(events, receipts, strict=True):
            if receipt is not None:
                self.book.remember(event, receipt)
        return receipts

    def refused(self, events: Sequence[Event], code: str) -> None:
        """Send results that must be refused, alone or together, and change nothing."""
        bodies = [event._asdict() for event in events]
        body = bodies[0] if len(bodies) == 1 else {"events": bodies}
        answer = self.client.post(self.internal("scores:apply"), body)
        self.checks.equal(f"refusal of {len(events)} results", (409, code), answer.code)

    def settled(self) -> Sight:
        """Wait until all that was sent is on the board, and return that version."""
        due = self.book.due
        detail, _ = self.until(
            lambda season: season["current_version"] >= due, f"version {due} is published"
        )
        number, seconds = detail["current_version"], monotonic() - self.written_at
        self.checks.within(f"everything sent is in version {number}", seconds, PROMISED)
        return self.sight(number)

    def board(self) -> Board:
        """Return the board of everything sent so far."""
        return Board(self.model.scores())

    def sight(self, version: int) -> Sight:
        """Return a version that has this board."""
        corrects = None if self.final is None else self.final.version
        return Sight(self.slug, version, self.board(), corrects=corrects)

    def decided(self, answer: Answer, receipt: Receipt, *, moved: bool, kind: str) -> Receipt:
        """Check the receipt of a decision about a player, and return what was promised."""
        self.written_at = monotonic()
        self.checks.equal(f"status of {receipt.event_id}", 200, answer.status)
        (found,) = check_receipts(
            self.checks,
            [Expected(receipt, moved)],
            [answer.body],
            self.book.newest,
            retried=answer.retried,
        )
        return self.promised(found or receipt, kind)

    def promised(self, receipt: Receipt, kind: str, score_version: int | None = None) -> Receipt:
        """Note from which version on a receipt's event must show, as of which score version."""
        version = receipt.visible_in_version
        if version is not None:
            own = score_version or receipt.score_version
            self.book.shown[receipt.event_id] = Shown(kind, own, version)
        return receipt

    def follow(self) -> None:
        """Walk the feed to its end; what it folds to must be the board, everything in it."""
        before = len(self.feed.seen)
        while changes := self._changes():
            for change in changes:
                due = self.book.shown.get(change.get("event_id", ""))
                self.feed.take(self.checks, change, due)
        self.checks.equal("what the feed folds to", self.model.scores(), self.feed.scores)
        missing = self.book.shown.keys() - self.feed.seen
        self.checks.equal("events that the feed lacks", set(), missing)
        self.checks.saw(f"{len(self.feed.seen) - before:,} changes in the feed fold to the board")

    def _changes(self) -> list[Json]:
        query = {"after": self.feed.cursor, "limit": MOST_CHANGES}
        answer = self.client.get(self.internal("changes"), query)
        if not self.checks.equal("a page of changes", 200, answer.status):
            return []
        self.feed.cursor = answer.body.get("next")
        if not self.checks.holds("the feed leads on", self.feed.cursor is not None):
            return []
        return list(answer.body["changes"])
