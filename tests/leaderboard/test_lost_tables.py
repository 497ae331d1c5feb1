"""While the bests or the buckets are lost, reads and writes say 503, never part of a board."""

from typing import Any

import pytest

from config.errors import Unavailable
from seasons.models import Season
from tests.api import BOARD, PLAYERS, get, post, problem
from tests.factories import apply, board, correct, event

READS = [f"{PLAYERS}/ann/rank", f"{PLAYERS}/nobody/rank", f"{PLAYERS}/ann/neighbors"]
PAGES = [f"{BOARD}/page", f"{BOARD}/page?around_player=ann", f"{BOARD}/page?at_score=10"]


def lose(superuser: Any, slug: str, table: str) -> None:
    namespace = Season.objects.get(slug=slug).namespace
    superuser.execute(f"TRUNCATE {table}_n{namespace}")


@pytest.mark.parametrize("address", READS + PAGES)
def test_without_bests_no_board_is_shown(season: str, superuser: Any, address: str) -> None:
    board(season, ann=10, bob=20)
    lose(superuser, season, "scores_best")
    reply = get(address)
    problem(reply, 503, "no_published_version")
    assert int(reply.headers["Retry-After"]) > 0


def test_without_bests_a_lookup_finds_nobody_missing(season: str, superuser: Any) -> None:
    board(season, ann=10, bob=20)
    lose(superuser, season, "scores_best")
    reply = post(f"{BOARD}/lookup", {"player_ids": ["ann", "nobody"]})
    problem(reply, 503, "no_published_version")


def test_without_bests_nothing_is_taken(season: str, superuser: Any) -> None:
    board(season, ann=10)
    lose(superuser, season, "scores_best")
    with pytest.raises(Unavailable):
        apply(season, event("ann", 20, 2))
    with pytest.raises(Unavailable):
        correct(season, "ann", 3, corrected_score=5)


@pytest.mark.parametrize("address", [READS[0], READS[2], *PAGES])
def test_without_buckets_no_rank_is_shown(season: str, superuser: Any, address: str) -> None:
    board(season, ann=10, bob=20)
    lose(superuser, season, "leaderboard_bucket")
    problem(get(address), 503, "no_published_version")
