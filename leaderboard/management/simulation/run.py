"""A whole run: opening, threads at work, closing, report."""

import gc
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from random import Random
from threading import Event
from time import monotonic

from leaderboard.management.simulation.cast import play_season, play_series, writer_of
from leaderboard.management.simulation.checker import LAG
from leaderboard.management.simulation.closing import await_visible, compare, judge_rest
from leaderboard.management.simulation.connection import CannotRun, Connection
from leaderboard.management.simulation.crew import Crew
from leaderboard.management.simulation.follower import PAGE
from leaderboard.management.simulation.kit import Kit
from leaderboard.management.simulation.opening import seconds_left, settled_season
from leaderboard.management.simulation.options import READERS, WRITERS, Options
from leaderboard.management.simulation.play import Play
from leaderboard.management.simulation.report import Course, reads_of, table
from leaderboard.management.simulation.stage import Stage
from leaderboard.management.simulation.steward import Steward
from leaderboard.management.simulation.visitor import Visitor
from leaderboard.management.simulation.walk import VersionGone

PROGRESS_EVERY = 10.0
JUDGE_PAUSE = 0.02
FEED_PAUSE = 0.5
# A season that takes results for less time may be gone before it is compared.
AT_LEAST = timedelta(seconds=20)

Say = Callable[[str], None]


def simulate(options: Options, say: Say) -> int:
    """
    Run a match service and its players, say what was seen, and return the exit status.

    Raises CannotRun with one sentence when there is nothing to run against.
    """
    run_id = f"{Random().getrandbits(32):08x}"  # noqa: S311 - new names in each run
    with closing(Kit(options, say, run_id)) as kit:
        season = settled_season(kit.connect(), options.season)
        seconds = seconds_left(season, options.seconds)
        plays, stewards = [play_season(kit, season)], []
        if options.series:
            play, steward = play_series(kit, options.series)
            plays.append(play)
            stewards.append(steward)
        simulation = Simulation(kit, plays, stewards)
        gc.freeze()  # A million rows that never die need not be searched for garbage.
        try:
            simulation.work(seconds)
        finally:
            gc.unfreeze()
        return simulation.report()


class Simulation:
    """The threads of a run, and what becomes of it."""

    def __init__(self, kit: Kit, plays: Sequence[Play], stewards: Sequence[Steward]) -> None:
        """Get everybody ready; nothing is sent yet."""
        self._kit, self._plays, self._stewards = kit, plays, stewards
        self._ended, self._given_up = Event(), Event()
        self._writers, self._keepers, self._lookers, self._judges = (
            Crew(kit.findings, self._ended) for _ in range(4)
        )
        self._seconds = 0.0

    def work(self, seconds: float) -> None:
        """Write and read for so long, or until Ctrl-C or an end of the season."""
        began = monotonic()
        self._judges.start(self._judge)
        self._lookers.start(self._follow)
        for steward in self._stewards:
            self._keepers.start(steward.run)
        for play in self._plays:
            for number in range(WRITERS):
                self._writers.start(writer_of(self._kit, play, number, self._given_up))
        rate = self._kit.options.reads_per_second / READERS
        for number in range(READERS):
            self._lookers.start(partial(self._visitor(number).run, rate=rate))
        self._lookers.start(self._visitor(READERS).run_waiting)
        with suppress(KeyboardInterrupt):
            self._wait(began, seconds)
        self._seconds = monotonic() - began
        self._close()

    def report(self) -> int:
        """Say how it was, and return the exit status."""
        kit = self._kit
        if not kit.tally.outcomes:
            kit.findings.add("nothing_written", "no event was accepted")
        if not reads_of(kit.tally):
            kit.findings.add("nothing_read", "no reply could be read")
        for reason in sorted(
            {*self._writers.reasons, *self._keepers.reasons, *self._lookers.reasons}
        ):
            kit.say(reason)
        delays = [delay for play in self._plays for delay in play.roster.delays]
        played = [name for play in self._plays for name in play.roster.played]
        course = Course(self._seconds, self._judged, played)
        for line in table(course, kit.tally, delays, kit.findings):
            kit.say(line)
        return 1 if kit.findings.counts else 0

    @property
    def _judged(self) -> int:
        return sum(play.roster.judged for play in self._plays)

    @property
    def _stages(self) -> list[Stage]:
        return [stage for play in self._plays for stage in play.roster.stages]

    def _judge(self, stop: Event) -> None:
        """Judge the replies of all seasons until told to stop."""
        while not stop.is_set():
            if not sum(stage.checker.step(LAG) for stage in self._stages):
                stop.wait(JUDGE_PAUSE)

    def _follow(self, stop: Event) -> None:
        """Follow the feeds of all seasons until told to stop."""
        while not stop.is_set():
            if not sum(stage.follow() == PAGE for stage in self._stages):
                stop.wait(FEED_PAUSE)

    def _visitor(self, number: int) -> Visitor:
        kit = self._kit
        connection = kit.connect(as_service=False)
        return Visitor(number, self._plays, connection, kit.ears, kit.chance())

    def _wait(self, began: float, seconds: float) -> None:
        while (left := began + seconds - monotonic()) > 0 and not self._ended.is_set():
            self._ended.wait(min(left, PROGRESS_EVERY))
            self._kit.say(
                f"  {monotonic() - began:4.0f} s: {self._kit.tally.counts['events']:,} events, "
                f"{reads_of(self._kit.tally):,} reads, {self._judged:,} replies checked, "
                f"{sum(self._kit.findings.counts.values())} mismatches"
            )

    def _close(self) -> None:
        """Stop the writers, wait until all is visible, and compare what is there at the end."""
        if self._ended.is_set():
            self._given_up.set()
        self._writers.stop()
        self._keepers.stop()
        connection = self._kit.connect()
        versions: dict[Stage, int] = {}
        try:
            for stage in self._to_compare():
                versions[stage] = await_visible(connection, stage, self._kit.findings)
        except (CannotRun, VersionGone) as reason:
            self._unreadable(reason)
        self._lookers.stop()
        self._judges.stop()
        for stage, version in versions.items():
            self._compare(connection, stage, version)

    def _to_compare(self) -> list[Stage]:
        """Return the seasons that have begun, and cannot be final and gone before long."""
        now = datetime.now(UTC)
        stages = [stage for play in self._plays for stage in play.roster.begun(now)]
        return [stage for stage in stages if not stage.season.may_refuse(now + AT_LEAST)]

    def _compare(self, connection: Connection, stage: Stage, version: int) -> None:
        try:
            if judge_rest(stage, version, self._kit.findings):
                compare(self._kit, connection, stage)
            else:
                waiting = stage.checker.waiting
                self._kit.say(f"{stage.season.season_id}: {waiting} replies could not be judged.")
        except (CannotRun, VersionGone) as reason:
            self._unreadable(reason)

    def _unreadable(self, reason: Exception) -> None:
        self._kit.findings.add("end_unreadable", f"{type(reason).__name__}: {reason}")
