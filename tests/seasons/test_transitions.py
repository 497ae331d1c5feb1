"""A season opens and closes by the database's clock or by hand, and each change is recorded."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config.errors import SeasonFinal, SeasonNotFound, SeasonNotOpen, WrongState
from scores.rules import LATE_REJECTED
from seasons.models import Season, Transition
from seasons.operations import close_season, open_season, record_transitions
from seasons.queries.due_transitions import seasons_with_due_transitions
from seasons.rules import due_transitions
from tests.factories import apply, event, make_final, make_season, publish, unused_slug

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def recorded(slug: str) -> list[tuple[str, datetime, str]]:
    rows = Transition.objects.filter(season__slug=slug).order_by("id")
    return [(row.status, row.due_at, row.actor) for row in rows]


def season_that(starts_in: timedelta, lasts: timedelta) -> Season:
    starts_at = datetime.now(UTC) + starts_in
    return make_season(unused_slug(), starts_at=starts_at, cutoff_at=starts_at + lasts)


@pytest.mark.parametrize(
    ("starts_at", "cutoff_at", "states"),
    [
        (NOW + HOUR, NOW + 2 * HOUR, []),
        (NOW, NOW + HOUR, ["open"]),
        (NOW - HOUR, NOW, ["open", "closing"]),
        (NOW - 2 * HOUR, NOW - HOUR, ["open", "closing"]),
    ],
)
def test_a_state_is_reached_at_its_instant(
    starts_at: datetime, cutoff_at: datetime, states: list[str]
) -> None:
    due = due_transitions(starts_at=starts_at, cutoff_at=cutoff_at, now=NOW)
    assert [state for state, _ in due] == states
    assert [since for _, since in due] == [starts_at, cutoff_at][: len(due)]


def test_what_was_missed_for_an_hour_is_recorded_in_order(shared: str) -> None:
    season = season_that(-3 * HOUR, 2 * HOUR)
    assert season.id in seasons_with_due_transitions()
    assert record_transitions(season.id) == ["open", "closing"]
    assert recorded(season.slug) == [
        ("open", season.starts_at, "clock"),
        ("closing", season.cutoff_at, "clock"),
    ]


def test_a_transition_is_recorded_once(shared: str) -> None:
    season = season_that(-HOUR, 2 * HOUR)
    assert record_transitions(season.id) == ["open"]
    assert record_transitions(season.id) == []
    assert season.id not in seasons_with_due_transitions()


def test_nothing_is_recorded_before_the_start(shared: str) -> None:
    season = season_that(HOUR, HOUR)
    assert season.id not in seasons_with_due_transitions()
    assert record_transitions(season.id) == []
    assert recorded(season.slug) == []


def test_a_scheduled_season_is_opened_by_hand(shared: str) -> None:
    season = season_that(HOUR, HOUR)
    with pytest.raises(SeasonNotOpen):
        apply(season.slug, event("ann", 10))
    open_season(season.slug, actor="eve", reason="early")
    (transition,) = Transition.objects.filter(season=season)
    assert (transition.status, transition.actor, transition.reason) == ("open", "eve", "early")
    season.refresh_from_db()
    assert transition.due_at == season.starts_at
    assert apply(season.slug, event("ann", 10))[0].outcome == "improved"
    assert record_transitions(season.id) == []


def test_an_open_season_is_closed_by_hand(slug: str) -> None:
    early = event("ann", 10)
    close_season(slug, actor="eve", reason="enough")
    season = Season.objects.get(slug=slug)
    assert recorded(slug) == [("closing", season.cutoff_at, "eve")]
    assert apply(slug, early)[0].outcome == "improved"
    assert apply(slug, event("bob", 10))[0].outcome == LATE_REJECTED


def test_what_does_not_fit_the_state_is_refused(shared: str) -> None:
    scheduled, running = season_that(HOUR, HOUR).slug, season_that(-HOUR, 2 * HOUR).slug
    with pytest.raises(WrongState, match="The season is scheduled, not open"):
        close_season(scheduled, actor="eve", reason="")
    with pytest.raises(WrongState, match="The season is open, not scheduled"):
        open_season(running, actor="eve", reason="")
    close_season(running, actor="eve", reason="")
    for change in (open_season, close_season):
        with pytest.raises(WrongState, match="closing"):
            change(running, actor="eve", reason="")
        with pytest.raises(SeasonNotFound):
            change("nowhere", actor="eve", reason="")


def test_a_final_season_takes_no_results(slug: str) -> None:
    publish(slug)
    make_final(slug)
    with pytest.raises(SeasonFinal):
        apply(slug, event("ann", 10))
    with pytest.raises(WrongState, match="final"):
        close_season(slug, actor="eve", reason="")


def test_the_commands_say_what_they_did_or_why_not(shared: str) -> None:
    season = season_that(HOUR, HOUR)
    for command, state in (("open_season", "open"), ("close_season", "closing")):
        said = StringIO()
        call_command(command, season.slug, stdout=said)
        assert said.getvalue() == f"Season {season.slug} is {state}.\n"
        with pytest.raises(CommandError, match="The season is"):
            call_command(command, season.slug)
    with pytest.raises(CommandError, match="no season"):
        call_command("close_season", "nowhere")
