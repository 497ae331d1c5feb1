"""
A series of any kind under a clock that goes on by days, beside its model.

Windows open, close, follow each other, become final and are dropped; results for the series,
and late ones for one season, go where the model says. It is noon at all times (tests.series):
the clock goes on as all that was made is put so many days back.
"""

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from config.errors import SeasonFinal, SeasonNotOpen, SeasonRetired
from leaderboard.operations import (
    finalize_season,
    make_windows,
    seal_and_publish,
    verify_season,
)
from leaderboard.operations.end_series import end_series
from leaderboard.operations.retire_season import drop_retired, retire_season
from leaderboard.queries import published
from leaderboard.queries.live_seasons import seasons_to_finalize
from leaderboard.queries.retirements import seasons_to_retire
from scores.operations import apply_events, apply_to_series
from scores.rules import Event, Profile
from seasons.models import Season, Window
from seasons.operations import close_season
from seasons.queries.window_rules import window_rules_due
from seasons.queries.windows import PastPlace, past_windows, present_windows
from seasons.rules import WindowWanted
from tests.factories import correction, event
from tests.leaderboard.agreement import require_version
from tests.leaderboard.kinds import small_buckets
from tests.leaderboard.machine import (
    REGIONS,
    SCORES,
    ahead,
    echoes,
    kinds,
    picked,
    ranges,
    seasons,
)
from tests.leaderboard.series_model import DAY, SeriesModel, Windowed
from tests.oracle import Kind
from tests.play import Play, require_profiles
from tests.series import ALL_TIME, DAILY, make_series, noon, seasons_of

REASON = {"actor": "eve", "reason": "a reason"}
NAMES = ["ann", "bob", "cid", "dee"]
# Ids of seasons tell the day that they are made for, and there are nine for a day.
MOST_DAYS = 7
FIRST_HOUR = WindowWanted("first-hour", "cron", "0 0 * * *", 3600)
LASTING = {"daily": DAY, "first-hour": timedelta(hours=1)}
REFUSALS = (SeasonFinal, SeasonNotOpen, SeasonRetired)

players = st.sampled_from(NAMES)
# So many days ago, and so many hours after midnight.
moments = st.tuples(st.sampled_from([0, 1, 1, 2, 2, 3]), st.sampled_from([0, 0, 1, 11]))
results = st.tuples(players, picked, ahead, moments)
moves = st.tuples(players, st.sampled_from([*REGIONS, "elsewhere", None]))
windows = st.sampled_from([(DAILY, ALL_TIME), (DAILY,), (FIRST_HOUR, DAILY, ALL_TIME)])


def midnight() -> datetime:
    """Return when the day began in the zone of the tests."""
    now = datetime.now(ZoneInfo(noon()))
    return now.replace(hour=0, minute=0, second=0, microsecond=0).astimezone(UTC)


class SeriesMachine(RuleBasedStateMachine):
    """A series under every operation, beside its model."""

    @initialize(
        rules=seasons,
        scores=ranges,
        wanted=windows,
        late_policy=st.sampled_from(["next", "next", "reject", "review"]),
        grace_days=st.sampled_from([0, 0, 1, 2]),
        kept_days=st.sampled_from([None, 1, 1, 0]),
        passed=st.lists(st.booleans(), max_size=3),
    )
    def make(
        self,
        rules: dict[str, Any],
        scores: tuple[int, int],
        wanted: tuple[WindowWanted, ...],
        late_policy: str,
        grace_days: int,
        kept_days: int | None,
        passed: list[bool],
    ) -> None:
        self.series = make_series(
            **rules,
            score_min=scores[0],
            score_max=scores[1],
            windows=wanted,
            late_policy=late_policy,
            grace_seconds=grace_days * 86_400,
            kept_days=kept_days,
        )
        self.slug, self.scores = self.series.slug, SCORES[scores]
        lasting = {one.suffix: LASTING[one.suffix] for one in wanted if one.suffix in LASTING}
        self.model = SeriesModel(self.series, midnight(), lasting)
        self.sent: list[Event] = []
        self.profile_version = 0
        self.days = 0
        self._note_made(self.model.due())
        if ALL_TIME in wanted:
            always = Season.objects.get(slug=f"{self.slug}-all-time")
            self.model.windows.append(Windowed("all-time", self._play(always)))
        for works in passed:
            batch = [(who, 3 * n, 1, (0, n)) for n, who in enumerate(NAMES[:2])]
            self.send(batch, [])
            self.clock_goes_on(1, batch, works=works)

    @rule(batch=st.lists(results, min_size=3, max_size=8), again=st.lists(echoes, max_size=2))
    def send(
        self,
        batch: list[tuple[str, int, int, tuple[int, int]]],
        again: list[tuple[int, int | None]],
    ) -> None:
        events = [self._event(*one) for one in batch]
        sent = self.sent + events
        for which, other in again:
            events.insert(which % len(events), self._again(sent[which % len(sent)], other))
        told = self.model.send(events)
        done = apply_to_series(self.slug, events)
        assert [(one.outcome, one.receipts) for one in done] == told
        self.sent.extend(event for event, one in zip(events, told, strict=True) if one[1])

    @rule(which=picked, batch=st.lists(results, min_size=2, max_size=5))
    def send_to_one(self, which: int, batch: list[tuple[str, int, int, tuple[int, int]]]) -> None:
        self._send_to(self._window(which), [self._event(*one) for one in batch])

    @precondition(lambda self: self.sent)
    @rule(which=picked, repeated=picked, other=st.one_of(st.none(), picked))
    def repeat_to_one(self, which: int, repeated: int, other: int | None) -> None:
        sent = self.sent[repeated % len(self.sent)]
        self._send_to(self._window(which), [self._again(sent, other)])

    @precondition(lambda self: self.days < MOST_DAYS)
    @rule(
        days=st.sampled_from([1, 1, 2, 3]),
        works=st.booleans(),
        batch=st.lists(results, min_size=2, max_size=6),
    )
    def clock_goes_on(
        self, days: int, batch: list[tuple[str, int, int, tuple[int, int]]], *, works: bool
    ) -> None:
        """
        The next days begin; the worker does what is due, or is away; then results arrive.

        Some of them are for the oldest seasons, whose days are over.
        """
        back = days * DAY
        made = Window.objects.filter(rule__series=self.series).exclude(rule__kind="all_time")
        for window in made.select_related("season").order_by("starts_at"):
            for row, ends in ((window, "ends_at"), (window.season, "cutoff_at")):
                earlier = {name: getattr(row, name) - back for name in ("starts_at", ends)}
                type(row).objects.filter(pk=row.pk).update(**earlier)
        self.model.shift(back)
        self.days += days
        if works:
            self.work()
        self.send(batch, [])
        for which in range(2):
            self.send_to_one(which, batch)

    @rule()
    def work(self) -> None:
        """The worker does all that is due."""
        self.make_what_is_due()
        self.publish()
        self.finalize()
        self.retire()

    def make_what_is_due(self) -> None:
        due = self.model.due()
        rules = {rule.suffix: rule for rule in self.series.window_rules.all()}
        is_due = set(window_rules_due()) & {rule.id for rule in rules.values()}
        assert is_due == {rules[span.suffix].id for span in due}
        for made_by in rules.values():
            make_windows(made_by.id)
        self._note_made(due)

    @rule(batch=st.lists(moves, min_size=1, max_size=3))
    def profiles(self, batch: list[tuple[str, str | None]]) -> None:
        self.profile_version += 1
        given = [Profile(self._id(who), region, self.profile_version) for who, region in batch]
        require_profiles([window.oracle for window in self.model.windows], given)

    @rule(which=picked, kind=kinds, who=players, score=picked, by=ahead)
    def correct(self, which: int, kind: str, who: str, score: int, by: int) -> None:
        window = self._window(which)
        if window.state in {"scheduled", "retired"}:
            return
        player, play = self._id(who), window.play
        version = play.version(player, by)
        if kind == "set":
            wanted = correction(player, version, corrected_score=self._score(score))
            play.send_correction(wanted)
        elif kind == "remove":
            play.send_correction(correction(player, version))
        else:
            known = [one for one, _ in window.oracle.known.values() if one.player_id == player]
            if known:
                void = known[score % len(known)].event_id
                play.send_correction(correction(player, version, void_event_id=void))

    @rule(which=picked)
    def close(self, which: int) -> None:
        window = self._window(which)
        if window.state == "open":
            close_season(window.slug, **REASON)
            window.cutoff_at = Season.objects.get(slug=window.slug).cutoff_at
            window.follow()

    def publish(self) -> None:
        for window in self._present():
            seal_and_publish(window.play.season_id)
            window.oracle.epoch = window.play.open_epoch

    def finalize(self) -> None:
        waiting = [
            window for window in self.model.windows if window.state == "closing" and window.is_over
        ]
        self._require_only(seasons_to_finalize(), waiting)
        for window in waiting:
            done = finalize_season(window.slug, **REASON)
            assert done.outcome == "final"
            window.oracle.epoch, window.oracle.final = window.play.open_epoch, True

    def retire(self) -> None:
        now, kept = datetime.now(UTC), self.model.kept
        over = [
            window
            for window in self.model.windows
            if window.state == "final" and kept is not None and window.cutoff_at + kept <= now
        ]
        self._require_only(seasons_to_retire(), over)
        for window in over:
            retire_season(window.play.season_id)
            window.retire()
        while drop_retired() is not None:
            continue

    @precondition(lambda self: not self.model.has_ended and self.days > 1)
    @rule()
    def end_the_series(self) -> None:
        end_series(self.slug, **REASON)
        self.model.has_ended = True
        for window in self.model.windows:
            if window.state == "scheduled":
                window.retire()
            elif window.suffix == "all-time":
                window.cutoff_at = Season.objects.get(slug=window.slug).cutoff_at
                window.follow()

    @rule(which=picked, limit=st.sampled_from([1, 2, 50]))
    def read(self, which: int, limit: int) -> None:
        self.look()
        self._read(self._window(which), limit)

    def look(self) -> None:
        """The windows that are played, and those that are over, are those of the model."""
        now = datetime.now(UTC)
        present = [one for one in self.model.windows if one.cutoff_at > now and not one.retired]
        found = present_windows(self.series.id)
        assert {(one.slug, one.status) for one in found} == {
            (window.slug, window.state) for window in present
        }
        over = {
            window.slug
            for window in self.model.windows
            if window.cutoff_at <= now and (window.was_final or not window.retired)
        }
        past = past_windows(self.series.id, PastPlace(), limit=100)
        assert {one.slug for one in past} == over
        places = [one.place for one in past]
        assert places == sorted(places, reverse=True)

    def teardown(self) -> None:
        if not hasattr(self, "days"):
            return
        try:
            self.publish()
            self.look()
            for window in self.model.windows:
                self._read(window, 3)
        finally:
            Season.objects.filter(window__rule__series=self.series).update(regions=[])

    def _read(self, window: Windowed, limit: int) -> None:
        if window.retired:
            with pytest.raises(SeasonRetired):
                published(window.slug)
            return
        season = published(window.slug)
        assert season.status == window.state
        everyone = list(map(self._id, NAMES))
        require_version(season, season.current, window.oracle, everyone, [limit])
        if season.final_version is not None:
            require_version(season, season.final_version, window.oracle, everyone, [limit])
            assert verify_season(window.slug).agrees

    def _send_to(self, window: Windowed, events: list[Event]) -> None:
        if window.state == "scheduled":
            with pytest.raises(SeasonNotOpen):
                apply_events(window.slug, events)
            return
        expected = _answer(lambda: self.model.send_to(window, events))
        assert _answer(lambda: apply_events(window.slug, events).receipts) == expected
        if isinstance(expected, list):
            self.sent.extend(events)

    def _note_made(self, due: list[Any]) -> None:
        """The windows that were made are those that were due, each with its season."""
        known = {window.slug for window in self.model.windows}
        made = [
            season
            for season in seasons_of(self.series)
            if season.slug not in known and "all-time" not in season.slug
        ]
        assert [(season.starts_at, season.cutoff_at) for season in made] == [
            span[1:] for span in due
        ]
        for span, season in zip(due, made, strict=True):
            assert season.slug.startswith(f"{self.slug}-{span.suffix}-")
            self.model.made(span, self._play(season))

    def _play(self, season: Season) -> Play:
        play = Play(season)
        assert play.oracle.kind == Kind(
            self.series.tie_rule,
            self.series.order,
            self.series.keep,
            tuple(self.series.regions),
            self.series.late_policy,
        )
        return play

    def _event(self, who: str, which: int, by: int, moment: tuple[int, int]) -> Event:
        player, (days, hours) = self._id(who), moment
        version = max(window.play.version(player, by) for window in self.model.windows)
        at = midnight() - days * DAY + timedelta(hours=hours)
        return event(player, self._score(which), version, completed_at=at)

    def _again(self, event: Event, other: int | None) -> Event:
        return event if other is None else event._replace(best_score=self._score(other))

    def _present(self) -> list[Windowed]:
        return [window for window in self.model.windows if not window.retired]

    def _window(self, which: int) -> Windowed:
        return self.model.windows[which % len(self.model.windows)]

    def _require_only(self, season_ids: list[int], expected: list[Windowed]) -> None:
        """Of the seasons of this series these are the ones that are expected."""
        own = {window.play.season_id for window in self.model.windows}
        assert own & set(season_ids) == {window.play.season_id for window in expected}

    def _score(self, which: int) -> int:
        return self.scores[which % len(self.scores)]

    def _id(self, name: str) -> str:
        return f"{self.slug}-{name}"


def _answer(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except REFUSALS as refusal:
        return type(refusal)


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


def run(**wanted: Any) -> None:
    run_state_machine_as_test(SeriesMachine, settings=settings(**wanted))


def test_every_result_of_a_series_is_where_it_belongs(shared: str) -> None:
    run(max_examples=18, stateful_step_count=25)


@pytest.mark.slow
def test_every_result_is_in_many_long_histories(shared: str) -> None:
    run(max_examples=int(os.environ.get("EXAMPLES", "180")), stateful_step_count=50)
