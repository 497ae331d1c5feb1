"""The fold in SQL against the fold in Python: any events, in any order of versions."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.proof.whole import CREATE_WORK, FOLD_LEDGER, FOLD_LEDGER_BY_STEP
from scores.rules import NO_TIME, FoldedEvent, fold, tie_key_of
from seasons.models import Season
from tests.factories import unused_slug

Superuser = psycopg.Connection[Any]

INSERT = """
INSERT INTO scores_ledger (
    namespace, epoch, kind_group, kind, event_id, player_id, score, score_version, revision,
    completed_at, achieved_at, keeps_time, accepted_at, void_event_id, outcome, receipt_score,
    visible_in_version, change_no, old_score, new_score, old_tie_key, new_tie_key, old_region,
    new_region, row_hash
) VALUES (
    %(namespace)s, 2, %(group)s, %(kind)s, %(event_id)s, %(player_id)s, %(score)s,
    %(score_version)s, %(revision)s, %(completed_at)s, %(achieved_at)s, %(keeps_time)s, %(now)s,
    %(void_event_id)s, %(outcome)s, %(receipt)s, %(visible)s, %(change_no)s, %(old)s, %(new)s,
    %(old_key)s, %(new_key)s, %(old_region)s, %(new_region)s, 0
)
"""
COLUMNS = "score, hidden_score, tie_key, hidden_tie_key, region, removed, change_no, revision"
FOLDED = f"SELECT {COLUMNS}, chained FROM proof_folded"
PLAYER = f"SELECT {COLUMNS}, only_results, chained, receipted FROM proof_player"
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


class Rules(NamedTuple):
    """What a season's fold depends on."""

    keep: str
    tie_rule: str
    regions: str = ""

    @property
    def literals(self) -> dict[str, bool]:
        return {"keeps_latest": self.keep == "latest", "has_times": self.tie_rule == "earliest"}


PLAIN = Rules("best", "shared")
OTHERS = [
    Rules("best", "earliest"),
    Rules("latest", "shared"),
    Rules("latest", "earliest"),
    Rules("best", "shared", "eu us"),
]
every_rule = pytest.mark.parametrize("season_rules", [PLAIN, *OTHERS], ids="-".join)
some = settings(max_examples=30)


class Drawn(NamedTuple):
    """What is chosen of an event; which one a void takes out, by its place among all."""

    kind: str
    score: int | None
    score_version: int
    revision: int
    takes_out: int
    day: int
    keeps_time: bool
    region: int | None


def drawn(kind: st.SearchStrategy[str], *, versions: st.SearchStrategy[int]) -> Any:
    return st.builds(
        Drawn,
        kind,
        st.integers(0, 4),
        versions,
        st.integers(0, 2),
        st.integers(0, 9),
        st.integers(0, 3),
        st.booleans(),
        st.sampled_from([None, 1, 2]),
    )


ANY_KIND = st.sampled_from(["result", "result", "release", "set", "remove", "void", "region"])
anything = st.lists(drawn(ANY_KIND, versions=st.integers(1, 4)), min_size=1, max_size=9)
results = st.lists(drawn(st.just("result"), versions=st.just(0)), min_size=1, max_size=6)
moves = st.lists(
    drawn(st.sampled_from(["result", "result", "region"]), versions=st.just(0)), max_size=6
)


class State(NamedTuple):
    """What a player's events have made of a best."""

    score: int | None = None
    tie_key: int | None = None
    region: int | None = None


class History:
    """A player's events as a season records them, each with what it found and left."""

    def __init__(self, rules: Rules, chosen: list[Drawn]) -> None:
        self.player_id = unused_slug()
        self.rules = rules
        self.events: list[FoldedEvent] = []
        self.rows: list[dict[str, Any]] = []
        self.state = State()
        for number, one in enumerate(chosen, 1):
            self._add(number, one)

    @property
    def expected(self) -> tuple[Any, ...]:
        """Return what a best must be, in the order of COLUMNS."""
        state = fold(self.events, self.rules.keep)
        hidden = state.score if state.removed else None
        key = tie_key_of(state.achieved_at, self.rules.tie_rule)
        _, shown_key, region = self.state
        hidden_key = None if hidden is None else key
        own = [row["group"] for row in self.rows if row["kind"] != "region"]
        revision = own[::-1].index(0) if 0 in own else len(own)
        number = len(self.rows)
        return state.shown, hidden, shown_key, hidden_key, region, state.removed, number, revision

    def _add(self, number: int, one: Drawn) -> None:
        is_region = one.kind == "region" and number > 1 and bool(self.rules.regions)
        event = _event(
            self.player_id,
            number,
            one._replace(
                kind="region" if is_region else one.kind if one.kind != "region" else "result"
            ),
        )
        if not is_region:
            self.events.append(event)
        state = fold(self.events, self.rules.keep)
        shown = state.shown is not None
        region = one.region if is_region or number == 1 else self.state.region
        key = tie_key_of(state.achieved_at, self.rules.tie_rule) if shown else 0
        after = State(state.shown, key, region if self.rules.regions else None)
        self.rows.append(_row(self.player_id, event, self.state, after))
        self.state = after


@every_rule
@some
@given(chosen=anything)
def test_the_fold_of_any_events_is_that_of_the_rules(
    slug: str, superuser: Superuser, season_rules: Rules, chosen: list[Drawn]
) -> None:
    history = History(season_rules, chosen)
    _insert(superuser, slug, history)
    assert _folded(superuser, slug, history) == (*history.expected, True)


@every_rule
@some
@given(chosen=results)
def test_a_player_with_results_only_is_folded_in_one_pass(
    slug: str, superuser: Superuser, season_rules: Rules, chosen: list[Drawn]
) -> None:
    history = History(season_rules, _in_order(chosen))
    _insert(superuser, slug, history)
    assert _player(superuser, slug, history) == (*history.expected, True, True, True)
    assert _folded(superuser, slug, history) == (*history.expected, True)


@some
@given(first=drawn(st.just("result"), versions=st.just(1)), chosen=moves)
def test_a_player_with_results_and_moves_is_folded_in_one_pass(
    slug: str, superuser: Superuser, first: Drawn, chosen: list[Drawn]
) -> None:
    history = History(OTHERS[-1], _in_order([first, *chosen]))
    _insert(superuser, slug, history)
    assert _player(superuser, slug, history) == (*history.expected, True, True, True)
    assert _folded(superuser, slug, history) == (*history.expected, True)


@every_rule
@some
@given(chosen=results, data=st.data())
def test_a_change_that_is_altered_breaks_the_chain_or_its_receipt(
    slug: str, superuser: Superuser, season_rules: Rules, chosen: list[Drawn], data: st.DataObject
) -> None:
    history = History(season_rules, _in_order(chosen))
    row = data.draw(st.sampled_from(history.rows))
    other = {
        "old": -2, "new": 7, "receipt": 8, "change_no": len(chosen) + 1,
        "visible": None if row["visible"] else 2,
    }  # fmt: skip
    if season_rules != PLAIN:
        other |= {"old_key": -1, "new_key": NO_TIME - 1, "old_region": 3}
    if season_rules != PLAIN and len(chosen) > 1:
        other["new_region"] = 3
    member = data.draw(st.sampled_from(list(other)))
    row[member] = other[member]
    _insert(superuser, slug, history)
    *_, chained, receipted = _player(superuser, slug, history)
    assert not (chained and receipted)


@settings(max_examples=60)
@given(chosen=anything, data=st.data())
def test_a_change_that_is_altered_breaks_the_chain_of_any_events(
    slug: str, superuser: Superuser, chosen: list[Drawn], data: st.DataObject
) -> None:
    history = History(Rules("latest", "earliest", "eu us"), chosen)
    row = data.draw(st.sampled_from(history.rows))
    other = {"old": -2, "new": 7, "old_key": -1, "new_key": 5, "old_region": 3, "new_region": 3}
    member = data.draw(st.sampled_from(list(other)))
    row[member] = other[member]
    _insert(superuser, slug, history)
    *_, chained = _folded(superuser, slug, history)
    # Where a player went last, or came first, only the best and the row's hash can tell.
    is_last = row["change_no"] == len(history.rows)
    gives_region = row["kind"] == "region" or row["change_no"] == 1
    is_unknown = is_last and gives_region and member == "new_region"
    assert chained == is_unknown


def test_the_latest_by_version_that_is_not_the_last_is_not_sound(
    slug: str, superuser: Superuser
) -> None:
    first, second = (
        Drawn("result", score, 0, 0, 0, 0, keeps_time=True, region=None) for score in (1, 2)
    )
    history = History(Rules("latest", "shared"), _in_order([first, second]))
    history.rows[0]["score_version"] = 5
    _insert(superuser, slug, history)
    *_, chained, receipted = _player(superuser, slug, history)
    assert (chained, receipted) == (True, False)


def test_rows_are_joined_with_players_only(slug: str, superuser: Superuser) -> None:
    """A join of the rows with themselves would grow with the square of a player's events."""
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug, PLAIN)
        lines = [line for (line,) in superuser.execute(f"EXPLAIN {FOLDED}").fetchall()]
    joins = [line for line in lines if re.search(r"Nested Loop|Join|SubPlan", line)]
    assert len(joins) == 2, lines
    assert sum("scores_ledger" in line for line in lines) == 1


def _in_order(chosen: list[Drawn]) -> list[Drawn]:
    return [one._replace(score_version=number, revision=0) for number, one in enumerate(chosen, 1)]


def _event(player_id: str, number: int, one: Drawn) -> FoldedEvent:
    kind = {"set": "correction", "remove": "correction"}.get(one.kind, one.kind)
    at = FIRST + timedelta(days=one.day, microseconds=one.day)
    is_score = one.kind in {"result", "release", "set"}
    return FoldedEvent(
        event_id=f"{player_id}-{number}",
        kind=kind,
        score=one.score if is_score else None,
        completed_at=at if one.kind in {"result", "release"} else None,
        achieved_at=at if one.kind == "set" and one.day else None,
        keeps_time=one.keeps_time and one.kind == "set",
        void_event_id=f"{player_id}-{one.takes_out}" if kind == "void" else None,
        score_version=one.score_version,
        revision=one.revision,
        change_no=number,
    )


def _row(player_id: str, event: FoldedEvent, old: State, new: State) -> dict[str, Any]:
    is_visible = old != new and (old.score, new.score) != (None, None)
    outcome = {"region": "moved", "correction": "corrected", "void": "corrected"}
    raised = "improved" if old.score != new.score else "not_improved"
    return {
        **event._asdict(),
        "player_id": player_id,
        "group": 0 if event.kind in {"result", "correction", "void"} else 1,
        "outcome": outcome.get(event.kind, raised),
        "receipt": new.score,
        "visible": 2 if is_visible else None,
        "old": old.score,
        "new": new.score,
        "old_key": old.tie_key,
        "new_key": new.tie_key,
        "old_region": old.region,
        "new_region": new.region,
        "now": datetime.now(UTC),
    }


def _insert(superuser: Superuser, slug: str, history: History) -> None:
    namespace = Season.objects.get(slug=slug).namespace
    with superuser.cursor() as cursor:
        cursor.executemany(INSERT, [{**row, "namespace": namespace} for row in history.rows])


def _folded(superuser: Superuser, slug: str, history: History) -> Any:
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug, history.rules)
        superuser.execute("INSERT INTO proof_asked VALUES (%s, 2)", [history.player_id])
        return superuser.execute(FOLDED.encode()).fetchone()


def _player(superuser: Superuser, slug: str, history: History) -> Any:
    namespace = Season.objects.get(slug=slug).ledger_namespace
    by_step = FOLD_LEDGER_BY_STEP.literal(**history.rules.literals)
    statement = FOLD_LEDGER if history.rules == PLAIN else by_step
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug, history.rules)
        superuser.execute(str(statement).encode(), {"ledger_namespace": namespace, "version": 2})
        where = f"{PLAYER} WHERE player_id = %s"
        return superuser.execute(where.encode(), [history.player_id]).fetchone()


def _make_work(superuser: Superuser, slug: str, rules: Rules) -> None:
    namespace = Season.objects.get(slug=slug).ledger_namespace
    work = CREATE_WORK.literal(namespace=namespace, **rules.literals)
    superuser.execute(str(work).encode())
