"""A real contest: every official shared rank of the mathematical olympiad of 2024."""

import pytest

from seasons.models import Season
from tests.api import SCORES, get, post, result, token
from tests.factories import make_season, publish

# Score, contestants with it, official rank (top part of the ranking).
OFFICIAL = [
    (42, 1, 1), (40, 1, 2), (38, 1, 3), (37, 1, 4), (35, 6, 5), (34, 2, 11), (33, 1, 13),
    (32, 5, 14), (31, 10, 19), (30, 18, 29), (29, 12, 47), (28, 17, 59), (27, 6, 76),
    (26, 8, 82), (25, 10, 90), (24, 25, 100), (23, 22, 125), (22, 35, 147), (21, 34, 182),
    (20, 11, 216), (19, 11, 227),
]  # fmt: skip
PLAYERS = [
    (f"contestant-{score}-{number:02}", score, rank)
    for score, contestants, rank in OFFICIAL
    for number in range(contestants)
]
RANKS = {player: rank for player, _, rank in PLAYERS}
ADDRESS = "/v1/seasons/season"


@pytest.fixture(autouse=True)
def _contest(shared: str) -> None:
    """Deliver every contestant's score through HTTP, and publish, once for all tests."""
    if Season.objects.exists():
        return
    make_season("season", score_min=0, score_max=42)
    events = [
        result(number, player_id=player, best_score=score)
        for number, (player, score, _) in enumerate(PLAYERS)
    ]
    response = post(SCORES, {"events": events}, token())
    assert {receipt["outcome"] for receipt in response.json()["results"]} == {"improved"}
    publish("season")


def test_the_top_hundred_ends_inside_the_tie_at_24() -> None:
    top = get(f"{ADDRESS}/leaderboard/top").json()
    assert top["total_players"] == len(PLAYERS)
    assert [entry["player_id"] for entry in top["entries"]] == [p for p, _, _ in PLAYERS[:100]]
    assert all(entry["rank"] == RANKS[entry["player_id"]] for entry in top["entries"])
    assert [entry["position"] for entry in top["entries"]] == list(range(1, 101))
    assert (top["entries"][-1]["score"], top["entries"][-1]["rank"]) == (24, 100)


def test_every_contestant_has_the_official_rank() -> None:
    for player, score, rank in PLAYERS:
        entry = get(f"{ADDRESS}/players/{player}/rank").json()
        assert (entry["rank"], entry["score"]) == (rank, score)


def test_the_pages_have_the_official_ranks() -> None:
    page = get(f"{ADDRESS}/leaderboard/page?limit=37").json()
    entries = page["entries"]
    while page["next"] is not None:
        page = get(f"{ADDRESS}/leaderboard/page?limit=37&cursor={page['next']}").json()
        entries += page["entries"]
    assert [entry["player_id"] for entry in entries] == [player for player, _, _ in PLAYERS]
    assert all(entry["rank"] == RANKS[entry["player_id"]] for entry in entries)


def test_the_neighbours_have_the_official_ranks() -> None:
    order = [player for player, _, _ in PLAYERS]
    for place, player in enumerate(order):
        found = get(f"{ADDRESS}/players/{player}/neighbors").json()
        rows = [*found["above"], found["player"], *found["below"]]
        expected = order[max(0, place - 10) : place + 11]
        assert [row["player_id"] for row in rows] == expected
        assert all(row["rank"] == RANKS[row["player_id"]] for row in rows)


def test_a_lookup_has_the_official_ranks() -> None:
    asked = [player for player, _, _ in PLAYERS[::2]]
    found = post(f"{ADDRESS}/leaderboard/lookup", {"player_ids": asked}).json()
    assert [entry["player_id"] for entry in found["entries"]] == asked
    assert all(entry["rank"] == RANKS[entry["player_id"]] for entry in found["entries"])
