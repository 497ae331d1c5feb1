"""Visits of players who look at one season, as different kinds of visitors make them."""

from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from time import monotonic

from leaderboard.management.simulation.connection import Json, Reply
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.questions import Place, Question
from leaderboard.management.simulation.standings import key_of

SIZES = (1, 2, 10, 50, 100)
RADII = (1, 5, 10, 10, 50)
GROUPS = (1, 2, 20, 199)
RANGES = (1, 2, 20, 20, 200)
BAD_NUMBERS = ("0", "-1", "abc", "1.5", "007", "101", "9" * 30, "", "%201")
STEPS = 4
REMEMBERED = 50
MARGIN = 5.0
REGIONAL, OWN_REGION = 0.5, 0.7
UNKNOWN_REGION = "XX"


class Reader:
    """Asks about the players of two groups: those who take part, and all of the board."""

    def __init__(
        self,
        eye: Eye,
        groups: Sequence[Sequence[str]],
        friendships: Friendships,
        random: Random,
    ) -> None:
        """Ask by this eye."""
        self._eye, self._asker, self._random = eye, eye.stage.asker, random
        self._groups, self._friendships = [group for group in groups if group], friendships
        self._tags: deque[tuple[Question, str]] = deque(maxlen=REMEMBERED)
        self._pinned: deque[tuple[Question, Json]] = deque(maxlen=REMEMBERED)
        self._visits: dict[Callable[[], None], int] = {
            self.top: 10,
            self.rank: 24,
            self.fresh_rank: 6,
            self.neighbors: 15,
            self.pages: 4,
            self.lookup: 8,
            self.friends: 6,
            self.rank_of: 4,
            self.distribution: 3,
            self.pinned: 10,
            self.pinned_again: 3,
            self.unchanged: 3,
            self.unknown: 2,
            self.unknown_region: 1,
            self.bad_number: 2,
        }

    def visit(self) -> None:
        """Make one visit of a random kind."""
        self._random.choices(list(self._visits), list(self._visits.values()))[0]()

    def top(self) -> None:
        """Look at the top list."""
        self._look(self._asker.top(self._random.choice(SIZES), region=self._region()))

    def rank(self) -> None:
        """Look at somebody's rank."""
        name = self._name()
        self._look(self._asker.rank(name, region=self._region(name)))

    def fresh_rank(self) -> None:
        """Look at the rank of somebody whose result was just accepted, published or not."""
        change = self._eye.book.recent_change(self._random)
        if change is not None:
            self._look(self._asker.rank(change[0], region=self._region(change[0])))

    def neighbors(self) -> None:
        """Look at the rows around somebody."""
        name, radius = self._name(), self._random.choice(RADII)
        self._look(self._asker.neighbors(name, radius, region=self._region(name)))

    def lookup(self) -> None:
        """Look several players up."""
        names = {self._name() for _ in range(self._random.choice(GROUPS))} | {"nobody-at-all"}
        self._eye.look(self._asker.lookup(tuple(names), region=self._region()))

    def friends(self) -> None:
        """Look at somebody among friends, whose list may just be changing."""
        name = self._friendships.somebody(self._random)
        if name is not None:
            self._look(self._asker.friends(name, region=self._region(name)))

    def rank_of(self) -> None:
        """Look where a score would stand."""
        self._look(self._asker.rank_of(self._score(), region=self._region()))

    def distribution(self) -> None:
        """Look how the players are spread."""
        size = self._random.choice(RANGES)
        self._look(self._asker.distribution(size, region=self._region()))

    def own_rank(self) -> None:
        """Look at the rank of somebody whose result was just accepted, in its version or later."""
        change = self._eye.book.recent_change(self._random)
        if change is not None:
            question = self._asker.rank(change[0], min_version=change[1])
            self._eye.look(question, "rank, min_version", {"Prefer": "wait=5"})

    def pinned(self) -> None:
        """Look at a version of the last seconds."""
        eye, random, name = self._eye, self._random, self._name()
        version = eye.book.begin_pinned_read(eye.number, monotonic(), random)
        region = self._region(name)
        place = Place("at_score", score=self._score())
        question = random.choice(
            (
                self._asker.top(100, pinned=version, region=region),
                self._asker.rank(name, pinned=version, region=region),
                self._asker.neighbors(name, 10, pinned=version, region=region),
                self._asker.page(100, place, pinned=version, region=region),
                self._asker.rank_of(self._score(), pinned=version, region=region),
                self._asker.distribution(20, pinned=version, region=region),
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
        if reply is None or self._eye.is_gone(reply):
            return
        if reply.status != 200:
            self._eye.wrong("version_lost", question, reply)
        elif reply.body != before:
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
        name, region = f"nobody-{self._random.randrange(10**9)}", self._region()
        questions = (
            self._asker.rank(name, region=region),
            self._asker.neighbors(name, 10, region=region),
        )
        self._look(self._random.choice(questions))

    def unknown_region(self) -> None:
        """Ask for the board of a region that there is not."""
        self._refused(self._asker.top(7, region=UNKNOWN_REGION), 404, "region_not_found")

    def bad_number(self) -> None:
        """Ask for a number of rows that there is not."""
        bad = self._random.choice(BAD_NUMBERS)
        routes = (self._asker.top(7), self._asker.page(7, Place()), self._asker.neighbors("x", 7))
        path = self._random.choice(routes).path.replace("=7", f"={bad}")
        self._refused(Question("bad number", path), 400, "invalid_parameter")

    def _refused(self, question: Question, status: int, code: str) -> None:
        reply = self._eye.fetch(question, "refused")
        if reply is None or self._eye.is_gone(reply):
            return
        if (reply.status, reply.body.get("code")) != (status, code):
            self._eye.wrong("status", question, reply)

    def pages(self) -> None:
        """Leaf through pages, forth and back."""
        size, name = self._random.choice(SIZES), self._name()
        place = self._random.choice(
            (Place(), Place("around", player=name), Place("at_score", score=self._score()))
        )
        region = self._region(name)
        reply = self._look(self._asker.page(size, place, region=region))
        for _ in range(STEPS):
            if reply is None or not reply.body.get("entries"):
                return
            reply = self._leaf(reply.body, size, region, counted=place.side == "start")

    def _leaf(self, body: Json, size: int, region: str | None, *, counted: bool) -> Reply | None:
        forward = self._random.random() < 0.6
        cursor = body.get("next" if forward else "previous")
        if cursor is None:
            return None
        row = body["entries"][-1 if forward else 0]
        key = key_of(row["score"], row["player_id"])
        place = Place("after" if forward else "before", key=key, counted=counted)
        version = body["leaderboard_version"]
        question = self._asker.follow(size, place, cursor, version, region)
        return self._eye.look(question, "page by cursor")

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
        return self._random.randint(*self._eye.stage.scores)

    def _region(self, player: str | None = None) -> str | None:
        """Return whose board to ask for: often the player's own, sometimes another region's."""
        regions = self._eye.stage.season.regions
        if not regions or self._random.random() > REGIONAL:
            return None
        own = None if player is None else self._eye.book.model.region_of(player)
        if own is not None and self._random.random() < OWN_REGION:
            return own
        return self._random.choice(regions)
