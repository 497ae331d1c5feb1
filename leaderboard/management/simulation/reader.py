"""One thread of players who look: asks at a rate, as different kinds of visitors do."""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from threading import Event
from time import monotonic

from leaderboard.management.simulation.connection import Json, Reply
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.questions import Asker, Place, Question
from leaderboard.management.simulation.standings import key_of

SIZES = (1, 2, 10, 50, 100)
RADII = (1, 5, 10, 10, 50)
GROUPS = (1, 2, 20, 199)
BAD_NUMBERS = ("0", "-1", "abc", "1.5", "007", "101", "9" * 30, "", "%201")
LONGEST_DEBT = 5.0
WAITING_RATE = 5.0
CROWD_PAUSE = 0.2
STEPS = 4
REMEMBERED = 50
MARGIN = 5.0


class Reader:
    """Asks about the players of two groups: those who take part, and all of the board."""

    def __init__(
        self,
        eye: Eye,
        asker: Asker,
        groups: Sequence[Sequence[str]],
        scores: tuple[int, int],
        random: Random,
    ) -> None:
        """Ask by this eye; scores lie between the two."""
        self._eye, self._asker, self._random = eye, asker, random
        self._groups, self._scores = [group for group in groups if group], scores
        self._tags: deque[tuple[Question, str]] = deque(maxlen=REMEMBERED)
        self._pinned: deque[tuple[Question, Json]] = deque(maxlen=REMEMBERED)
        self._visits: dict[Callable[[], None], int] = {
            self.top: 10,
            self.rank: 24,
            self.fresh_rank: 6,
            self.neighbors: 15,
            self.pages: 4,
            self.lookup: 8,
            self.pinned: 10,
            self.pinned_again: 3,
            self.unchanged: 3,
            self.unknown: 2,
            self.bad_number: 2,
        }

    def run(self, stop: Event, rate: float) -> None:
        """Visit `rate` times a second until told to stop."""
        self._at_rate(stop, rate, self.visit)

    def run_waiting(self, stop: Event) -> None:
        """Look at accepted results as soon as they are published, until told to stop."""
        self._at_rate(stop, WAITING_RATE, self.own_rank)

    def _at_rate(self, stop: Event, rate: float, visit: Callable[[], None]) -> None:
        due = monotonic()
        while not stop.is_set():
            stop.wait(max(0.0, due - monotonic()))
            due = max(due, monotonic() - LONGEST_DEBT) + 1 / rate
            if self._eye.checker.crowded:
                stop.wait(CROWD_PAUSE)
            else:
                visit()
        self._eye.connection.close()

    def visit(self) -> None:
        """Make one visit of a random kind."""
        self._random.choices(list(self._visits), list(self._visits.values()))[0]()

    def top(self) -> None:
        """Look at the top list."""
        self._look(self._asker.top(self._random.choice(SIZES)))

    def rank(self) -> None:
        """Look at somebody's rank."""
        self._look(self._asker.rank(self._name()))

    def fresh_rank(self) -> None:
        """Look at the rank of somebody whose result was just accepted, published or not."""
        change = self._eye.book.recent_change(self._random)
        if change is not None:
            self._look(self._asker.rank(change[0]))

    def neighbors(self) -> None:
        """Look at the rows around somebody."""
        self._look(self._asker.neighbors(self._name(), self._random.choice(RADII)))

    def lookup(self) -> None:
        """Look several players up."""
        names = {self._name() for _ in range(self._random.choice(GROUPS))} | {"nobody-at-all"}
        self._eye.look(self._asker.lookup(tuple(names)))

    def own_rank(self) -> None:
        """Look at the rank of somebody whose result was just accepted, in its version or later."""
        change = self._eye.book.recent_change(self._random)
        if change is not None:
            question = self._asker.rank(change[0], min_version=change[1])
            self._eye.look(question, "rank, min_version", {"Prefer": "wait=5"})

    def pinned(self) -> None:
        """Look at a version of the last seconds."""
        eye, random = self._eye, self._random
        version = eye.book.begin_pinned_read(eye.number, monotonic(), random)
        question = random.choice(
            (
                self._asker.top(100, pinned=version),
                self._asker.rank(self._name(), pinned=version),
                self._asker.neighbors(self._name(), 10, pinned=version),
                self._asker.page(100, Place("at_score", score=self._score()), pinned=version),
            )
        )
        reply = eye.look(question, "pinned")
        if reply is not None:
            self._pinned.append((question, reply.body))

    def pinned_again(self) -> None:
        """Look at an older version again, whose reply must not have changed."""
        if not self._pinned:
            return
        question, before = self._random.choice(self._pinned)
        assert question.pinned is not None
        if monotonic() > self._eye.book.readable_until(question.pinned) - MARGIN:
            self._pinned.remove((question, before))
            return
        reply = self._eye.fetch(question, "pinned")
        if reply is not None and reply.status != 200:
            self._eye.wrong("version_lost", question, reply)
        elif reply is not None and reply.body != before:
            self._eye.wrong("pinned_reply", question, reply)

    def unchanged(self) -> None:
        """Look again with the ETag of a reply: 304, or a reply with another tag."""
        if not self._tags:
            return
        question, tag = self._tags.pop()
        reply = self._eye.fetch(question, "if none match", {"If-None-Match": tag})
        if reply is None:
            return
        if reply.status == 304:
            self._eye.tally.count("reads answered 304")
        elif reply.status == 200 and reply.headers.get("ETag") == tag:
            self._eye.wrong("status", question, reply)

    def unknown(self) -> None:
        """Look for somebody who never played."""
        name = f"nobody-{self._random.randrange(10**9)}"
        self._look(self._random.choice((self._asker.rank(name), self._asker.neighbors(name, 10))))

    def bad_number(self) -> None:
        """Ask for a number of rows that there is not."""
        bad = self._random.choice(BAD_NUMBERS)
        routes = (self._asker.top(7), self._asker.page(7, Place()), self._asker.neighbors("x", 7))
        question = self._random.choice(routes)
        question = Question("bad number", question.path.replace("=7", f"={bad}"))
        reply = self._eye.fetch(question)
        if reply is not None and (reply.status, reply.body.get("code")) != (
            400,
            "invalid_parameter",
        ):
            self._eye.wrong("status", question, reply)

    def pages(self) -> None:
        """Leaf through pages, forth and back."""
        size = self._random.choice(SIZES)
        place = self._random.choice(
            (
                Place(),
                Place("around", player=self._name()),
                Place("at_score", score=self._score()),
            )
        )
        reply = self._look(self._asker.page(size, place))
        for _ in range(STEPS):
            if reply is None or not reply.body.get("entries"):
                return
            reply = self._leaf(reply.body, size, counted=place.side == "start")

    def _leaf(self, body: Json, size: int, *, counted: bool) -> Reply | None:
        forward = self._random.random() < 0.6
        cursor = body.get("next" if forward else "previous")
        if cursor is None:
            return None
        row = body["entries"][-1 if forward else 0]
        key = key_of(row["score"], row["player_id"])
        place = Place("after" if forward else "before", key=key, counted=counted)
        version = body["leaderboard_version"]
        return self._eye.look(self._asker.follow(size, place, cursor, version), "page by cursor")

    def _look(self, question: Question) -> Reply | None:
        """Look, and keep the tag of the reply to ask with it again."""
        reply = self._eye.look(question)
        if reply is not None:
            tag = reply.headers.get("ETag")
            if tag is None:
                self._eye.findings.add("shape", f"{question.path} has no ETag")
            else:
                self._tags.append((question, tag))
        return reply

    def _name(self) -> str:
        group = self._random.choice(self._groups)
        return group[int(len(group) * self._random.random() ** 2)]

    def _score(self) -> int:
        return self._random.randint(*self._scores)
