"""How players are spread over scores: bucket arithmetic against counting one by one."""

import itertools
from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import rules
from leaderboard.rules import BucketLayout, Histogram, ScoreCounts


class Spread(NamedTuple):
    """Players in buckets, which may share the scores that they meet at."""

    histogram: Histogram
    buckets: list[list[int]]

    @property
    def scores(self) -> list[int]:
        return sorted(score for bucket in self.buckets for score in bucket)

    def opened(self, buckets: list[int]) -> dict[int, ScoreCounts]:
        """Return what is to be known of these buckets, and of no other."""
        counted = {bucket: Counter(self.buckets[bucket]) for bucket in buckets}
        return {
            bucket: ScoreCounts(
                np.asarray(sorted(counts)), np.asarray([counts[score] for score in sorted(counts)])
            )
            for bucket, counts in counted.items()
        }


@st.composite
def spreads(draw: st.DrawFn) -> Spread:
    bounds = sorted(draw(st.lists(st.integers(0, 9), min_size=2, max_size=7)))
    pairs = list(itertools.pairwise(bounds))
    buckets: list[list[int]] = [[] for _ in pairs]
    for score in sorted(draw(st.lists(st.integers(bounds[0], bounds[-1]), max_size=15))):
        fits = [place for place, (low, high) in enumerate(pairs) if low <= score <= high]
        first = max((place for place in fits if buckets[place]), default=fits[0])
        buckets[draw(st.sampled_from([place for place in fits if place >= first]))].append(score)
    lowest, highest = np.asarray(pairs).T
    return Spread(Histogram(lowest, highest, np.asarray([*map(len, buckets)])), buckets)


@given(spread=spreads(), score=st.integers(-1, 11))
def test_below_a_score_are_those_who_have_less(spread: Spread, score: int) -> None:
    opening = rules.buckets_to_open(spread.histogram, [score], [])
    found = rules.players_below(spread.histogram, spread.opened(opening), score)
    assert found == sum(one < score for one in spread.scores)


@given(spread=spreads())
def test_a_place_has_the_score_that_stands_there(spread: Spread) -> None:
    for place, score in enumerate(spread.scores, 1):
        opening = rules.buckets_to_open(spread.histogram, [], [place])
        assert rules.score_of_place(spread.histogram, spread.opened(opening), place) == score


@given(spread=spreads(), scores=st.lists(st.integers(-1, 11)), data=st.data())
def test_buckets_are_opened_only_where_it_matters(
    spread: Spread, scores: list[int], data: st.DataObject
) -> None:
    everyone = len(spread.scores)
    places = data.draw(st.lists(st.integers(1, everyone)) if everyone else st.just([]))
    opening = rules.buckets_to_open(spread.histogram, scores, places)
    assert len(opening) == len(set(opening))
    lowest, highest, members = (column.tolist() for column in spread.histogram)
    for bucket in opening:
        before = sum(members[:bucket])
        assert members[bucket] > 0
        assert lowest[bucket] < highest[bucket]
        assert any(lowest[bucket] < score <= highest[bucket] for score in scores) or any(
            before < place <= before + members[bucket] for place in places
        )


@given(percentile=st.integers(1, 100), scores=st.lists(st.integers(0, 5), min_size=1))
def test_a_percentile_is_the_smallest_score_that_enough_players_have_or_less(
    percentile: int, scores: list[int]
) -> None:
    def enough(score: int) -> bool:
        return 100 * sum(one <= score for one in scores) >= percentile * len(scores)

    place = rules.place_of_percentile(percentile, len(scores))
    assert sorted(scores)[place - 1] == min(filter(enough, scores))


def test_nobody_has_no_percentile() -> None:
    assert rules.place_of_percentile(50, 0) == 0


@given(lowest=st.integers(0, 50), scores=st.integers(2, 100), ranges=st.integers(1, 200))
def test_ranges_cover_all_scores_once_and_are_as_equal_as_can_be(
    lowest: int, scores: int, ranges: int
) -> None:
    found = rules.equal_ranges(lowest, lowest + scores - 1, ranges)
    covered = [score for first, last in found for score in range(first, last + 1)]
    assert covered == list(range(lowest, lowest + scores))
    assert len(found) == min(ranges, scores)
    widths = {last - first for first, last in found}
    assert max(widths) - min(widths) <= 1


@pytest.mark.parametrize(
    ("ranges", "beginning", "end"),
    [
        (20, [(0, 49_999), (50_000, 99_999)], (950_000, 1_000_000)),
        (3, [(0, 333_332), (333_333, 666_666)], (666_667, 1_000_000)),
        (1, [], (0, 1_000_000)),
    ],
)
def test_ranges_of_the_usual_scores(
    ranges: int, beginning: list[tuple[int, int]], end: tuple[int, int]
) -> None:
    found = rules.equal_ranges(0, 1_000_000, ranges)
    assert (found[: len(beginning)], found[-1]) == (beginning, end)


def test_a_layout_says_which_scores_its_buckets_have() -> None:
    histogram = BucketLayout(100, 250, 3).histogram(np.asarray([4, 0, 1]), 700)
    assert [column.tolist() for column in histogram] == [
        [100, 350, 600],
        [349, 599, 700],
        [4, 0, 1],
    ]
