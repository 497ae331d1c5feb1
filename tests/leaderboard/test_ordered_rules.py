"""The buckets of ordered boards: which one a key lies in, and how a crowded one is cut."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import rules
from leaderboard.rules import Boundaries, Buckets, Key, Keys, Piece, ordered

KEY = st.tuples(st.integers(0, 6), st.integers(0, 3))
KEYS = st.lists(KEY, max_size=30)
ABOVE_ALL = (9, rules.LOWEST_TIE_KEY)


def order(key: Key) -> Key:
    """Return what sorts keys best first."""
    return -key[0], key[1]


def boundaries_from(keys: list[Key]) -> Boundaries:
    lowest_first = sorted({*keys, ABOVE_ALL}, key=order, reverse=True)
    return Boundaries(*np.asarray(lowest_first, dtype=np.int64).reshape(-1, 2).T)


def as_keys(keys: list[Key]) -> Keys:
    return Keys(*np.asarray(keys, dtype=np.int64).reshape(-1, 2).T)


def begins_of(boundaries: Boundaries) -> list[Key]:
    return list(zip(boundaries.scores.tolist(), boundaries.tie_keys.tolist(), strict=True))


@given(begins=KEYS, keys=KEYS)
def test_a_key_lies_in_the_lowest_bucket_that_begins_no_later(
    begins: list[Key], keys: list[Key]
) -> None:
    boundaries = boundaries_from(begins)
    found = rules.buckets_of(boundaries, as_keys(keys)).tolist()
    for key, bucket in zip(keys, found, strict=True):
        reached = [
            number
            for number, begin in enumerate(begins_of(boundaries))
            if order(begin) <= order(key)
        ]
        assert bucket == min(reached)


@given(begins=KEYS, keys=KEYS)
def test_a_bucket_has_the_scores_from_its_lowest_to_its_highest(
    begins: list[Key], keys: list[Key]
) -> None:
    boundaries = boundaries_from(begins)
    histogram = boundaries.histogram(np.zeros(len(boundaries.scores), dtype=np.int64), 0)
    lowest, highest = histogram.lowest.tolist(), histogram.highest.tolist()
    assert highest == [score for score, _ in begins_of(boundaries)]
    places = rules.buckets_of(boundaries, as_keys(keys)).tolist()
    for (score, _), bucket in zip(keys, places, strict=True):
        assert lowest[bucket] <= score <= highest[bucket]
    for (score, tie_key), following in zip(begins_of(boundaries), lowest[1:], strict=False):
        assert following == score + (tie_key == rules.LOWEST_TIE_KEY)


def test_a_bucket_of_one_key_alone_has_one_score() -> None:
    boundaries = boundaries_from([(5, 2), (5, 3), (4, rules.LOWEST_TIE_KEY), (0, 1)])
    histogram = boundaries.histogram(np.asarray([1, 1, 1, 9_000, 1]), 0)
    assert list(zip(*(column.tolist() for column in histogram[:2]), strict=True)) == [
        (0, 0), (0, 4), (5, 5), (5, 5), (5, 9),
    ]  # fmt: skip
    assert rules.buckets_to_open(histogram, range(10), range(1, 9_005)) == [1, 4]


@given(begins=KEYS, others=KEYS, keys=KEYS)
def test_a_bucket_that_is_the_same_in_both_has_the_same_players(
    begins: list[Key], others: list[Key], keys: list[Key]
) -> None:
    boundaries, before = boundaries_from(begins), boundaries_from([*others, *begins[::2]])
    same = rules.same_buckets(boundaries, before).tolist()
    members, had = (
        np.bincount(rules.buckets_of(one, as_keys(keys)), minlength=len(one.scores)).tolist()
        for one in (boundaries, before)
    )
    for bucket, number in enumerate(same):
        if number >= 0:
            assert members[bucket] == had[number]
    assert rules.same_buckets(before, before).tolist() == list(range(len(had)))
    added = set(begins_of(boundaries)) - set(begins_of(before))
    assert all(same[begins_of(boundaries).index(begin)] == -1 for begin in added)


@given(keys=st.lists(KEY, min_size=1, max_size=60))
def test_a_cut_bucket_keeps_its_players_and_isolates_crowds(keys: list[Key]) -> None:
    whole = boundaries_from([])
    pieces = pieces_of(keys, size=4)
    with patch.object(ordered, "BUCKET_SIZE", 4):
        begins = rules.split(ABOVE_ALL, rules.END_OF_ALL, pieces)
    boundaries, members = rules.with_buckets(Buckets(whole, np.asarray([len(keys)])), 0, begins)
    assert begins_of(boundaries) == begins_of(boundaries_from(begins_of(boundaries)))
    counted = np.bincount(rules.buckets_of(boundaries, as_keys(keys)), minlength=len(members))
    assert members.tolist() == counted.tolist()
    places = rules.buckets_of(boundaries, as_keys(keys)).tolist()
    for bucket, players in enumerate(members.tolist()):
        inside = {key for key, place in zip(keys, places, strict=True) if place == bucket}
        assert players < 8 or len(inside) == 1


def test_a_crowd_at_the_end_of_a_bucket_leaves_its_end_as_it_is() -> None:
    pieces = [Piece(5, 0, 3, 40), Piece(4, 0, 43, 20)]
    with patch.object(ordered, "BUCKET_SIZE", 4):
        begins = rules.split((9, 0), (4, 1), pieces)
    assert [(piece.score, piece.tie_key) for piece in begins] == [(5, 0), (5, 1), (4, 0)]


@given(lowest=st.integers(0, 50), scores=st.integers(2, 500))
def test_the_first_buckets_cover_the_range_evenly(lowest: int, scores: int) -> None:
    highest = lowest + scores - 1
    boundaries = rules.first_boundaries(lowest, highest)
    assert boundaries.scores[-1] == highest
    every = np.arange(lowest, highest + 1)
    sizes = np.bincount(
        rules.buckets_of(boundaries, Keys(every, np.zeros_like(every))),
        minlength=len(boundaries.scores),
    )
    assert sizes.sum() == scores
    assert sizes.max() - sizes.min() <= 1


def pieces_of(keys: list[Key], size: int) -> list[Piece]:
    """Return what `pieces_of_bucket` would: keys that begin a piece, or have a crowd."""
    found, before, last = [], 0, 0
    for key in sorted(set(keys), key=order):
        players = keys.count(key)
        if players >= size or before // size > last // size:
            found.append(Piece(*key, before, players))
        last, before = before, before + players
    return found
