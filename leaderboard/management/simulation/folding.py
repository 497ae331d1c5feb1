"""What a player's events come to, by the rules of the contract. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

REMEMBERED = 8


class Kind(Enum):
    """What an act asks for."""

    RESULT = "result"
    CORRECTION = "correction"
    REMOVAL = "removal"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Act:
    """
    One event of one player, as sent.

    `ruled_out` is the outcome of a result that the season's times keep from counting.
    """

    event_id: str
    player_id: str
    kind: Kind
    version: int
    score: int | None = None
    target: str | None = None
    ruled_out: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What counts for a player: the best score so far, and whether it is hidden."""

    best: int | None = None
    removed: bool = False

    @property
    def shown(self) -> int | None:
        """The score on the board, None for a player who is not there."""
        return None if self.removed else self.best

    def after(self, act: Act) -> "Standing":
        """Return what counts after one more act that is not a void."""
        match act.kind:
            case Kind.RESULT:
                assert act.score is not None
                best = act.score if self.best is None else max(self.best, act.score)
                return replace(self, best=best)
            case Kind.CORRECTION:
                return Standing(act.score)
            case _:
                return replace(self, removed=True)


def fold(start: Standing, acts: Iterable[Act]) -> Standing:
    """Return what counts after all the acts, which are in order of version."""
    for act in acts:
        start = start.after(act)
    return start


@dataclass(frozen=True, slots=True)
class Player:
    """
    Everything stored about a player, as far as later receipts depend on it.

    `recent` are the last acts, which may still be voided; `base` is the fold of those before.
    `version` is unknown (`contact` is due) for a player whom somebody else brought in.
    """

    standing: Standing = Standing()
    version: int | None = None
    contact: bool = False
    base: Standing = Standing()
    recent: tuple[Act, ...] = ()


def brought_in(score: int) -> Player:
    """Return a player found on the board, of whom only the score is known."""
    return Player(Standing(score), contact=True, base=Standing(score))


@dataclass(frozen=True, slots=True)
class Effect:
    """What the receipt of an act must say, and the shown score before and after if it moved."""

    outcome: str
    best: int | None
    version: int | None
    moved: tuple[int | None, int | None] | None = None


def step(player: Player, act: Act) -> tuple[Player, Effect]:
    """Return the player after an act that is not ruled out, and the act's effect."""
    if player.version is not None and act.version <= player.version:
        return player, Effect("stale_version", player.standing.best, player.version)
    recent = _without(player.recent, act) if act.kind is Kind.VOID else (*player.recent, act)
    base = player.base
    while len(recent) > REMEMBERED:
        base, recent = base.after(recent[0]), recent[1:]
    after = Player(fold(base, recent), act.version, base=base, recent=recent)
    return after, _effect(player.standing, after.standing, act)


def _without(recent: tuple[Act, ...], void: Act) -> tuple[Act, ...]:
    return tuple(act for act in recent if act.event_id != void.target)


def _effect(before: Standing, after: Standing, act: Act) -> Effect:
    moved = None if before.shown == after.shown else (before.shown, after.shown)
    if act.kind is not Kind.RESULT:
        return Effect("corrected", after.shown, act.version, moved)
    outcome = "not_improved" if before.best == after.best else "improved"
    return Effect(outcome, after.best, act.version, moved)
