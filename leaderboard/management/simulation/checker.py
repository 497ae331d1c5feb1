"""Judges replies in order of version, each once everything that it may include is known."""

from collections import deque
from heapq import heappop, heappush
from itertools import count
from time import monotonic

from leaderboard.management.simulation.book import Book
from leaderboard.management.simulation.checks import Checks
from leaderboard.management.simulation.feed import Page
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.questions import Seen
from leaderboard.management.simulation.season import Season

LAG = 3.0
CROWDED = 3000


class Checker:
    """
    A queue of replies about one season, and what judges them one by one.

    The model only moves forward: it stays `LAG` seconds behind, so that reads may be pinned to
    versions of that time and two web processes may differ for a moment.
    """

    def __init__(
        self, book: Book, season: Season, friendships: Friendships, findings: Findings
    ) -> None:
        """Judge by this book."""
        self._book = book
        self._checks = Checks(season, book.model, book.timelines, friendships)
        self._findings = findings
        self._queue: list[tuple[int, int, Seen]] = []
        self._pages: deque[Page] = deque()
        self._numbers = count()
        self._as_of: dict[int, str] = {}
        self.judged = 0

    def submit(self, seen: Seen) -> None:
        """Take a reply, to be judged later."""
        with self._book.lock:
            heappush(self._queue, (seen.version, next(self._numbers), seen))

    def submit_page(self, page: Page) -> None:
        """Take a page of the changes feed."""
        with self._book.lock:
            self._pages.append(page)

    @property
    def crowded(self) -> bool:
        """Whether so much waits to be judged that readers should pause."""
        return len(self._queue) > CROWDED

    @property
    def waiting(self) -> int:
        """How many replies wait to be judged."""
        return len(self._queue) + len(self._pages)

    def step(self, lag: float) -> bool:
        """Judge one reply or page, if one can be judged; return whether."""
        with self._book.lock:
            return self._judge_page() or self._judge_reply(monotonic() - lag)

    def _judge_page(self) -> bool:
        if not self._pages or self._book.oldest_write() <= self._pages[0].arrived:
            return False
        self._findings.extend(self._book.read_feed(self._pages.popleft()))
        return True

    def _judge_reply(self, before: float) -> bool:
        if not self._queue:
            return False
        version, _, seen = self._queue[0]
        if self._book.oldest_write() <= seen.arrived:
            return False
        if not self._book.may_advance(version, before):
            return False
        heappop(self._queue)
        self.judged += 1
        if version < self._book.model.version:
            self._went_back(seen)
            return True
        self._book.model.advance(version)
        self._same_time(seen)
        self._findings.extend(self._checks.check(seen))
        return True

    def _went_back(self, seen: Seen) -> None:
        self._findings.add(
            "version_went_back",
            f"{seen.question.path} answered {seen.version}, after {self._book.model.version} was "
            f"seen more than {LAG:g} s before",
        )

    def _same_time(self, seen: Seen) -> None:
        """Compare `as_of` of pinned replies, which belongs to the version and never changes."""
        if seen.question.pinned is None or seen.status != 200:
            return
        as_of = self._as_of.setdefault(seen.version, seen.body.get("as_of", ""))
        if as_of != seen.body.get("as_of"):
            self._findings.add(
                "pinned_reply",
                f"as_of of version {seen.version} was {as_of}, and is {seen.body.get('as_of')}",
            )
