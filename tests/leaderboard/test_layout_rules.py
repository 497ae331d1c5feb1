"""Layouts of ordered boards: what they cost, and which buckets are joined and cut for others."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from leaderboard import rules
from leaderboard.rules import Boundaries, Buckets, Key, LayoutFigures, layouts, ordered
from tests.leaderboard.test_ordered_rules import (
    ABOVE_ALL,
    KEY,
    KEYS,
    as_keys,
    begins_of,
    boundaries_from,
    order,
    pieces_of,
)

PLAYERS = st.lists(KEY, max_size=60)


def filled(begins: list[Key], keys: list[Key]) -> Buckets:
    """Return buckets that begin at some keys, with players on others."""
    boundaries = boundaries_from(begins)
    places = rules.buckets_of(boundaries, as_keys(keys))
    return Buckets(boundaries, np.bincount(places, minlength=len(boundaries.scores)))


def inside(buckets: Buckets, bucket: int, keys: list[Key]) -> list[Key]:
    places = rules.buckets_of(buckets.boundaries, as_keys(keys)).tolist()
    return [key for key, place in zip(keys, places, strict=True) if place == bucket]


def cut(buckets: Buckets, chosen: list[int], keys: list[Key], size: int) -> Buckets:
    """Cut as the step does, by keys in place of the bests."""
    for bucket in sorted(chosen, reverse=True):
        begin = begins_of(buckets.boundaries)[bucket]
        end = list(zip(*(part.tolist() for part in buckets.boundaries.ends), strict=True))[bucket]
        pieces = pieces_of(inside(buckets, bucket, keys), size)
        buckets = rules.with_buckets(buckets, bucket, rules.split(begin, end, pieces, size))
    return buckets


def require_true(buckets: Buckets, keys: list[Key]) -> None:
    """The boundaries are in order, and each bucket has the players that it counts."""
    assert begins_of(buckets.boundaries) == begins_of(
        boundaries_from(begins_of(buckets.boundaries))
    )
    counted = filled(begins_of(buckets.boundaries), keys)
    assert buckets.members.tolist() == counted.members.tolist()


@given(begins=KEYS, keys=PLAYERS, at_once=st.integers(4, 12))
def test_evened_out_buckets_have_the_size_of_a_bucket_or_one_key(
    begins: list[Key], keys: list[Key], at_once: int
) -> None:
    before = filled(begins, keys)
    with (
        patch.object(ordered, "BUCKET_SIZE", 4),
        patch.object(layouts, "PLAYERS_AT_ONCE", at_once),
    ):
        joined, chosen = rules.to_even_out(before)
        require_true(joined, keys)
        after = cut(joined, chosen, keys, 4)
    require_true(after, keys)
    assert after.members.sum() == len(keys)
    for bucket, players in enumerate(after.members.tolist()):
        assert players < 8 or len(set(inside(after, bucket, keys))) == 1


@given(begins=KEYS, keys=PLAYERS, at_once=st.integers(4, 12))
def test_no_more_players_are_read_at_once_than_fit_or_a_bucket_had(
    begins: list[Key], keys: list[Key], at_once: int
) -> None:
    before = filled(begins, keys)
    with (
        patch.object(ordered, "BUCKET_SIZE", 4),
        patch.object(layouts, "PLAYERS_AT_ONCE", at_once),
    ):
        joined, chosen = rules.to_even_out(before)
    for bucket in chosen:
        assert joined.members[bucket] <= max(at_once, before.members.max())


def test_a_key_with_a_bucket_to_itself_is_not_read() -> None:
    keys = [(7, 0)] * 3 + [(6, 0)] * 3 + [(5, 0)] * 10 + [(4, 0)] * 3 + [(3, 0)] * 3
    before = filled([(6, 0), (5, 0), (5, 1), (3, 0)], keys)
    with patch.object(ordered, "BUCKET_SIZE", 4):
        joined, chosen = rules.to_even_out(before)
    assert begins_of(joined.boundaries) == [(5, 1), (5, 0), ABOVE_ALL]
    assert joined.members.tolist() == [6, 10, 6]
    assert chosen == [0, 2]


def test_a_board_with_few_players_gets_one_bucket() -> None:
    joined, chosen = rules.to_even_out(filled([(5, 0), (3, 2)], [(4, 0)] * 900))
    assert begins_of(joined.boundaries) == [ABOVE_ALL]
    assert (joined.members.tolist(), chosen) == ([900], [])


@given(begins=KEYS, wanted=KEYS, keys=PLAYERS)
def test_buckets_begin_where_they_are_told_and_elsewhere_only_in_a_crowd(
    begins: list[Key], wanted: list[Key], keys: list[Key]
) -> None:
    before, told = filled(begins, keys), boundaries_from(wanted)
    union = before
    missing = rules.missing_begins(before.boundaries, told)
    for bucket in sorted(missing, reverse=True):
        begun = [
            (key, sum(order(one) < order(key) for one in inside(before, bucket, keys)))
            for key in missing[bucket]
        ]
        union = rules.begun_anew(union, bucket, begun)
    require_true(union, keys)
    assert set(begins_of(union.boundaries)) == {*begins_of(before.boundaries), *begins_of(told)}
    with patch.object(ordered, "SPLIT_ABOVE", 6), patch.object(ordered, "BUCKET_SIZE", 3):
        joined, chosen = rules.to_begin_at(union, told)
        after = cut(joined, chosen, keys, 3)
    require_true(after, keys)
    assert set(begins_of(after.boundaries)) >= set(begins_of(told))
    for bucket in range(len(after.members)):
        at_once = set(inside(after, bucket, keys))
        assert after.members[bucket] <= 6 or len(at_once) == 1
    few = filled(begins_of(told), keys)
    if few.members.max() <= 6:
        assert begins_of(after.boundaries) == begins_of(told)


@given(begins=KEYS, keys=PLAYERS)
def test_the_figures_are_what_counting_says(begins: list[Key], keys: list[Key]) -> None:
    found = rules.layout_figures(filled(begins, keys))
    ends = [*pairwise(begins_of(boundaries_from(begins)))]
    one_key = {begin for end, begin in ends if (begin[0], begin[1] + 1) == end}
    buckets = filled(begins, keys)
    counted = [
        before
        for begin, players in zip(
            begins_of(buckets.boundaries), buckets.members.tolist(), strict=True
        )
        for before in (range(players) if begin not in one_key else [0] * players)
    ]
    assert found.buckets == len(buckets.members)
    assert found.fullest == buckets.members.max()
    assert found.mean_counted == pytest.approx(sum(counted) / max(1, len(keys)))
    assert found.most_counted == max(counted, default=0)
    assert found.bytes_a_version == 4 * found.buckets


@pytest.mark.parametrize(
    ("change", "worth"),
    [
        ({}, False),
        ({"mean_counted": 81.0, "most_counted": 801, "bytes_a_version": 3_201}, False),
        ({"mean_counted": 80.0}, True),
        ({"most_counted": 800}, True),
        ({"bytes_a_version": 3_200, "mean_counted": 500.0}, True),
        ({"buckets": 1, "fullest": 1}, False),
    ],
)
def test_a_layout_is_worth_it_if_something_falls_by_a_fifth(
    change: dict[str, float], *, worth: bool
) -> None:
    before = LayoutFigures(1_000, 1_001, 100.0, 1_000, 4_000)
    after = LayoutFigures._make({**before._asdict(), **change}.values())
    assert rules.is_worth_it(before, after) == worth


def test_nothing_is_worth_it_on_a_board_that_costs_nothing() -> None:
    nothing = LayoutFigures(1, 1, 0.0, 0, 4)
    assert not rules.is_worth_it(nothing, nothing)


@given(begins=KEYS, older=KEYS)
def test_a_bucket_is_changed_if_no_older_one_has_its_ends(
    begins: list[Key], older: list[Key]
) -> None:
    def ranges(keys: list[Key]) -> list[tuple[Key, Key]]:
        return list(pairwise([rules.END_OF_ALL, *begins_of(boundaries_from(keys))]))

    found = rules.changed_buckets(boundaries_from(begins), boundaries_from(older)).tolist()
    assert found == [place not in ranges(older) for place in ranges(begins)]


@given(begins=KEYS, more=KEYS)
def test_boundaries_are_cut_from_older_ones_that_they_have(
    begins: list[Key], more: list[Key]
) -> None:
    assume(set(more) - set(begins) - {ABOVE_ALL})
    older, newer = boundaries_from(begins), boundaries_from([*begins, *more])
    assert rules.is_cut_from(older, older)
    assert rules.is_cut_from(newer, older)
    assert not rules.is_cut_from(older, newer)


@given(members=st.lists(st.integers(0, 9), min_size=1, max_size=8), wanted=st.integers(1, 12))
def test_places_are_spread_over_all_players(members: list[int], wanted: int) -> None:
    every = [(bucket, before) for bucket, has in enumerate(members) for before in range(has)]
    found = rules.spread_over(np.asarray(members), wanted)
    assert set(found) <= set(every)
    assert len(set(found)) == len(found) == min(wanted, len(every))
    if wanted > 1 and every:
        assert {every[0], every[-1]} <= set(found)


def test_boundaries_stand_lowest_first() -> None:
    found = rules.boundaries_at([(3, 7), (9, -5), (3, 2), (3, 7)])
    assert isinstance(found, Boundaries)
    assert begins_of(found) == [(3, 7), (3, 2), (9, -5)]
