"""The receipts that a request must get, worked out before it is sent. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from leaderboard.management.simulation.folding import Act, Player, step

Json = dict[str, Any]
MEMBERS = {
    "event_id",
    "player_id",
    "outcome",
    "replayed",
    "best_score",
    "score_version",
    "visible_in_version",
}
MOVED_TO, LATE_MOVED = "moved_to", "late_moved"


@dataclass(frozen=True, slots=True)
class Item:
    """
    One event of a request as one season has it: what it means, what is sent, what is known.

    `first` is the receipt it had when it was sent before; a `clash` bears the id of another event.
    """

    act: Act
    body: Json
    first: Json | None = None
    clash: bool = False


@dataclass(frozen=True, slots=True)
class Expected:
    """What the receipt of one item must say. More than one state fits where the order is open."""

    outcome: str
    stored: tuple[tuple[int | None, int | None], ...] = ()
    moved: tuple[int | None, int | None] | None = None
    contact: bool = False
    first: Json | None = None
    twin: int | None = None


def expect(
    items: Sequence[Item], players: Mapping[str, Player]
) -> tuple[dict[str, Player], list[Expected]]:
    """Return the players after a request, and what each receipt must say, in request order."""
    known: list[Expected | None] = []
    fresh: dict[str, int] = {}
    for at, item in enumerate(items):
        known.append(_known(item, fresh.get(item.act.event_id)))
        if known[-1] is None and not item.clash:
            fresh[item.act.event_id] = at
    after, found, stored = _play([(at, items[at].act) for at in fresh.values()], players)
    return after, [
        known[at] or found.get(at) or _without_effect(item, players, stored)
        for at, item in enumerate(items)
    ]


def _known(item: Item, twin: int | None) -> Expected | None:
    if item.clash:
        return None
    if item.first is not None:
        return Expected(item.first["outcome"], first=item.first)
    return None if twin is None else Expected("", twin=twin)


def _play(
    acts: list[tuple[int, Act]], players: Mapping[str, Player]
) -> tuple[dict[str, Player], dict[int, Expected], dict[str, list[Player]]]:
    after: dict[str, Player] = {}
    found: dict[int, Expected] = {}
    passed: dict[str, list[Player]] = {}
    counting = [pair for pair in acts if not pair[1].ruled_out]
    for at, act in sorted(counting, key=lambda pair: (pair[1].version, pair[0])):
        before = after.get(act.player_id) or players[act.player_id]
        now, effect = step(before, act)
        after[act.player_id] = now
        passed.setdefault(act.player_id, [before]).append(now)
        stored = [(effect.best, effect.version)]
        if effect.outcome == "stale_version" and before.standing.removed:
            stored.append((None, effect.version))
        found[at] = Expected(effect.outcome, tuple(stored), effect.moved, before.contact)
    return after, found, passed


def _without_effect(
    item: Item, players: Mapping[str, Player], passed: Mapping[str, list[Player]]
) -> Expected:
    """Expect any state of the batch: a conflict or a late event has no place among the others."""
    name = item.act.player_id
    states = passed.get(name) or [players[name]]
    stored = [(state.standing.best, state.version) for state in states]
    stored += [(None, state.version) for state in states if state.standing.removed]
    return Expected("conflict" if item.clash else item.act.ruled_out or "", tuple(stored))


def difference(expected: Expected, receipt: Json, *, replayed: bool | None) -> str | None:
    """
    Return in words how a receipt differs from what it must say; None if it does not.

    `replayed` is what that member must be, None where the request was repeated after no answer.
    """
    if set(receipt) - {MOVED_TO} != MEMBERS or (MOVED_TO in receipt) != _is_moved(receipt):
        return f"members {sorted(receipt)}"
    if replayed is not None and receipt["replayed"] is not replayed:
        return f"replayed is {receipt['replayed']}"
    if expected.first is not None:
        same = {**receipt, "replayed": False} == {**expected.first, "replayed": False}
        return None if same else f"a repeated event had {expected.first} first"
    return _difference_of_content(expected, receipt)


def learned(expected: Expected, receipt: Json) -> bool:
    """Return whether a first contact found that somebody gave a newer version before."""
    return expected.contact and bool(receipt.get("outcome") == "stale_version")


def _is_moved(receipt: Json) -> bool:
    return bool(receipt["outcome"] == LATE_MOVED)


def _difference_of_content(expected: Expected, receipt: Json) -> str | None:
    if learned(expected, receipt):
        return None
    if receipt["outcome"] != expected.outcome:
        return f"outcome should be {expected.outcome}"
    if (receipt["best_score"], receipt["score_version"]) not in expected.stored:
        return f"stored is {expected.stored[0][0]} at version {expected.stored[0][1]}"
    if (receipt["visible_in_version"] is not None) != (expected.moved is not None):
        return f"the shown score goes {expected.moved or 'nowhere'}"
    return None
