"""Bucket arithmetic against counting one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import rules
from leaderboard.rules import BucketLayout, Counts
from tests.oracle import display_order

SHAPES = st.tuples(st.integers(1, 6), st.integers(1, 6))


@st.composite
def counts(draw: st.DrawFn) -> Counts:
    buckets, width = draw(SHAPES)
    cells = st.lists(st.integers(0, 5), min_size=buckets * width, max_size=buckets * width)
    return np.asarray(draw(cells), dtype=np.int64).reshape(buckets, width)


SCORES = st.lists(st.integers(0, 6), max_size=12).map(lambda scores: sorted(scores, reverse=True))


@pytest.mark.parametrize(
    ("scores", "layout"),
    [
        ((0, 1), BucketLayout(0, 2, 1)),
        ((0, 42), BucketLayout(0, 43, 1)),
        ((0, 249), BucketLayout(0, 250, 1)),
        ((0, 250), BucketLayout(0, 250, 2)),
        ((0, 600), BucketLayout(0, 250, 3)),
        ((100, 900), BucketLayout(100, 250, 4)),
        ((0, 1_000_000), BucketLayout(0, 250, 4001)),
        ((0, 3_999_999), BucketLayout(0, 977, 4095)),
    ],
)
def test_buckets_are_250_wide_unless_the_season_has_fewer_or_very_many_scores(
    scores: tuple[int, int], layout: BucketLayout
) -> None:
    assert rules.layout_for(*scores) == layout


@given(lowest=st.integers(0, 10**9), scores=st.integers(2, 4_000_000))
def test_buckets_cover_the_range_of_scores_once(lowest: int, scores: int) -> None:
    layout = rules.layout_for(lowest, lowest + scores - 1)
    assert layout.range_of(0)[0] == lowest
    last = layout.range_of(layout.buckets - 1)
    assert last[0] <= lowest + scores - 1 <= last[1]
    assert layout.buckets <= rules.MOST_BUCKETS
    if layout.buckets > 1:
        assert layout.range_of(1)[0] == layout.range_of(0)[1] + 1
        assert layout.bucket_width >= rules.NARROWEST_BUCKET


@given(counts=counts())
def test_above_is_how_many_of_the_bucket_stand_higher(counts: Counts) -> None:
    expected = [[int(row[place + 1 :].sum()) for place in range(len(row))] for row in counts]
    above = rules.above_of_counts(counts)
    assert above.tolist() == expected
    assert rules.counts_of_above(above, counts.sum(axis=1)).tolist() == counts.tolist()


@given(members=st.lists(st.integers(0, 9), min_size=1, max_size=200))
def test_a_prefix_is_how_many_stand_in_higher_buckets(members: list[int]) -> None:
    prefixes = rules.prefixes_of_members(np.asarray(members, dtype=np.int64))
    assert prefixes.tolist() == [sum(members[bucket + 1 :]) for bucket in range(len(members))]
    assert rules.members_of_prefixes(prefixes, sum(members)).tolist() == members


@given(values=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=200))
def test_what_is_stored_comes_back(values: list[int]) -> None:
    array = np.asarray(values, dtype=np.int64)
    assert rules.encoded(array) == b"".join(value.to_bytes(4, "big") for value in values)
    assert rules.decoded([rules.encoded(array)]).tolist() == values
    halves = [rules.encoded(array[:7]), rules.encoded(array[7:])]
    assert rules.decoded(halves).tolist() == values


@given(left=SCORES, reached=SCORES)
def test_a_score_gains_who_reached_it_and_loses_who_left_it(
    left: list[int], reached: list[int]
) -> None:
    gained = Counter(reached)
    gained.subtract(left)
    deltas = rules.deltas_of_moves(_shared(left), _shared(reached))
    assert deltas.members == len(reached) - len(left)
    assert deltas.score_sum == sum(reached) - sum(left)
    scores, players = rules.net_by_score(deltas)
    found = list(zip(scores.tolist(), players.tolist(), strict=True))
    assert found == sorted((score, players) for score, players in gained.items() if players)


def test_an_incomplete_last_value_is_left_out() -> None:
    assert rules.decoded([b"\0\0\0\1\0\0"]).tolist() == [1]
    assert rules.decoded([]).tolist() == []


def _shared(scores: list[int]) -> rules.Keys:
    return rules.Keys(np.asarray(scores, dtype=np.int64), np.zeros(len(scores), dtype=np.int64))


def _keys(scores: list[int]) -> list[rules.Key]:
    return [(score, 0) for score in scores]


def _board(scores: list[int]) -> list[int]:
    board = {f"player-{place:02}": score for place, score in enumerate(scores)}
    return [rank for rank, _, _ in display_order(board)]


@pytest.mark.parametrize(
    ("scores", "ranks"),
    [
        ([], []),
        ([5], [1]),
        ([101, 100, 100, 99], [1, 2, 2, 4]),
        ([9, 7, 7, 7, 3], [1, 2, 2, 2, 5]),
        ([5, 5, 3], [1, 1, 3]),
        ([0, 0, 0], [1, 1, 1]),
    ],
)
def test_ties_share_a_rank_and_leave_a_gap(scores: list[int], ranks: list[int]) -> None:
    assert rules.competition_ranks(_keys(scores)) == ranks


@given(scores=SCORES)
def test_ranks_from_the_top_are_those_of_counting(scores: list[int]) -> None:
    assert rules.competition_ranks(_keys(scores)) == _board(scores)


@given(scores=SCORES.filter(bool), data=st.data())
def test_ranks_in_any_window_follow_from_its_first_row(
    scores: list[int], data: st.DataObject
) -> None:
    ranks = _board(scores)
    first = data.draw(st.integers(0, len(scores) - 1))
    last = data.draw(st.integers(first + 1, len(scores)))
    found = rules.ranks_in_window(
        _keys(scores)[first:last],
        rank_of_first=ranks[first],
        tied_with_first=scores.count(scores[first]),
    )
    assert found == ranks[first:last]


@given(
    above=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=50),
    members=st.integers(0, 200_000),
)
def test_counts_of_a_bucket_come_back_short_or_long(above: list[int], members: int) -> None:
    counts = np.minimum(np.asarray(above, dtype=np.int64), members)
    (bits,) = rules.bits_a_count(np.asarray([members])).tolist()
    stored = rules.encoded_above(counts, bits)
    if not members:
        assert (bits, stored) == (0, b"")
        return
    assert 8 * len(stored) == len(above) * bits == len(above) * (16 if members < 2**16 else 32)
    assert rules.decoded_above(stored, members).tolist() == counts.tolist()
