"""A player's state and receipts against a plain recomputation of the whole history."""

from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.simulation.folding import (
    REMEMBERED,
    Act,
    Kind,
    Player,
    Standing,
    brought_in,
    fold,
    step,
)


class Draw(NamedTuple):
    kind: Kind
    version: int
    score: int
    back: int


DRAWS = st.lists(
    st.builds(
        Draw,
        st.sampled_from(Kind),
        st.integers(-1, 3),
        st.integers(0, 5),
        st.integers(1, REMEMBERED),
    ),
    max_size=40,
)


class Plain:
    """The rules read once more: everything ever accepted is folded anew each time."""

    def __init__(self) -> None:
        self.counting: list[Act] = []
        self.version = 0

    def state(self) -> tuple[int | None, bool]:
        best: int | None = None
        removed = False
        for act in sorted(self.counting, key=lambda act: act.version):
            if act.kind is Kind.RESULT:
                best = max(best if best is not None else -1, act.score or 0)
            elif act.kind is Kind.REMOVAL:
                removed = True
            else:
                best, removed = act.score, False
        return best, removed

    def take(self, act: Act) -> tuple[str, int | None]:
        before, _ = self.state()
        if act.version <= self.version:
            return "stale_version", before
        self.version = act.version
        if act.kind is Kind.VOID:
            self.counting = [one for one in self.counting if one.event_id != act.target]
        else:
            self.counting.append(act)
        best, removed = self.state()
        if act.kind is not Kind.RESULT:
            return "corrected", None if removed else best
        return "not_improved" if best == before else "improved", best


@given(DRAWS)
def test_each_receipt_is_what_folding_everything_gives(draws: list[Draw]) -> None:
    player, plain = Player(), Plain()
    for number, draw in enumerate(draws):
        targets = player.recent[-draw.back :]
        kind = draw.kind if targets or draw.kind is not Kind.VOID else Kind.RESULT
        act = Act(
            str(number),
            "p",
            kind,
            max(1, (player.version or 0) + draw.version),
            draw.score if kind in (Kind.RESULT, Kind.CORRECTION) else None,
            targets[0].event_id if kind is Kind.VOID else None,
        )
        shown = player.standing.shown
        player, effect = step(player, act)
        assert (effect.outcome, effect.best) == plain.take(act)
        assert (player.version or 0) == plain.version
        assert player.standing == Standing(*plain.state())
        assert effect.moved == (None if shown == player.standing.shown else effect.moved)
        if effect.moved is not None:
            assert effect.moved == (shown, player.standing.shown)
        assert len(player.recent) <= REMEMBERED


def test_voiding_a_removal_brings_back_what_was_played_meanwhile() -> None:
    player = brought_in(100)
    for act in (
        Act("a", "p", Kind.REMOVAL, 1),
        Act("b", "p", Kind.RESULT, 2, 150),
        Act("c", "p", Kind.VOID, 3, target="a"),
    ):
        player, effect = step(player, act)
    assert player.standing == Standing(150)
    assert effect.moved == (None, 150)


def test_nothing_folds_to_nobody() -> None:
    assert fold(Standing(), []).shown is None
