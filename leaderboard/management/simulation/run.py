"""A whole run: opening, threads at work, closing, report."""

import gc
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from random import Random
from threading import Event
from time import monotonic

from leaderboard.management.simulation.book import Book
from leaderboard.management.simulation.checker import Checker
from leaderboard.management.simulation.closing import (
    WALKED_WHOLE,
    await_visible,
    compare_whole,
    look_at_ranks,
    look_at_samples,
)
from leaderboard.management.simulation.connection import CannotRun, Connection
from leaderboard.management.simulation.crew import Crew
from leaderboard.management.simulation.delivery import Delivery
from leaderboard.management.simulation.eye import Eye
from leaderboard.management.simulation.findings import Findings
from leaderboard.management.simulation.follower import PAGE, Follower
from leaderboard.management.simulation.opening import (
    Board,
    read_board,
    seconds_left,
    settled_season,
)
from leaderboard.management.simulation.options import READERS, WRITERS, Options
from leaderboard.management.simulation.population import choose_players
from leaderboard.management.simulation.questions import Asker
from leaderboard.management.simulation.reader import Reader
from leaderboard.management.simulation.report import reads_of, table
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.tally import Tally
from leaderboard.management.simulation.traffic import Traffic
from leaderboard.management.simulation.walk import VersionGone
from leaderboard.management.simulation.writer import Writer

PROGRESS_EVERY = 10.0

Say = Callable[[str], None]


def simulate(options: Options, say: Say) -> int:
    """
    Run a match service and its players, say what was seen, and return the exit status.

    Raises CannotRun with one sentence when there is nothing to run against.
    """
    findings = Findings()
    with closing(Connection(options.base_url)) as connection:
        season = settled_season(connection, options.season)
        seconds = seconds_left(season, options.seconds)
        season, board = read_board(connection, season, findings, say)
    say(f"Season {season.season_id}: {len(board):,} players at version {season.version}.")
    with closing(Simulation(options, season, board, findings, say)) as simulation:
        del board
        simulation.catch_up()
        gc.freeze()  # A million rows that never die need not be searched for garbage.
        try:
            simulation.work(seconds)
        finally:
            gc.unfreeze()
        return simulation.report()


class Simulation:
    """The parts of a run, made for one season whose board was read."""

    def __init__(
        self, options: Options, season: Season, board: Board, findings: Findings, say: Say
    ) -> None:
        """Get everybody ready; nothing is sent yet."""
        self._options, self._season, self._findings, self._say = options, season, findings, say
        self._random = Random(options.seed)  # noqa: S311 - repeatable on purpose
        self._run_id = f"{Random().getrandbits(32):08x}"  # noqa: S311 - new names in each run
        self._tally = Tally()
        self._connections: list[Connection] = []
        self._book = Book(season.version, board, f"sim-{self._run_id}-", monotonic())
        self._checker = Checker(self._book, season.season_id, findings)
        self._asker = Asker(season.season_id)
        self._players = choose_players(board, options.players, self._run_id, self._random)
        self._everybody = [name for name, _ in board]
        self._follower = Follower(self._connect(), season.season_id, self._tally)
        self._ended, self._given_up = Event(), Event()
        self._writers, self._lookers, self._judges = (
            Crew(findings, self._ended) for _ in range(3)
        )
        self._seconds = 0.0

    def catch_up(self) -> None:
        """Pass over the changes that are in the feed already."""
        passed = 0
        while (count := self._follower.step(lambda _, __: None)) == PAGE:
            passed += count
            if passed % (100 * PAGE) == 0:
                self._say(f"  {passed:,} earlier changes passed")
        if self._follower.purged:
            self._say("The beginning of the changes feed is purged: the feed is not checked.")

    def work(self, seconds: float) -> None:
        """Write and read for so long, or until Ctrl-C or an end of the season."""
        began = monotonic()
        self._judges.start(self._checker.run)
        self._lookers.start(lambda stop: self._follower.run(stop, self._checker.submit_changes))
        for number in range(WRITERS):
            self._writers.start(self._writer(number))
        for number in range(READERS):
            reader = self._reader(number)
            self._lookers.start(partial(reader.run, rate=self._options.reads_per_second / READERS))
        self._lookers.start(self._reader(READERS).run_waiting)
        with suppress(KeyboardInterrupt):
            self._wait(began, seconds)
        self._seconds = monotonic() - began
        self._close()

    def close(self) -> None:
        """Close every connection."""
        for connection in self._connections:
            connection.close()

    def report(self) -> int:
        """Say how it was, and return the exit status."""
        if not self._tally.outcomes:
            self._findings.add("nothing_written", "no event was accepted")
        if not reads_of(self._tally):
            self._findings.add("nothing_read", "no reply could be read")
        for reason in {*self._writers.reasons, *self._lookers.reasons}:
            self._say(reason)
        delays = self._book.sightings.delays
        for line in table(
            self._tally, delays, self._findings, self._seconds, self._checker.judged
        ):
            self._say(line)
        return 1 if self._findings.counts else 0

    def _wait(self, began: float, seconds: float) -> None:
        while (left := began + seconds - monotonic()) > 0 and not self._ended.is_set():
            self._ended.wait(min(left, PROGRESS_EVERY))
            self._say(
                f"  {monotonic() - began:4.0f} s: {self._tally.counts['events']:,} events, "
                f"{reads_of(self._tally):,} reads, {self._checker.judged:,} replies checked, "
                f"{sum(self._findings.counts.values())} mismatches"
            )

    def _close(self) -> None:
        """Stop the writers, wait until all is visible, and compare what is there at the end."""
        if self._ended.is_set():
            self._given_up.set()
        self._writers.stop()
        connection = self._connect()
        try:
            version = await_visible(connection, self._asker, self._book, self._findings)
            self._lookers.stop()
            self._judges.stop()
            self._judge_rest(version)
            self._compare(connection, version)
        except (CannotRun, VersionGone) as reason:
            self._lookers.stop()
            self._judges.stop()
            self._findings.add("end_unreadable", f"{type(reason).__name__}: {reason}")

    def _judge_rest(self, version: int) -> None:
        """Judge what still waits, read the feed to its end, and move the model to the end."""
        while self._follower.step(self._checker.submit_changes):
            pass
        while self._checker.step(lag=0.0):
            pass
        if self._checker.waiting:
            self._say(f"{self._checker.waiting} replies could not be judged.")
            return
        if not self._follower.purged:
            self._findings.extend(self._book.feed.missing())
        self._book.model.advance(version)

    def _compare(self, connection: Connection, version: int) -> None:
        eye = self._eye(READERS)
        if len(self._book.model.standings) <= WALKED_WHOLE:
            compare_whole(connection, self._season.season_id, self._book.model, self._findings)
        else:
            look_at_samples(eye, self._asker, version, self._scores, self._random)
        look_at_ranks(eye, self._asker, version, self._random)
        while self._checker.step(lag=0.0):
            pass

    @property
    def _scores(self) -> tuple[int, int]:
        return self._season.score_min, self._season.score_max

    def _connect(self) -> Connection:
        return self._opened(Connection(self._options.base_url, self._options.token))

    def _opened(self, connection: Connection) -> Connection:
        self._connections.append(connection)
        return connection

    def _writer(self, number: int) -> Callable[[Event], None]:
        random = Random(self._random.getrandbits(64))  # noqa: S311 - repeatable on purpose
        traffic = Traffic(
            self._season,
            self._players[number::WRITERS],
            f"sim-{self._run_id}-{number}",
            self._options.largest_batch,
            random,
        )
        delivery = Delivery(self._connect, self._findings, self._tally, self._given_up)
        writer = Writer(number, traffic, delivery, self._book, self._tally)
        address = f"/internal/v1/seasons/{self._season.season_id}"
        return partial(
            writer.run,
            rate=self._options.rate / WRITERS,
            address=address,
            findings=self._findings,
        )

    def _reader(self, number: int) -> Reader:
        groups = ([name for name, _ in self._players], self._everybody)
        random = Random(self._random.getrandbits(64))  # noqa: S311 - repeatable on purpose
        return Reader(self._eye(number), self._asker, groups, self._scores, random)

    def _eye(self, number: int) -> Eye:
        connection = self._opened(Connection(self._options.base_url))
        return Eye(number, connection, self._book, self._checker, self._findings, self._tally)
