"""The folds of a rebuild: bests and undo come out as writers left them, whatever the rules."""

import contextlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scores.models import Best, Undo
from scores.operations import apply_correction, apply_events, set_profiles
from scores.rules import Profile
from scores.steps.rebuilding import (
    Refill,
    attach_bests,
    changed_players,
    create_bests,
    fold_listed,
    fold_results,
    refilling,
)
from seasons.models import Epoch, Season
from seasons.operations import seal_epoch
from seasons.steps import next_namespace
from tests.factories import correction, event, make_season, unused_slug

BESTS = (
    "player_id", "score", "hidden_score", "removed", "tie_key", "hidden_tie_key", "region",
    "score_version", "revision", "epoch", "change_no",
)  # fmt: skip
UNDO = ("player_id", "from_epoch", "to_epoch", "score", "tie_key", "region")
FIRST = datetime.now(UTC).replace(microsecond=0)
EVERY_RULE = [
    {},
    {"tie_rule": "earliest"},
    {"keep": "latest"},
    {"regions": ["EU", "NA"]},
    {"tie_rule": "earliest", "keep": "latest", "regions": ["EU", "NA"]},
]

every_rule = pytest.mark.parametrize("rules", EVERY_RULE, ids="-".join)

PLAYERS = st.sampled_from(["ann", "bob"])
SCORES = st.sampled_from([0, 10, 20, 30])
SECONDS = st.integers(0, 3)
RESULT = st.tuples(st.just("result"), PLAYERS, SCORES, SECONDS)
MOVE = st.tuples(st.just("move"), PLAYERS, st.sampled_from(["EU", "NA", "other", None]))
SEAL = st.tuples(st.just("seal"))
UNDECIDED = st.lists(st.one_of(RESULT, RESULT, MOVE, SEAL), min_size=8, max_size=20)
TIMES = st.sampled_from(
    [{}, {"keeps_time": False}, {"keeps_time": False, "achieved_at": FIRST + timedelta(seconds=1)}]
)
SET = st.tuples(st.just("set"), PLAYERS, SCORES, TIMES)
REMOVE = st.tuples(st.just("remove"), PLAYERS)
VOID = st.tuples(st.just("void"), PLAYERS, st.integers(0, 3))
ANYTHING = st.lists(
    st.one_of(RESULT, RESULT, MOVE, SEAL, SET, REMOVE, VOID), min_size=8, max_size=20
)


class Done(Exception):
    """What was folded has been compared, and is rolled back."""


class Played:
    """Players of a season that no other example uses, and what was sent of them."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self._names = unused_slug()
        self._sent: dict[str, list[str]] = {}
        self._version = 0

    def take(self, step: tuple[Any, ...]) -> None:
        """Do one step by the operation that it is named after."""
        kind, *rest = step
        self._version += 1
        act: Callable[..., None] = getattr(self, f"_{kind}")
        act(*rest)

    def _result(self, player: str, score: int, second: int) -> None:
        at = FIRST + timedelta(seconds=second, microseconds=second)
        sent = event(self._name(player), score, self._version, completed_at=at)
        apply_events(self.slug, [sent])
        self._sent.setdefault(player, []).append(sent.event_id)

    def _set(self, player: str, score: int, times: dict[str, Any]) -> None:
        self._correct(player, corrected_score=score, **times)

    def _remove(self, player: str) -> None:
        self._correct(player)

    def _void(self, player: str, which: int) -> None:
        own = self._sent.get(player, [])
        if own:
            self._correct(player, void_event_id=own.pop(which % len(own)))

    def _move(self, player: str, region: str | None) -> None:
        set_profiles([Profile(self._name(player), region, self._version)])

    def _seal(self) -> None:
        assert seal_epoch(Season.objects.get(slug=self.slug).id)

    def _correct(self, player: str, **members: Any) -> None:
        sent = correction(self._name(player), self._version, **members)
        apply_correction(self.slug, sent)
        if "void_event_id" not in members:
            self._sent.setdefault(player, []).append(sent.event_id)

    def _name(self, player: str) -> str:
        return f"{self._names}-{player}"


def rows(model: Any, namespace: int, columns: tuple[str, ...]) -> set[tuple[Any, ...]]:
    found = model.objects.filter(namespace=namespace).exclude(player_id="")
    return set(found.values_list(*columns))


def require_same_bests(season: Season, namespace: int) -> None:
    made, kept = (rows(Best, one, BESTS) for one in (namespace, season.namespace))
    assert made == kept


def require_same_undo(season: Season, namespace: int, base: int) -> None:
    kept = {row for row in rows(Undo, season.namespace, UNDO) if row[2] > base}
    assert rows(Undo, namespace, UNDO) == kept


def require_the_fold(slug: str, steps: list[tuple[Any, ...]]) -> None:
    """Do the steps, and fold the season anew: all players at once, and listed ones."""
    played = Played(slug)
    for step in steps:
        played.take(step)
    season = Season.objects.get(slug=slug)
    through = Epoch.objects.get(season_id=season.id).open_epoch
    for base in (0, through // 2):
        with contextlib.suppress(Done), refilling():
            _require_same(season, through, base)
            raise Done


def _require_same(season: Season, through: int, base: int) -> None:
    rules = (season.tie_rule, season.keep, season.regions)
    refill = Refill(next_namespace(), season.ledger_namespace, *rules, base)
    create_bests(refill.namespace)
    for part in range(2):
        fold_results(refill, through, part=part, parts=2)
    attach_bests(refill.namespace)
    with changed_players(refill, after_epoch=through, through=through, decided=True):
        fold_listed(refill, through)
    require_same_bests(season, refill.namespace)
    with changed_players(refill, after_epoch=0, through=through):
        fold_listed(refill, through)
    require_same_bests(season, refill.namespace)
    require_same_undo(season, refill.namespace, base)


@pytest.fixture
def ruled(shared: str, rules: dict[str, Any]) -> Any:
    """Give the test a season with these rules, which no profile moves any more afterwards."""
    season = make_season(unused_slug())
    Season.objects.filter(id=season.id).update(**rules)
    yield season.slug
    Season.objects.filter(id=season.id).update(regions=[])


@every_rule
@given(steps=UNDECIDED)
@settings(max_examples=12)
def test_players_with_results_and_moves_only_fold_to_what_was_written(
    ruled: str, steps: list[tuple[Any, ...]]
) -> None:
    require_the_fold(ruled, steps)


@every_rule
@given(steps=ANYTHING)
@settings(max_examples=12)
def test_players_with_decisions_fold_to_what_was_written(
    ruled: str, steps: list[tuple[Any, ...]]
) -> None:
    require_the_fold(ruled, steps)


@pytest.mark.slow
@every_rule
@given(steps=ANYTHING)
@settings(max_examples=300)
def test_many_histories_fold_to_what_was_written(ruled: str, steps: list[tuple[Any, ...]]) -> None:
    require_the_fold(ruled, steps)
