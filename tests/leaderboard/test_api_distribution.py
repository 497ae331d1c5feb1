"""`rank-of` and `distribution` through HTTP: ties, ends, empty boards, pins and limits."""

from typing import Any

import pytest

from tests.api import BOARD, get, problem
from tests.factories import board, make_final, make_season, publish
from tests.own_database import Once

RANK_OF = f"{BOARD}/rank-of?score="
DISTRIBUTION = f"{BOARD}/distribution"


def play(**scores: int) -> None:
    """Play a season with these scores."""
    board(make_season("season").slug, **scores)


def rank_of(score: int) -> tuple[Any, ...]:
    body = get(f"{RANK_OF}{score}").json()
    assert body["score"] == score
    return body["rank"], body["players_below"], body["share_below"]


def counts(body: dict[str, Any]) -> list[tuple[int, int, int]]:
    return [(one["from"], one["to"], one["count"]) for one in body["buckets"]]


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0, (5, 0, 0.0)),
        (99, (4, 0, 0.0)),
        (100, (2, 1, 0.25)),
        (101, (1, 3, 0.75)),
        (500_000, (1, 4, 1.0)),
        (1_000_000, (1, 4, 1.0)),
    ],
)
def test_a_score_has_the_rank_of_whoever_would_get_it(
    once: Once, score: int, expected: tuple[Any, ...]
) -> None:
    once(play, ann=101, bob=100, cid=100, dan=99)
    assert rank_of(score) == expected


def test_a_score_of_an_empty_board_is_first_and_has_nobody_below(untouched: str) -> None:
    for score in (0, 7, 1_000_000):
        assert rank_of(score) == (1, 0, 0.0)


def test_a_score_that_somebody_has_stands_where_they_stand(season: str) -> None:
    board(season, ann=700, bob=450, cid=450, dan=249, eve=250)
    for entry in get(f"{BOARD}/top").json()["entries"]:
        assert rank_of(entry["score"])[0] == entry["rank"]


@pytest.mark.parametrize(
    "text", ["1000001", "-1", "1.0", "1e3", "007", "", "abc", "%201", "1" * 30, "5&score=5"]
)
def test_a_score_is_an_integer_of_the_seasons_range(untouched: str, text: str) -> None:
    problem(get(f"{RANK_OF}{text}"), 400, "invalid_parameter")
    problem(get(f"{BOARD}/rank-of"), 400, "invalid_parameter")


def test_the_range_of_scores_is_the_seasons_own(database: str) -> None:
    make_season("season", score_min=100, score_max=900)
    board("season", ann=100, bob=900)
    for wrong in (99, 901):
        body = problem(get(f"{RANK_OF}{wrong}"), 400, "invalid_parameter")
        assert body["detail"] == "score must be an integer from 100 to 900."
    assert rank_of(100) == (2, 0, 0.0)
    assert rank_of(900) == (1, 1, 0.5)
    found = counts(get(f"{DISTRIBUTION}?buckets=2").json())
    assert found == [(100, 499, 1), (500, 900, 1)]


def test_players_are_counted_by_equal_ranges(season: str) -> None:
    board(season, ann=0, bob=49_999, cid=50_000, dan=50_000, eve=1_000_000)
    body = get(DISTRIBUTION).json()
    assert len(body["buckets"]) == 20
    assert counts(body)[:3] == [(0, 49_999, 2), (50_000, 99_999, 2), (100_000, 149_999, 0)]
    assert counts(body)[-1] == (950_000, 1_000_000, 1)
    assert sum(count for _, _, count in counts(body)) == body["total_players"] == 5
    assert "score_for_percentile" not in body


@pytest.mark.parametrize("buckets", [1, 2, 3, 7, 200])
def test_there_are_as_many_ranges_as_asked_for(once: Once, buckets: int) -> None:
    once(play, **{f"p{number}": number * 777 for number in range(50)})
    body = get(f"{DISTRIBUTION}?buckets={buckets}").json()
    assert len(body["buckets"]) == buckets
    assert (body["buckets"][0]["from"], body["buckets"][-1]["to"]) == (0, 1_000_000)
    for first, last, count in counts(body):
        assert count == sum(first <= number * 777 <= last for number in range(50))


def test_of_few_scores_each_has_a_range_of_its_own(database: str) -> None:
    make_season("season", score_min=5, score_max=8)
    board("season", ann=5, bob=7, cid=7)
    expected = [(5, 5, 1), (6, 6, 0), (7, 7, 2), (8, 8, 0)]
    assert counts(get(f"{DISTRIBUTION}?buckets=200").json()) == expected


def test_percentiles_are_scores_that_somebody_has(season: str) -> None:
    board(season, **{f"p{score}": score for score in range(1, 101)})
    percentiles = get(DISTRIBUTION).json()["percentiles"]
    assert percentiles == {f"p{share}": share for share in (1, 5, 10, 25, 50, 75, 90, 95, 99)}


def test_a_percentile_inside_a_tie_is_the_tied_score(season: str) -> None:
    board(season, **{f"p{number}": 300 if number < 8 else 10 for number in range(10)})
    percentiles = get(DISTRIBUTION).json()["percentiles"]
    assert percentiles["p10"] == 10
    assert percentiles["p25"] == percentiles["p99"] == 300


def test_what_earlier_versions_counted_counts_too(season: str) -> None:
    for number, score in enumerate((100, 250_001, 250_010, 600_000)):
        board(season, **{f"p{number}": score})
    body = get(f"{DISTRIBUTION}?buckets=3&percentile=75").json()
    assert counts(body) == [(0, 333_332, 3), (333_333, 666_666, 1), (666_667, 1_000_000, 0)]
    assert body["percentiles"]["p25"] == 100
    assert body["percentiles"]["p50"] == 250_001
    assert body["score_for_percentile"]["score"] == 250_010
    assert rank_of(250_005) == (3, 2, 0.5)


def test_nobody_has_no_percentiles_and_stands_in_no_range(untouched: str) -> None:
    body = get(f"{DISTRIBUTION}?percentile=50").json()
    assert set(body["percentiles"].values()) == {None}
    assert {count for _, _, count in counts(body)} == {0}
    assert body["score_for_percentile"] == {"percentile": 50, "score": None}


@pytest.mark.parametrize(("percentile", "score"), [(1, 10), (20, 10), (21, 300), (100, 400)])
def test_any_percentile_can_be_asked_for(once: Once, percentile: int, score: int) -> None:
    scores = [10, 10, *[300] * 7, 400]
    once(play, **{f"p{number}": one for number, one in enumerate(scores)})
    body = get(f"{DISTRIBUTION}?percentile={percentile}").json()
    assert body["score_for_percentile"] == {"percentile": percentile, "score": score}


@pytest.mark.parametrize(
    "query", ["buckets=0", "buckets=201", "buckets=1.5", "buckets=", "percentile=0",
              "percentile=101", "percentile=99.9", "percentile=x"],
)  # fmt: skip
def test_what_is_asked_for_has_limits(untouched: str, query: str) -> None:
    problem(get(f"{DISTRIBUTION}?{query}"), 400, "invalid_parameter")


@pytest.mark.parametrize("address", [f"{RANK_OF}150", DISTRIBUTION])
def test_a_pinned_version_stays_as_it_was(season: str, address: str) -> None:
    mark = "&" if "?" in address else "?"
    first = board(season, ann=100, bob=200).current
    before = get(f"{address}{mark}version={first}").json()
    board(season, cid=120, dan=300)
    after = get(address).json()
    assert get(f"{address}{mark}version={first}").json() == before
    assert (before["total_players"], after["total_players"]) == (2, 4)
    assert before["age_seconds"] is None
    problem(get(f"{address}{mark}version=99"), 404, "version_unknown")
    problem(get(f"{address}{mark}min_version=99"), 409, "not_published_yet")
    problem(get(f"{address}{mark}version=final"), 409, "not_final")
    problem(get(f"{address}{mark}region=EU"), 404, "region_not_found")
    problem(get(address.replace("/season/", "/nothing/")), 404, "season_not_found")


@pytest.mark.parametrize("address", [f"{RANK_OF}150", DISTRIBUTION])
def test_replies_are_cached_like_those_of_any_board(season: str, address: str) -> None:
    board(season, ann=100)
    reply = get(address)
    assert reply.headers["Cache-Control"] == "public, max-age=1, stale-while-revalidate=2"
    assert get(address, if_none_match=reply.headers["ETag"]).status_code == 304
    board(season, bob=100)
    assert get(address, if_none_match=reply.headers["ETag"]).status_code == 200
    publish(season)
    make_final(season)
    mark = "&" if "?" in address else "?"
    assert "immutable" in get(f"{address}{mark}version=final").headers["Cache-Control"]
