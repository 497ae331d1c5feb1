"""Gains of buckets: stored, read and settled, against counting in plain Python."""

import bisect
import itertools
import struct
from collections import Counter
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard import rules
from leaderboard.rules import BUCKETS_A_SLICE, BucketLayout, Counts, Entries, Gains, gains

LAYOUTS = st.builds(BucketLayout, st.just(100), st.integers(1, 5), st.integers(1, 70))
# The widest buckets there are, and a slice of them.
WIDEST = BucketLayout(0, 977, 4095)
PLAYERS = st.integers(-3, 3).filter(bool)


@st.composite
def gained(draw: st.DrawFn) -> tuple[BucketLayout, Gains]:
    layout = draw(LAYOUTS)
    scores = st.integers(0, layout.buckets * layout.bucket_width - 1)
    return layout, gains_from(draw(st.dictionaries(scores, PLAYERS, max_size=12)))


def gains_from(players: dict[int, int]) -> Gains:
    columns = zip(*sorted(players.items()), strict=True) if players else ((), ())
    return Gains(*(np.asarray(column, dtype=np.int64) for column in columns))


def as_dict(found: Gains) -> dict[int, int]:
    assert found.offsets.tolist() == sorted(set(found.offsets.tolist()))
    return dict(zip(found.offsets.tolist(), found.players.tolist(), strict=True))


def of_slices(layout: BucketLayout, entries: Entries) -> list[tuple[bytes, bytes]]:
    """Return places and gains as the row of each slice has them."""
    places, players, ends = rules.encoded_entries(layout, entries)
    cuts = [0, *(2 * end for end in ends)]
    assert len(ends) == -(-layout.buckets // BUCKETS_A_SLICE)
    nothing = gains.NOTHING_GAINED.to_bytes(2, "big")
    return [(places[a:b], nothing + players[a:b]) for a, b in itertools.pairwise(cuts)]


def stored_at(row: tuple[bytes, bytes], place: int) -> int:
    """Return what readers find for a place of a slice: the gain of the last entry up to it."""
    places = struct.unpack(f">{len(row[0]) // 2}h", row[0])
    players = struct.unpack(f">{len(row[1]) // 2}H", row[1])
    return int(players[bisect.bisect_right(places, place)]) - gains.NOTHING_GAINED


@given(gained())
def test_what_is_stored_comes_back(case: tuple[BucketLayout, Gains]) -> None:
    layout, told = case
    entries = rules.entries_of(layout, told)
    assert rules.are_whole(layout, entries)
    assert as_dict(rules.gains_of_entries(layout, entries)) == as_dict(told)
    sent = rules.decoded_entries(*zip(*of_slices(layout, entries), strict=True))
    assert [column.tolist() for column in sent] == [column.tolist() for column in entries]


@given(gained())
def test_a_place_says_how_many_more_of_its_bucket_stand_above_and_how_many_it_gained(
    case: tuple[BucketLayout, Gains],
) -> None:
    layout, told = case
    width, players = layout.bucket_width, as_dict(told)
    rows = of_slices(layout, rules.entries_of(layout, told))
    by_bucket = []
    for bucket in range(layout.buckets):
        number, in_slice = divmod(bucket, BUCKETS_A_SLICE)
        scores = [players.get(bucket * width + score, 0) for score in range(width)]
        expected = [sum(scores[score + 1 :]) for score in range(width)]
        lowest = in_slice * width
        found = [stored_at(rows[number], lowest + score) for score in range(width)]
        assert found == expected
        assert stored_at(rows[number], BUCKETS_A_SLICE * width + in_slice) == sum(scores)
        own = _own(rows[number], lowest, width)
        assert rules.gained_above(layout, bucket, *own).tolist() == expected
        by_bucket.append(sum(scores))
    assert rules.gained_by_bucket(layout, told).tolist() == by_bucket


def _own(row: tuple[bytes, bytes], lowest: int, width: int) -> tuple[bytes, bytes]:
    places = np.frombuffer(row[0], dtype=">i2")
    players = np.frombuffer(row[1][2:], dtype=">u2")
    chosen = (places >= lowest) & (places < lowest + width)
    return places[chosen].tobytes(), players[chosen].tobytes()


@given(case=gained(), data=st.data())
def test_gains_of_some_buckets_are_parted_from_those_of_others(
    case: tuple[BucketLayout, Gains], data: st.DataObject
) -> None:
    layout, told = case
    chosen = sorted(data.draw(st.sets(st.integers(0, layout.buckets - 1))))
    buckets = np.asarray(chosen, dtype=np.int64)
    inside, outside = map(as_dict, rules.parted(layout, told, buckets))
    assert inside | outside == as_dict(told)
    assert {offset // layout.bucket_width for offset in inside} <= set(chosen)
    assert not {offset // layout.bucket_width for offset in outside} & set(chosen)
    counts = rules.gained_by_score(layout, told, buckets)
    flat = dict(enumerate(counts.ravel().tolist()))
    width = layout.bucket_width
    expected = [inside.get(b * width + s, 0) for b in chosen for s in range(width)]
    assert list(flat.values()) == expected


@given(
    few=st.dictionaries(st.integers(0, 9), PLAYERS),
    more=st.dictionaries(st.integers(0, 9), PLAYERS),
)
def test_gains_add_up_and_cancel(few: dict[int, int], more: dict[int, int]) -> None:
    summed = Counter(few)
    summed.update(more)
    found = rules.summed(gains_from(few), gains_from(more))
    assert as_dict(found) == {offset: players for offset, players in summed.items() if players}


@given(st.lists(st.dictionaries(st.integers(0, 199), PLAYERS, max_size=9), max_size=20))
def test_rows_and_gains_are_what_counting_gives_however_they_are_settled(
    versions: list[dict[int, int]],
) -> None:
    layout = BucketLayout(0, 5, 40)
    counted, kept = Counter[int](), gains_from({})
    rows = np.zeros((layout.buckets, layout.bucket_width), dtype=np.int64)
    every = np.arange(layout.buckets)
    with patch.object(gains, "MOST_ENTRIES", 3):
        for version in versions:
            counted.update(version)
            kept = rules.summed(kept, gains_from(version))
            settled = rules.buckets_to_settle(layout, kept)
            into, kept = rules.parted(layout, kept, settled)
            rows += rules.gained_by_score(layout, into, every)
            entries = rules.entries_of(layout, kept)
            kept = rules.gains_of_entries(layout, entries)
            buckets = Counter(_buckets(layout, entries))
            assert max(buckets.values(), default=0) <= 3
    found = rows + rules.gained_by_score(layout, kept, every)
    assert found.ravel().tolist() == [counted[offset] for offset in range(200)]


def _buckets(layout: BucketLayout, entries: Entries) -> list[int]:
    in_slice = entries.places // layout.bucket_width
    numbers = entries.slices * BUCKETS_A_SLICE + in_slice
    found: list[int] = numbers[in_slice < BUCKETS_A_SLICE].tolist()
    return found


def test_a_bucket_is_settled_that_has_too_many_entries() -> None:
    layout = BucketLayout(0, 250, 100)
    most = gains.MOST_ENTRIES
    full = {3 * 250 + score: 1 for score in range(most)}
    one_more = {5 * 250 + score: 1 for score in range(most + 1)}
    assert rules.buckets_to_settle(layout, gains_from(full | one_more)).tolist() == [5]


@pytest.mark.parametrize("players", [2**15, -(2**15), 2**31 - 1])
def test_a_bucket_is_settled_whose_gains_16_bits_do_not_hold(players: int) -> None:
    layout = BucketLayout(0, 250, 100)
    held = {500: 2**15 - 1, 750: 1 - 2**15}
    told = gains_from(held | {1_000: players})
    assert rules.buckets_to_settle(layout, told).tolist() == [4]
    summed = {1_500: 2**14, 1_501: 2**14}
    assert rules.buckets_to_settle(layout, gains_from(summed)).tolist() == [6]


def test_the_fullest_are_settled_as_many_as_cost_what_all_entries_do() -> None:
    layout = BucketLayout(0, 250, 1_000)
    # Of 340 buckets two entries each, of the last one three.
    told = {bucket * 250 + 1: 1 for bucket in range(340)} | {339 * 250 + 7: 1}
    assert 4 * 681 // 620 == 4
    settled = rules.buckets_to_settle(layout, gains_from(told)).tolist()
    assert settled == [0, 1, 2, 339]


def test_little_is_settled_at_once_and_nothing_stays_for_long() -> None:
    layout = BucketLayout(0, 250, 1_000)
    assert rules.buckets_to_settle(layout, gains_from({7: 1, 300: -1})).tolist() == []
    kept, rows = gains_from({}), 0
    for version in range(2_000):
        kept = rules.summed(kept, gains_from({version * 97 % 250_000: 1}))
        settled = rules.buckets_to_settle(layout, kept)
        kept, rows = rules.parted(layout, kept, settled)[1], rows + len(settled)
    assert len(rules.entries_of(layout, kept).places) < 400
    assert rows <= 2_000


@given(data=st.data())
def test_the_widest_buckets_fit_and_a_row_fits_its_page(data: st.DataObject) -> None:
    scores = st.integers(0, 32 * 977 - 1)
    told = gains_from(dict.fromkeys(data.draw(st.sets(scores, max_size=20)), 1) | {31_263: 2})
    entries = rules.entries_of(WIDEST, told)
    assert int(entries.places.max()) == 32 * 978 - 1 < 2**15
    assert as_dict(rules.gains_of_entries(WIDEST, entries)) == as_dict(told)
    assert BUCKETS_A_SLICE * (gains.ENTRY_BYTES * (gains.MOST_ENTRIES + 1) + 8) < 4_096


# Five scores a bucket: bucket 1 begins at place 5, and from place 160 on are those of buckets.
BROKEN = {
    "not in order": ([0, 0, 0], [0, 4, 3], [1, 1, 0]),
    "the same place twice": ([0, 0, 0], [0, 3, 3], [1, 1, 0]),
    "no end": ([0, 0], [0, 3], [1, 1]),
    "no end before the next bucket": ([0, 0, 0, 0], [0, 3, 6, 7], [1, 1, 1, 0]),
    "a gain less than places": ([0, 0], [0, 3], [1]),
    "a place below all": ([0, 0], [-6, -1], [1, 0]),
    "a place behind all": ([0, 0], [191, 192], [1, 0]),
    "a bucket that there is not": ([1, 1], [8 * 5, 8 * 5 + 1], [1, 0]),
    "players of a bucket that there is not": ([1, 1], [160, 169], [1, 0]),
}


@pytest.mark.parametrize("columns", BROKEN.values(), ids=BROKEN)
def test_entries_that_nobody_stored_are_noticed(columns: tuple[list[int], ...]) -> None:
    layout = BucketLayout(0, 5, 40)
    entries = Entries(*(np.asarray(column, dtype=np.int64) for column in columns))
    assert not rules.are_whole(layout, entries)


def nothing() -> Counts:
    return np.zeros(0, dtype=np.int64)


def test_no_entries_are_whole_and_no_gains() -> None:
    layout = BucketLayout(0, 5, 40)
    entries = rules.entries_of(layout, Gains(nothing(), nothing()))
    assert rules.are_whole(layout, entries)
    assert as_dict(rules.gains_of_entries(layout, entries)) == {}
    assert rules.decoded_entries((), ()).places.tolist() == []
