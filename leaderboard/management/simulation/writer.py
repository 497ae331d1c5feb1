"""One thread of the match service: sends its requests at a rate and checks every receipt."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from threading import Event
from time import monotonic
from typing import Any

from leaderboard.management.simulation import late
from leaderboard.management.simulation.answers import (
    Outlook,
    after_contact,
    check_receipts,
    written_by,
)
from leaderboard.management.simulation.attempt import Attempt
from leaderboard.management.simulation.book import Written
from leaderboard.management.simulation.delivery import Answer, Letter, NothingMoreToWrite
from leaderboard.management.simulation.desk import Desk
from leaderboard.management.simulation.receipts import expect
from leaderboard.management.simulation.requests import (
    Part,
    Request,
    Route,
    Told,
    misplaced,
    part_of_season,
)
from leaderboard.management.simulation.routes import path_of, told_by_season
from leaderboard.management.simulation.season import Season

LONGEST_DEBT = 5.0
FATAL = {401, 403}
SEASON_OVER = {"season_final", "season_not_open"}
LABELS = {Route.RESULTS: "apply", Route.CORRECTION: "corrections", Route.LATE: "late"}


class Writer:
    """Writes about its own share of the players, one request at a time."""

    def __init__(self, desk: Desk) -> None:
        """Write the traffic of this desk."""
        self._desk, self._findings, self._tally = desk, desk.findings, desk.tally

    def run(self, stop: Event, rate: float, besides: Callable[[], None]) -> None:
        """
        Write `rate` events a second until told to stop, and do something besides after each.

        Raises NothingMoreToWrite when the season or the token has come to its end.
        """
        due = monotonic()
        while not stop.is_set():
            request = self._desk.traffic.next_request(
                self._desk.play.seasons, behind=due < monotonic()
            )
            stop.wait(max(0.0, due - monotonic()))
            due = max(due, monotonic() - LONGEST_DEBT) + len(request.items) / rate
            self.write(request)
            besides()
        self._desk.delivery.close()

    def write(self, request: Request) -> None:
        """Send one request, check its receipts and note what it did."""
        attempt = Attempt(self._desk.number, self._desk.play.roster.stages)
        answers = self._deliver(request)
        told = self._told(request, answers)
        if told is None:
            attempt.end()
            self._refused(request, answers)
            return
        retried = any(answer.retried for answer in answers)
        self._note(request, answers, told[0])
        if request.route is Route.LATE:
            self._follow_late(request, attempt, told[0][0], retried=retried)
        else:
            attempt.end(self._take(request, attempt, told, retried=retried))
            self._desk.traffic.remember(request, told[0])

    def _deliver(self, request: Request) -> list[Answer]:
        letter = Letter(path_of(request, self._desk.play.route.address), request.body())
        answers = self._desk.delivery.deliver(letter, twice=request.twice)
        if answers is None:
            text = f"{request.items[0].body} and others of its request"
            self._findings.add("write_unanswered", text)
            raise NothingMoreToWrite("The server no longer answers.")
        return answers

    def _told(self, request: Request, answers: list[Answer]) -> list[list[Told]] | None:
        """Return what each answer tells of each event, None if the request was refused."""
        told = []
        for answer in answers:
            found = self._told_by(request, answer)
            if found is None:
                return None
            told.append(found)
        return told

    def _told_by(self, request: Request, answer: Answer) -> list[Told] | None:
        if request.season is not None:
            return told_by_season(request, answer, request.season.season_id)
        return self._desk.play.route.told(request, answer)

    def _take(
        self,
        request: Request,
        attempt: Attempt,
        told: Sequence[Sequence[Told]],
        *,
        retried: bool,
    ) -> dict[str, list[Written]]:
        """Check the receipts of all seasons, and return what the request did in each."""
        in_series = self._desk.play.route.is_series and request.season is None
        if in_series:
            times = (attempt.sent_at, datetime.now(UTC))
            for copy in told:
                self._findings.extend(misplaced(request, attempt.seasons, copy, *times))
        written = {}
        for stage, newest in attempt.newest.items():
            season = stage.season
            if request.season is None or request.season == season:
                part = self._part(request, season, told)
                written[season.season_id] = self._judge(
                    season, part, newest, told, retried=retried
                )
        return written

    def _part(self, request: Request, season: Season, told: Sequence[Sequence[Told]]) -> Part:
        if request.season is not None:
            return part_of_season(request, season)
        return self._desk.play.route.part(request, season, told)

    def _judge(
        self,
        season: Season,
        part: Part,
        newest: int,
        told: Sequence[Sequence[Told]],
        *,
        retried: bool,
    ) -> list[Written]:
        """Check the receipts of one season, and return what the request did there."""
        if not part.items:
            return []
        names = {item.act.player_id for item in part.items}
        players = {name: self._desk.traffic.player(season.season_id, name) for name in names}
        regions = {name: season.board_of(self._desk.profiles.of(name).region) for name in names}
        after, expected = expect(part.items, players)
        outlook = Outlook(part.items, players, expected, newest, regions)
        receipts = [part.receipts(season.season_id, copy) for copy in told]
        self._findings.extend(check_receipts(outlook, receipts, retried=retried))
        after = after_contact(after, outlook, receipts[0])
        self._desk.traffic.settle(season.season_id, after)
        return written_by(outlook, after, receipts[0])

    def _follow_late(
        self, request: Request, attempt: Attempt, first: Told, *, retried: bool
    ) -> None:
        """
        Send a late result again, to the series, and learn from its receipts where it went.

        What the season to which it was moved made of it stands in no other reply.
        """
        goal = late.goes_to(request, attempt.seasons)
        self._findings.extend(late.judge_late(request, goal, first))
        again = late.again_to_series(request, first)
        answers = self._deliver(again)
        told = self._told(again, answers)
        if told is None:
            attempt.end()
            self._refused(again, answers)
            return
        if goal is not None:
            self._findings.extend(late.judge_replay(again, goal, told[0][0]))
        attempt.end(self._take(again, attempt, told, retried=retried or goal is not None))
        self._desk.traffic.remember(request, [{**told[0][0], **first}])

    def _refused(self, request: Request, answers: list[Answer]) -> None:
        for reply in (answer.reply for answer in answers):
            is_over = reply.body.get("code") in SEASON_OVER
            if request.route is Route.LATE and is_over:
                self._tally.count("late results after the end")
                return
            if reply.status in FATAL or is_over:
                raise NothingMoreToWrite(f"Events are refused: {reply.in_words()}")
            sent = str(request.body())[:300]
            text = f"{request.route.value} of {sent} was answered {reply.in_words()}"
            self._findings.add("status", text)

    def _note(self, request: Request, answers: list[Answer], told: Sequence[Told]) -> None:
        kind = "batch" if request.batch else LABELS[request.route]
        for answer in answers:
            self._tally.took(f"write: {kind}", answer.reply.seconds)
        self._tally.count("write requests", len(answers))
        self._tally.count("sent twice at once", int(request.twice))
        self._tally.count("events", len(request.items))
        self._tally.add_outcomes(
            [_outcome(receipt) for one in told for receipt in one.values() or ({},)]
        )


def _outcome(receipt: Mapping[str, Any]) -> str:
    outcome = str(receipt.get("outcome", "conflict"))
    return f"{outcome}, replayed" if receipt.get("replayed") else outcome
