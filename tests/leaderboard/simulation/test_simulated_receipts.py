"""The receipts expected of a batch, and what a receipt that differs is told."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.simulation.folding import Act, Kind, Player, brought_in, step
from leaderboard.management.simulation.receipts import Expected, Item, difference, expect

PLAYERS = {"new": Player(), "old": brought_in(3)}
DRAWS = st.lists(
    st.tuples(st.sampled_from(sorted(PLAYERS)), st.integers(1, 4), st.integers(0, 6)), max_size=12
)
RECEIPT = {
    "event_id": "a",
    "player_id": "new",
    "outcome": "improved",
    "replayed": False,
    "best_score": 5,
    "score_version": 1,
    "visible_in_version": 7,
}


def item(event_id: str, player: str, version: int, score: int) -> Item:
    return Item(Act(event_id, player, Kind.RESULT, version, score), {})


@given(DRAWS)
def test_a_players_events_count_by_version_and_equal_ones_in_request_order(
    draws: list[tuple[str, int, int]],
) -> None:
    items = [item(str(number), *draw) for number, draw in enumerate(draws)]
    after, expected = expect(items, PLAYERS)
    for name, state in PLAYERS.items():
        own = [pair for pair in zip(items, expected, strict=True) if pair[0].act.player_id == name]
        for one, awaited in sorted(own, key=lambda pair: pair[0].act.version):
            state, effect = step(state, one.act)
            assert awaited.outcome == effect.outcome
            assert awaited.stored[0] == (effect.best, effect.version)
            assert awaited.moved == effect.moved
        assert after.get(name, PLAYERS[name]) == state


def test_changes_of_one_player_in_a_batch_join() -> None:
    items = [item("c", "new", 3, 9), item("a", "new", 1, 5), item("b", "new", 2, 7)]
    _, expected = expect(items, PLAYERS)
    moves = [expected[at].moved for at in (1, 2, 0)]
    assert moves == [(None, 5), (5, 7), (7, 9)]
    assert all(one and other and one[1] == other[0] for one, other in pairwise(moves))


def test_the_second_of_two_equal_events_in_a_batch_is_a_replay_of_the_first() -> None:
    one = item("a", "new", 1, 5)
    _, expected = expect([one, one], PLAYERS)
    assert (expected[0].outcome, expected[1].twin) == ("improved", 0)


def test_an_event_known_from_before_has_its_first_receipt() -> None:
    again = Item(Act("a", "new", Kind.RESULT, 1, 5), {}, first=RECEIPT)
    after, expected = expect([again], PLAYERS)
    assert after == {}
    assert difference(expected[0], {**RECEIPT, "replayed": True}, replayed=True) is None
    assert difference(expected[0], {**RECEIPT, "replayed": True, "best_score": 6}, replayed=True)
    assert difference(expected[0], RECEIPT, replayed=True)


def test_a_clash_is_a_conflict_and_tells_what_is_stored() -> None:
    clash = Item(Act("a", "old", Kind.RESULT, 9, 100), {}, clash=True)
    after, expected = expect([clash], {"old": brought_in(3)})
    assert after == {}
    assert (expected[0].outcome, expected[0].stored) == ("conflict", ((3, None),))


def test_a_result_ruled_out_by_time_changes_nothing_and_may_tell_any_state_of_the_batch() -> None:
    early = Item(Act("a", "old", Kind.RESULT, 1, 500, ruled_out="before_start"), {})
    after, expected = expect([early, item("b", "old", 2, 9)], PLAYERS)
    assert expected[0] == Expected("before_start", ((3, None), (9, 2)))
    assert after["old"].standing.best == 9


def test_each_member_of_a_receipt_is_compared() -> None:
    expected = Expected("improved", ((5, 1),), moved=(None, 5))
    assert difference(expected, RECEIPT, replayed=False) is None
    for member, wrong in (
        ("outcome", "not_improved"),
        ("replayed", True),
        ("best_score", 4),
        ("score_version", 2),
        ("visible_in_version", None),
    ):
        assert difference(expected, {**RECEIPT, member: wrong}, replayed=False), member
    assert difference(expected, {**RECEIPT, "more": 1}, replayed=False)
    assert difference(expected, {**RECEIPT, "replayed": True}, replayed=None) is None


def test_a_first_contact_may_find_a_newer_version() -> None:
    _, expected = expect([item("a", "old", 1, 5)], PLAYERS)
    stale = {**RECEIPT, "outcome": "stale_version", "score_version": 99, "best_score": 3}
    assert difference(expected[0], stale, replayed=False) is None
