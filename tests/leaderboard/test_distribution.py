"""Ranks of scores and distributions where the lower score wins: what is stored is mirrored."""

from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.queries import Published, distribution, rank_of_score
from tests.factories import board, make_season, unused_slug
from tests.leaderboard.agreement import Read, require_distribution, require_ranks_of_scores
from tests.oracle import Standing, in_order

LOWEST, HIGHEST = 3, 700
SCORES = st.sampled_from([3, 4, 250, 252, 253, 254, 500, 699, 700])


def where_the_lower_score_wins(scores: list[int]) -> Published:
    """Return a season in which players have these scores, and the lowest is the best."""
    slug = make_season(unused_slug(), score_min=LOWEST, score_max=HIGHEST).slug
    merits = {f"p{number}": LOWEST + HIGHEST - score for number, score in enumerate(scores)}
    return board(slug, **merits)._replace(order="asc")


@settings(max_examples=25)
@given(scores=st.lists(SCORES, max_size=12))
def test_all_of_it_is_of_the_scores_that_people_see(shared: str, scores: list[int]) -> None:
    season = where_the_lower_score_wins(scores)
    read = Read(season, season.current)
    standings = {f"p{number}": Standing(score) for number, score in enumerate(scores)}
    require_ranks_of_scores(read, in_order(standings, "asc"))
    require_distribution(read, sorted(scores))


def test_the_lowest_score_is_first_and_in_the_first_range(shared: str) -> None:
    season = where_the_lower_score_wins([250, 500, 500, 600])
    found = rank_of_score(season, 400, version=season.current)
    assert found is not None
    assert (found.rank, found.below) == (2, 3)
    spread = distribution(season, ranges=2, percentiles=[25, 26, 100], version=season.current)
    assert spread is not None
    assert spread.ranges == [(3, 351, 1), (352, 700, 3)]
    assert spread.percentiles == {25: 250, 26: 500, 100: 600}
