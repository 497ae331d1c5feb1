"""How a player's events fold to a best: the rule alone, and the SQL against it."""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scores import rules
from scores.rules import Event, Fold, FoldedEvent
from tests.factories import make_season, unused_slug
from tests.play import Play, Wanted

EARLY = datetime(2026, 1, 1, tzinfo=UTC)
LATE = datetime(2026, 1, 2, tzinfo=UTC)
SCORES = st.sampled_from([0, 10, 20, 30])


def result(score: int, event_id: str = "result", completed_at: datetime = EARLY) -> FoldedEvent:
    return FoldedEvent(event_id, "result", score, completed_at)


def number(score: int, event_id: str = "set", **members: Any) -> FoldedEvent:
    return FoldedEvent(event_id, "correction", score, **members)


def removal(event_id: str = "removal") -> FoldedEvent:
    return FoldedEvent(event_id, "correction", None)


def void(of: str, event_id: str = "void") -> FoldedEvent:
    return FoldedEvent(event_id, "void", None, void_event_id=of)


def shown(*events: FoldedEvent, keep: str = "best") -> int | None:
    return rules.fold(events, keep).shown


def test_no_events_fold_to_nothing() -> None:
    assert rules.fold([]) == Fold(None, None, removed=False)


@pytest.mark.parametrize(
    ("events", "score"),
    [
        ([result(0)], 0),
        ([result(10), result(20)], 20),
        ([result(20), result(10)], 20),
        ([result(20), number(5)], 5),
        ([result(20), number(5), result(4)], 5),
        ([result(20), number(5), result(6)], 6),
        ([number(0)], 0),
        ([removal()], None),
        ([result(20), removal()], None),
        ([result(20), removal(), result(30)], None),
        ([result(20), removal(), number(7)], 7),
        ([removal(), number(7), result(8)], 8),
    ],
)
def test_results_raise_corrections_set_and_a_removal_hides(
    events: list[FoldedEvent], score: int | None
) -> None:
    assert shown(*events) == score


@pytest.mark.parametrize(
    ("events", "score"),
    [
        ([result(10), result(20)], 20),
        ([result(20), result(10)], 10),
        ([result(20), number(5), result(4)], 4),
        ([result(20), number(5)], 5),
        ([result(20), removal(), result(10)], None),
        ([result(20), removal("r"), result(10), void("r")], 10),
        ([result(20), result(10, "low"), void("low")], 20),
        ([result(20, "a"), result(10), void("a")], 10),
    ],
)
def test_where_the_latest_is_kept_every_result_replaces_the_score(
    events: list[FoldedEvent], score: int | None
) -> None:
    assert shown(*events, keep="latest") == score


@pytest.mark.parametrize(
    ("events", "score"),
    [
        ([result(20, "a"), void("a")], None),
        ([result(10, "a"), result(20, "b"), void("b")], 10),
        ([result(10, "a"), result(20, "b"), void("a")], 20),
        ([result(20), number(5, "c"), result(8), void("c")], 20),
        ([result(20), removal("r"), result(30), void("r")], 30),
        ([result(20), removal("r"), void("r"), result(10)], 20),
        ([void("a"), result(20, "a")], None),
        ([result(20), removal("r"), number(7, "c"), void("c")], None),
    ],
)
def test_a_void_takes_one_event_out_wherever_it_stands(
    events: list[FoldedEvent], score: int | None
) -> None:
    assert shown(*events) == score


def test_events_fold_by_version_then_revision_then_as_they_were_applied() -> None:
    places = [(1, 0, 1), (1, 0, 3), (1, 1, 2), (2, 0, 4)]
    events = [
        number(score, str(score), score_version=version, revision=revision, change_no=change_no)
        for score, (version, revision, change_no) in enumerate(places)
    ]
    for mixed in itertools.permutations(events):
        assert shown(*mixed) == 3


def test_a_held_result_that_was_let_in_counts_at_its_own_version() -> None:
    release = FoldedEvent("late", "release", 30, LATE, score_version=2, change_no=9)
    passed = number(5, "set", score_version=3, change_no=2)
    assert shown(result(20), release) == 30
    assert shown(result(20), passed, release) == 5
    assert shown(result(20), release, void("late")) == 20


def test_the_time_is_that_of_the_result_that_raised_the_score() -> None:
    state = rules.fold([result(20, completed_at=EARLY), result(10, completed_at=LATE)])
    assert state.achieved_at == EARLY
    assert rules.fold([result(20), result(20, completed_at=LATE)]).achieved_at == EARLY
    assert rules.fold([result(20), result(21, completed_at=LATE)]).achieved_at == LATE


def test_where_the_latest_is_kept_the_time_is_of_the_first_of_its_equal_results() -> None:
    def after(*scores: int) -> datetime | None:
        times = [EARLY + timedelta(days=day) for day in range(len(scores))]
        events = [result(score, completed_at=at) for score, at in zip(scores, times, strict=True)]
        return rules.fold(events, "latest").achieved_at

    assert after(20, 10) == EARLY + timedelta(days=1)
    assert after(20, 10, 10) == EARLY + timedelta(days=1)
    assert after(20, 10, 20) == EARLY + timedelta(days=2)


def test_a_correction_keeps_sets_or_clears_the_time() -> None:
    def after(**members: Any) -> datetime | None:
        return rules.fold([result(20), number(5, **members)]).achieved_at

    assert after(keeps_time=True) == EARLY
    assert after(keeps_time=False, achieved_at=LATE) == LATE
    assert after(keeps_time=False, achieved_at=None) is None


KEEPS = st.sampled_from(["best", "latest"])
TIMES = st.sampled_from([EARLY, LATE])
RESULTS = st.builds(result, SCORES, completed_at=TIMES)
EVERY_KIND = st.one_of(RESULTS, st.builds(number, SCORES), st.builds(removal))
HISTORIES = st.lists(EVERY_KIND, max_size=8).map(
    lambda events: [event._replace(event_id=str(place)) for place, event in enumerate(events)]
)


@given(events=HISTORIES, keep=KEEPS, data=st.data())
def test_a_void_leaves_the_fold_of_what_remains(
    events: list[FoldedEvent], keep: str, data: st.DataObject
) -> None:
    voided = data.draw(st.sets(st.sampled_from(range(len(events)))) if events else st.just(set()))
    voids = [void(str(place), f"void-{place}") for place in voided]
    remaining = [event for place, event in enumerate(events) if place not in voided]
    mixed = data.draw(st.permutations(voids)) + events
    expected = rules.fold(remaining, keep)
    assert rules.fold(mixed, keep) == rules.fold([*events, *voids], keep) == expected


@given(events=HISTORIES, keep=KEEPS, event=RESULTS)
def test_one_more_result_is_with_result_of_the_fold_before(
    events: list[FoldedEvent], keep: str, event: FoldedEvent
) -> None:
    before = rules.fold(events, keep)
    assert event.score is not None
    after = rules.with_result(
        before, score=event.score, completed_at=event.completed_at, keep=keep
    )
    assert rules.fold([*events, event._replace(event_id="last")], keep) == after
    highest = max(event.score, -1 if before.score is None else before.score)
    assert after.score == (highest if keep == "best" else event.score)
    assert after.achieved_at == (
        before.achieved_at if after.score == before.score else event.completed_at
    )
    assert after.removed == before.removed


@given(events=HISTORIES, keep=KEEPS, order=st.randoms(use_true_random=False))
def test_the_states_after_each_event_are_the_folds_of_all_until_then(
    events: list[FoldedEvent], keep: str, order: Any
) -> None:
    placed = [event._replace(score_version=place) for place, event in enumerate(events)]
    placed += [void("0", "void")] if events else []
    order.shuffle(placed)
    folds = [rules.fold(placed[: place + 1], keep) for place in range(len(placed))]
    assert rules.states(placed, keep) == folds


@given(scores=st.lists(SCORES, min_size=1))
def test_the_latest_of_results_alone_is_the_last(scores: list[int]) -> None:
    assert shown(*map(result, scores), keep="latest") == scores[-1]


@given(earlier=st.datetimes(), later=st.datetimes())
def test_tie_keys_are_in_the_order_of_times_to_the_microsecond(
    earlier: datetime, later: datetime
) -> None:
    earlier, later = (time.replace(tzinfo=UTC) for time in sorted([earlier, later]))
    keys = [rules.tie_key_of(time, "earliest") for time in (earlier, later)]
    assert keys[1] - keys[0] == (later - earlier) // timedelta(microseconds=1)
    assert keys[1] < rules.tie_key_of(None, "earliest") == rules.NO_TIME
    assert {rules.tie_key_of(time, "shared") for time in (earlier, later, None)} == {0}


def test_the_tie_key_of_1970_is_0_and_fits_what_the_database_stores() -> None:
    assert rules.tie_key_of(datetime(1970, 1, 1, tzinfo=UTC), "earliest") == 0
    assert rules.NO_TIME == 2**62


@given(scores=st.lists(SCORES, min_size=1), order=st.randoms(use_true_random=False))
def test_the_best_of_results_alone_does_not_depend_on_their_order(
    scores: list[int], order: Any
) -> None:
    shuffled = list(scores)
    order.shuffle(shuffled)
    assert shown(*map(result, shuffled)) == shown(*map(result, scores)) == max(scores)


EVENTS = st.lists(
    st.builds(
        Event,
        event_id=st.uuids().map(str),
        match_id=st.just("match"),
        player_id=st.sampled_from(["ann", "bob", "cyd", "D", "é"]),
        best_score=SCORES,
        score_version=st.integers(1, 4),
        completed_at=st.just(EARLY),
    ),
    max_size=12,
)


@given(events=EVENTS)
def test_rounds_have_every_event_once_and_no_player_twice(events: list[Event]) -> None:
    turns = rules.rounds(events)
    assert sorted(itertools.chain(*turns)) == sorted(events)
    for turn in turns:
        players = [event.player_id for event in turn]
        assert turn
        assert players == sorted(set(players))


@given(events=EVENTS)
def test_rounds_keep_the_order_of_versions_and_of_equal_ones_as_sent(events: list[Event]) -> None:
    turns = rules.rounds(events)
    for player in {event.player_id for event in events}:
        own = [event for event in events if event.player_id == player]
        in_turn = [event for turn in turns for event in turn if event.player_id == player]
        assert in_turn == sorted(own, key=lambda event: event.score_version)


PLAYERS = st.sampled_from(["ann", "bob", "cyd"])
AHEAD = st.sampled_from([1, 1, 1, 2, 3, 0, -1])
WANTED = st.builds(Wanted, PLAYERS, SCORES, AHEAD, st.none())
WHICH = st.integers(0, 20)
STEPS = st.one_of(
    st.tuples(st.just("results"), st.lists(WANTED, min_size=1, max_size=6)),
    st.tuples(st.just("again"), WHICH, st.just({})),
    st.tuples(st.just("again"), WHICH, st.fixed_dictionaries({"best_score": SCORES})),
    st.tuples(st.just("set"), PLAYERS, AHEAD, SCORES),
    st.tuples(st.just("remove"), PLAYERS, AHEAD),
    st.tuples(st.just("void"), PLAYERS, WHICH, AHEAD),
    st.tuples(st.just("seal")),
)


def take(play: Play, step: tuple[Any, ...]) -> None:
    match step:
        case "results", wanted:
            play.results(*wanted)
        case "again", which, other:
            play.send_again(which, **other)
        case "set", player, ahead, score:
            play.correct(player, ahead, corrected_score=score)
        case "remove", player, ahead:
            play.correct(player, ahead)
        case "void", player, which, ahead:
            play.void(player, which, ahead)
        case _:
            play.seal()


def require_the_fold(steps: list[tuple[Any, ...]]) -> None:
    play = Play(make_season(unused_slug()))
    for step in steps:
        take(play, step)
    play.require_same_rows()
    play.require_same_tallies()


@given(steps=st.lists(STEPS, min_size=4, max_size=24))
@settings(max_examples=40)
def test_the_database_keeps_what_the_events_fold_to(
    shared: str, steps: list[tuple[Any, ...]]
) -> None:
    require_the_fold(steps)


@pytest.mark.slow
@given(steps=st.lists(STEPS, min_size=10, max_size=60))
@settings(max_examples=1000)
def test_the_database_keeps_what_a_thousand_histories_fold_to(
    shared: str, steps: list[tuple[Any, ...]]
) -> None:
    require_the_fold(steps)
