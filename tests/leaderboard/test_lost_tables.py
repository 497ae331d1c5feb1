"""While the bests or the buckets are lost, reads and writes say 503, never part of a board."""

from typing import Any

import pytest

from config.errors import Unavailable
from leaderboard.api.kept import KEPT
from leaderboard.operations import seal_and_publish
from leaderboard.queries import published
from leaderboard.steps.check_failed import CheckFailed
from scores.operations import set_profiles
from scores.rules import Profile
from seasons.models import Season
from tests.api import BOARD, PLAYERS, get, post, problem
from tests.factories import apply, board, correct, event, make_season, publish, settling
from tests.own_database import Once, connect_to_damage

SPREAD = [
    f"{PLAYERS}/ann/friends",
    f"{BOARD}/rank-of?score=10",
    f"{BOARD}/distribution",
]
READS = [
    f"{PLAYERS}/ann/rank",
    f"{PLAYERS}/nobody/rank",
    f"{PLAYERS}/ann/neighbors",
    f"{PLAYERS}/nobody/neighbors",
    f"{BOARD}/top",
    f"{BOARD}/page",
    f"{BOARD}/page?around_player=ann",
    f"{BOARD}/page?around_player=nobody",
    f"{BOARD}/page?at_score=10",
    f"{BOARD}/page?at_score=0",
    f"{PLAYERS}/nobody/friends",
    f"{BOARD}/rank-of?score=1000000",
    f"{BOARD}/distribution?buckets=1",
    *SPREAD,
]
TABLES = ["scores_best", "leaderboard_bucket"]

every_read = pytest.mark.parametrize("address", READS)
every_table = pytest.mark.parametrize("table", TABLES)


def lose(superuser: Any, slug: str, table: str) -> None:
    namespace = Season.objects.get(slug=slug).namespace
    superuser.execute(f"TRUNCATE {table}_n{namespace}")


def play() -> int | None:
    """Play a season with two players, and return its version."""
    return board(make_season("season").slug, ann=10, bob=20).number


def play_and_lose(table: str) -> int | None:
    version = play()
    with connect_to_damage() as superuser:
        lose(superuser, "season", table)
    return version


@every_table
@every_read
def test_no_board_is_shown(once: Once, table: str, address: str) -> None:
    version = once(play_and_lose, table)
    for asked in (address, f"{address}{'&' if '?' in address else '?'}version={version}"):
        reply = get(asked)
        problem(reply, 503, "no_published_version")
        assert int(reply.headers["Retry-After"]) > 0


@every_table
@pytest.mark.parametrize("players", [["ann", "nobody"], ["nobody"]], ids=str)
def test_a_lookup_finds_nobody_missing(once: Once, table: str, players: list[str]) -> None:
    once(play_and_lose, table)
    reply = post(f"{BOARD}/lookup", {"player_ids": players})
    problem(reply, 503, "no_published_version")


@every_table
def test_the_publisher_notices_though_nothing_changed_and_nothing_is_taken(
    season: str, superuser: Any, table: str
) -> None:
    board(season, ann=10)
    assert get(f"{BOARD}/top").status_code == 200
    lose(superuser, season, table)
    with pytest.raises(CheckFailed, match="lost"):
        publish(season)
    with pytest.raises(Unavailable):
        apply(season, event("ann", 20, 2))
    with pytest.raises(Unavailable):
        correct(season, "ann", 3, corrected_score=5)
    problem(get(f"{BOARD}/top"), 503, "no_published_version")


@every_table
def test_no_version_is_made_of_what_was_written_before(
    season: str, superuser: Any, table: str
) -> None:
    before = board(season, ann=10, bob=20)
    apply(season, event("ann", 30, 2), event("cyd", 15))
    lose(superuser, season, table)
    with pytest.raises(CheckFailed):
        publish(season)
    assert published(season).number == before.number
    assert seal_and_publish(before.season_id).outcome == "stopped"


def test_without_bests_nothing_is_taken(season: str, superuser: Any) -> None:
    board(season, ann=10)
    lose(superuser, season, "scores_best")
    with pytest.raises(Unavailable):
        apply(season, event("ann", 20, 2))
    with pytest.raises(Unavailable):
        correct(season, "ann", 3, corrected_score=5)


def play_on_and_lose_the_newest_buckets() -> int | None:
    play()
    with settling():
        newest = board("season", cyd=15).number
    gone = "DELETE FROM leaderboard_bucket WHERE namespace = %s AND version = %s"
    with connect_to_damage() as superuser:
        superuser.execute(gone, [Season.objects.get(slug="season").namespace, newest])
    return newest


@pytest.mark.parametrize("address", [READS[0], READS[2], READS[6], *SPREAD])
def test_an_older_row_of_a_bucket_never_stands_in_for_a_missing_one(
    once: Once, address: str
) -> None:
    newest = once(play_on_and_lose_the_newest_buckets)
    problem(get(address), 503, "no_published_version")
    problem(
        get(f"{address}{'&' if '?' in address else '?'}version={newest}"),
        503,
        "no_published_version",
    )
    reply = post(f"{BOARD}/lookup", {"player_ids": ["ann"]})
    problem(reply, 503, "no_published_version")


def play_and_lose_the_prefixes() -> None:
    play()
    with connect_to_damage() as superuser:
        superuser.execute("DELETE FROM leaderboard_prefix")


@pytest.mark.parametrize("address", [READS[0], READS[2], READS[5], *SPREAD])
def test_a_missing_prefix_is_not_taken_for_nobody(once: Once, address: str) -> None:
    once(play_and_lose_the_prefixes)
    problem(get(address), 503, "no_published_version")


LOSSES = {
    "bests": "TRUNCATE scores_best_n{namespace}",
    "prefixes": "DELETE FROM leaderboard_prefix WHERE namespace = {namespace}",
}


def play_in_a_region_and_lose(lost: str) -> int | None:
    season = make_season("season", regions=("EU",))
    set_profiles([Profile("ann", "EU", 1), Profile("bob", "EU", 1)])
    version = board("season", ann=10, bob=20).number
    for address in READS:
        assert get(of_the_region(address)).status_code in {200, 404}
    with connect_to_damage() as superuser:
        superuser.execute(lost.format(namespace=season.namespace).encode())
    return version


def of_the_region(address: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}region=EU"


@pytest.mark.parametrize("lost", LOSSES.values(), ids=LOSSES)
@every_read
def test_no_board_of_a_region_is_shown(once: Once, lost: str, address: str) -> None:
    version = once(play_in_a_region_and_lose, lost)
    address = of_the_region(address)
    for asked in (address, f"{address}&version={version}"):
        KEPT.forget()
        problem(get(asked), 503, "no_published_version")
