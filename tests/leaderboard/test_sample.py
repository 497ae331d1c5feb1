"""Which buckets a publication compares with the bests: some in turn, never too many players."""

from typing import Any

import numpy as np
import psycopg
import pytest

from leaderboard.steps.check_failed import CheckFailed
from leaderboard.steps.checks import (
    MOST_IN_A_BUCKET,
    PLAYERS_SAMPLED,
    _countable,
    _sample,
)
from tests.factories import apply, event, make_season, publish, unused_slug

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
        ([CROWDED, 1, 1], 0, [0], 1),
        ([1, CROWDED, 1], 0, [0], 1),
        ([CROWDED], 0, [0], 0),
        ([CROWDED] * 10, 9, [9], 0),
    ],
)
def test_a_sample_has_few_players_and_the_next_goes_on_where_it_ended(
    members: list[int], start: int, chosen: list[int], following: int
) -> None:
    assert _sample(np.asarray(members), start) == (chosen, following)


@pytest.mark.parametrize("crowded", [0, 3, 9])
def test_every_bucket_has_its_turn(crowded: int) -> None:
    members = np.full(10, FULL // 3)
    members[crowded] = CROWDED
    seen: set[int] = set()
    start = 0
    for _ in members:
        chosen, start = _sample(members, start)
        seen.update(chosen)
    assert seen == {*range(10)}


@pytest.mark.parametrize(
    ("counts", "turn", "chosen"),
    [
        ([1, 0, 7], 0, [0, 1, 2]),
        ([MOST_IN_A_BUCKET, 0], 1, [0, 1]),
        ([FULL, 0, CROWDED], 0, [0, 1]),
        ([FULL, 0, CROWDED], 1, [1]),
        ([FULL, 0, CROWDED], 2, []),
        ([FULL, 0, CROWDED], 3, [0, 1]),
        ([1, FULL, CROWDED], 0, [0]),
    ],
)
def test_of_a_crowded_bucket_some_scores_are_counted_others_another_time(
    counts: list[int], turn: int, chosen: list[int]
) -> None:
    assert list(range(len(counts)))[_countable(np.asarray(counts), turn)] == chosen


def test_damage_in_a_crowded_bucket_is_seen_when_its_score_has_its_turn(
    shared: str, superuser: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.steps.checks.MOST_IN_A_BUCKET", 100)
    monkeypatch.setattr("leaderboard.steps.checks.PLAYERS_SAMPLED", 3)
    season = make_season(unused_slug(), score_max=9)
    apply(season.slug, *(event(f"top-{number}", 9) for number in range(101)))
    apply(season.slug, *(event(f"player-{score}", score) for score in range(9)))
    publish(season.slug)
    superuser.execute(
        "UPDATE scores_best SET score = 5 WHERE namespace = %s AND player_id = 'player-6'",
        [season.namespace],
    )

    def play() -> None:
        for number in range(10):
            apply(season.slug, event(f"new-{number}", 9))
            publish(season.slug)

    with pytest.raises(CheckFailed, match=r"bucket_against_bests: score [56]:"):
        play()
