"""The fold in SQL against the fold in Python: any events, in any order of versions."""

import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

import psycopg
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.proof.whole import CREATE_WORK, FOLD_LEDGER
from scores.rules import FoldedEvent, fold
from seasons.models import Season
from tests.factories import unused_slug

Superuser = psycopg.Connection[Any]

INSERT = """
INSERT INTO scores_ledger (
    namespace, epoch, kind_group, kind, event_id, player_id, score, score_version, revision,
    accepted_at, void_event_id, outcome, receipt_score, visible_in_version, change_no,
    old_score, new_score, row_hash
) VALUES (
    %(namespace)s, 2, %(group)s, %(kind)s, %(event_id)s, %(player_id)s, %(score)s,
    %(score_version)s, %(revision)s, %(now)s, %(void_event_id)s, %(outcome)s, %(receipt)s,
    %(visible)s, %(change_no)s, %(old)s, %(new)s, 0
)
"""
FOLDED = "SELECT score, hidden_score, removed, change_no, chained FROM proof_folded"
PLAYER = "SELECT score, only_results, chained, receipted FROM proof_player WHERE player_id = %s"


class Drawn(NamedTuple):
    """What is chosen of an event; which one a void takes out, by its place among all."""

    kind: str
    score: int | None
    score_version: int
    revision: int
    takes_out: int


def drawn(kind: st.SearchStrategy[str]) -> st.SearchStrategy[Drawn]:
    scores = st.integers(0, 4)
    return st.builds(Drawn, kind, scores, st.integers(1, 4), st.integers(0, 2), st.integers(0, 9))


anything = st.lists(
    drawn(st.sampled_from(["result", "result", "release", "set", "remove", "void"])),
    min_size=1,
    max_size=9,
)
results = st.lists(st.integers(0, 4), min_size=1, max_size=6)


@given(chosen=anything)
def test_the_fold_of_any_events_is_that_of_the_rules(
    slug: str, superuser: Superuser, chosen: list[Drawn]
) -> None:
    player_id = unused_slug()
    events = [_event(player_id, number, one) for number, one in enumerate(chosen, 1)]
    rows, shown = [], None
    for number, event in enumerate(events, 1):
        after = fold(events[:number]).shown
        rows.append(_row(player_id, event, shown, after))
        shown = after
    _insert(superuser, slug, rows)
    state = fold(events)
    hidden = state.score if state.removed else None
    assert _folded(superuser, slug, player_id) == (
        state.shown, hidden, state.removed, len(events), True
    )  # fmt: skip


@given(scores=results)
def test_a_player_with_results_only_has_the_highest(
    slug: str, superuser: Superuser, scores: list[int]
) -> None:
    player_id = unused_slug()
    rows = _rows_of_results(player_id, scores)
    _insert(superuser, slug, rows)
    assert _player(superuser, slug, player_id) == (max(scores), True, True, True)
    assert _folded(superuser, slug, player_id) == (max(scores), None, False, len(scores), True)


@given(scores=results, data=st.data())
def test_a_change_that_is_altered_breaks_the_chain_or_its_receipt(
    slug: str, superuser: Superuser, scores: list[int], data: st.DataObject
) -> None:
    player_id = unused_slug()
    rows = _rows_of_results(player_id, scores)
    row = data.draw(st.sampled_from(rows))
    member = data.draw(st.sampled_from(["old", "new", "receipt", "change_no", "visible"]))
    other = {"old": -2, "new": 7, "receipt": 8, "change_no": len(rows) + 1}
    row[member] = other.get(member, None if row["visible"] else 2)
    _insert(superuser, slug, rows)
    _, _, chained, receipted = _player(superuser, slug, player_id)
    assert not (chained and receipted)


def test_rows_are_joined_with_players_only(slug: str, superuser: Superuser) -> None:
    """A join of the rows with themselves would grow with the square of a player's events."""
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug)
        lines = [line for (line,) in superuser.execute(f"EXPLAIN {FOLDED}").fetchall()]
    joins = [line for line in lines if re.search(r"Nested Loop|Join|SubPlan", line)]
    assert len(joins) == 2, lines
    assert sum("scores_ledger" in line for line in lines) == 1


def _event(player_id: str, number: int, one: Drawn) -> FoldedEvent:
    kind = {"set": "correction", "remove": "correction"}.get(one.kind, one.kind)
    return FoldedEvent(
        event_id=f"{player_id}-{number}",
        kind=kind,
        score=one.score if one.kind in {"result", "release", "set"} else None,
        void_event_id=f"{player_id}-{one.takes_out}" if kind == "void" else None,
        score_version=one.score_version,
        revision=one.revision,
        change_no=number,
    )


def _row(player_id: str, event: FoldedEvent, old: int | None, new: int | None) -> dict[str, Any]:
    is_sent = event.kind in {"result", "correction", "void"}
    return {
        **event._asdict(),
        "player_id": player_id,
        "group": 0 if is_sent else 1,
        "outcome": ("improved" if old != new else "not_improved")
        if event.kind in {"result", "release"}
        else "corrected",
        "receipt": new,
        "visible": 2 if old != new else None,
        "old": old,
        "new": new,
        "now": datetime.now(UTC),
    }


def _rows_of_results(player_id: str, scores: list[int]) -> list[dict[str, Any]]:
    rows, best = [], None
    for number, score in enumerate(scores, 1):
        event = FoldedEvent(
            f"{player_id}-{number}", "result", score, score_version=number, change_no=number
        )
        after = score if best is None else max(best, score)
        rows.append(_row(player_id, event, best, after))
        best = after
    return rows


def _insert(superuser: Superuser, slug: str, rows: list[dict[str, Any]]) -> None:
    namespace = Season.objects.get(slug=slug).namespace
    with superuser.cursor() as cursor:
        cursor.executemany(INSERT, [{**row, "namespace": namespace} for row in rows])


def _folded(superuser: Superuser, slug: str, player_id: str) -> Any:
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug)
        superuser.execute("INSERT INTO proof_asked VALUES (%s, 2)", [player_id])
        return superuser.execute(FOLDED).fetchone()


def _player(superuser: Superuser, slug: str, player_id: str) -> Any:
    namespace = Season.objects.get(slug=slug).ledger_namespace
    with superuser.transaction(force_rollback=True):
        _make_work(superuser, slug)
        superuser.execute(str(FOLD_LEDGER).encode(), {"ledger_namespace": namespace, "version": 2})
        return superuser.execute(PLAYER, [player_id]).fetchone()


def _make_work(superuser: Superuser, slug: str) -> None:
    namespace = Season.objects.get(slug=slug).ledger_namespace
    superuser.execute(str(CREATE_WORK.literal(namespace=namespace)).encode())
