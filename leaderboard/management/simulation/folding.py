"""What a player's events come to, by the rules of the contract. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
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
                if self.best is not None and self.best >= act.score:
                    return self
                return Standing(act.score, self.removed)
            case Kind.CORRECTION:
                return Standing(act.score)
            case _:
                return Standing(self.best, removed=True)


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
    base, recent = player.base, player.recent
    if act.kind is Kind.VOID:
        recent = tuple(one for one in recent if one.event_id != act.target)
        standing = fold(base, recent)
    else:
        recent = (*recent, act)
        standing = player.standing.after(act)
    if len(recent) > REMEMBERED:
        base, recent = base.after(recent[0]), recent[1:]
    after = Player(standing, act.version, base=base, recent=recent)
    return after, _effect(player.standing, standing, act)


def _effect(before: Standing, after: Standing, act: Act) -> Effect:
    moved = None if before.shown == after.shown else (before.shown, after.shown)
    if act.kind is not Kind.RESULT:
        return Effect("corrected", after.shown, act.version, moved)
    outcome = "not_improved" if before.best == after.best else "improved"
    return Effect(outcome, after.best, act.version, moved)
