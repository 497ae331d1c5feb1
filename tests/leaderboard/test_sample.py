"""Which buckets a publication compares with the bests: some in turn, never too many players."""

import numpy as np
import pytest

from leaderboard.steps.checks import MOST_IN_A_BUCKET, PLAYERS_SAMPLED, _sample

CROWDED, FULL = MOST_IN_A_BUCKET + 1, PLAYERS_SAMPLED


@pytest.mark.parametrize(
    ("members", "start", "chosen", "following"),
    [
        ([1] * 20, 0, [0, 1, 2, 3, 4, 5, 6, 7], 8),
        ([1] * 20, 17, [17, 18, 19, 0, 1, 2, 3, 4], 5),
        ([1, 1, 1], 1, [1, 2, 0], 1),
        ([FULL, 1, 1], 0, [0], 1),
        ([1, FULL, 1], 0, [0], 1),
        ([MOST_IN_A_BUCKET, 1, 1], 0, [0], 1),
        ([CROWDED, 1, 1], 0, [1, 2], 0),
        ([1, CROWDED, 1], 0, [0, 2], 0),
        ([CROWDED], 0, [], 0),
        ([CROWDED] * 10 + [1], 0, [], 8),
        ([CROWDED] * 10 + [1], 8, [10], 5),
    ],
)
def test_a_sample_has_few_players_and_the_next_goes_on_where_it_ended(
    members: list[int], start: int, chosen: list[int], following: int
) -> None:
    assert _sample(np.asarray(members), start) == (chosen, following)


@pytest.mark.parametrize("crowded", [0, 3, 9])
def test_every_bucket_that_can_be_counted_has_its_turn(crowded: int) -> None:
    members = np.full(10, FULL // 3)
    members[crowded] = CROWDED
    seen: set[int] = set()
    start = 0
    for _ in members:
        chosen, start = _sample(members, start)
        seen.update(chosen)
    assert seen == {*range(10)} - {crowded}
