"""Which version a reply is of: the newest, a pinned one, at least one; and what is refused."""

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connections

from leaderboard.api import known
from leaderboard.operations import purge_versions
from leaderboard.queries import Published
from seasons.models import Season
from tests.api import BOARD, PLAYERS, get, problem
from tests.config.launched import eventually
from tests.factories import apply, board, correct, event, make_season, publish
from tests.own_database import Once

HEAD = [
    "season_id",
    "region",
    "leaderboard_version",
    "as_of",
    "age_seconds",
    "stale",
    "final",
    "corrects",
    "rank_method",
    "total_players",
]
WAITERS = """
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
WHERE NOT granted AND datname = current_database()
"""
READS = [
    f"{BOARD}/top",
    f"{BOARD}/page",
    f"{PLAYERS}/ann/rank",
    f"{PLAYERS}/ann/neighbors",
    f"{PLAYERS}/ann/friends",
    f"{BOARD}/distribution",
]


def play(**scores: int) -> Published:
    """Play a season with these scores."""
    return board(make_season("season").slug, **scores)


def expire(slug: str) -> None:
    purge_versions(Season.objects.get(slug=slug).id, version_kept_seconds=0)


def finalise(slug: str) -> int:
    """Mark the current version final, as closing a season will."""
    number = board(slug).current
    Season.objects.filter(slug=slug).update(final_version=number)
    return number


def test_every_reply_begins_with_the_same_members(season: str) -> None:
    known_board = board(season, ann=10, bob=7)
    for address in READS:
        response = get(address)
        body = response.json()
        assert response.status_code == 200
        assert list(body)[:10] == HEAD
        assert (body["season_id"], body["region"]) == ("season", None)
        assert (body["leaderboard_version"], body["total_players"]) == (known_board.number, 2)
        assert (body["stale"], body["final"], body["corrects"]) == (False, False, None)
        assert body["rank_method"] == "competition"
        assert 0 <= body["age_seconds"] < 5
        assert body["as_of"].endswith("Z")
        assert len(body["as_of"]) == 27


def test_the_newest_version_is_served_unless_one_is_pinned(season: str) -> None:
    old, new = board(season, ann=10).number, board(season, bob=20).number
    for address in READS:
        assert get(address).json()["leaderboard_version"] == new
        assert get(f"{address}?version={old}").json()["leaderboard_version"] == old
    assert get(f"{PLAYERS}/ann/rank").json()["rank"] == 2
    assert get(f"{PLAYERS}/ann/rank?version={old}").json()["rank"] == 1
    assert get(f"{BOARD}/top?version={old}").json()["total_players"] == 1
    problem(get(f"{PLAYERS}/bob/rank?version={old}"), 404, "player_not_ranked")
    problem(get(f"{PLAYERS}/bob/neighbors?version={old}"), 404, "player_not_ranked")


def test_a_pinned_reply_never_changes(season: str) -> None:
    number = board(season, ann=10).number
    before = [get(f"{address}?version={number}").json() for address in READS]
    for body in before:
        assert (body["age_seconds"], body["stale"], body.get("pending")) == (None, None, None)
    publish(season)
    board(season, bob=20)
    apply(season, event("ann", 50, 2))
    assert [get(f"{address}?version={number}").json() for address in READS] == before


def test_as_of_moves_when_nothing_changed(season: str) -> None:
    number = board(season, ann=10).number
    first = get(f"{BOARD}/top").json()
    publish(season)
    second = get(f"{BOARD}/top").json()
    assert second["as_of"] > first["as_of"]
    assert second["leaderboard_version"] == number


def test_an_expired_version_is_gone_and_a_future_one_unknown(season: str) -> None:
    old = board(season, ann=10).current
    assert [get(address).status_code for address in READS] == [200] * len(READS)
    new = board(season, bob=20).current
    expire(season)
    for address in READS:
        body = problem(get(f"{address}?version={old}"), 410, "version_expired")
        assert body["current_version"] == new
        problem(get(f"{address}?version=0"), 410, "version_expired")
        problem(get(f"{address}?version={new + 1}"), 404, "version_unknown")
        problem(get(f"{address}?version={10**15 - 1}"), 404, "version_unknown")
        problem(get(f"{address}?version=final"), 409, "not_final")
        assert get(address).status_code == 200


def test_a_final_version_stays_and_is_never_stale(season: str) -> None:
    board(season, ann=10)
    number = finalise(season)
    for address in READS:
        for asked in (address, f"{address}?version=final", f"{address}?version={number}"):
            body = get(asked).json()
            assert (body["leaderboard_version"], body["final"]) == (number, True)
    assert get(f"{BOARD}/top").json()["stale"] is False


def test_without_a_pin_one_gets_the_corrected_version(season: str) -> None:
    board(season, ann=10, bob=7)
    final = finalise(season)
    correct(season, "ann", 2)
    corrected = board(season).number
    newest = get(f"{BOARD}/top").json()
    assert (newest["leaderboard_version"], newest["corrects"]) == (corrected, final)
    assert (newest["final"], newest["total_players"]) == (False, 1)
    assert get(f"{BOARD}/top?version=final").json()["total_players"] == 2
    problem(get(f"{BOARD}/top?version=final&min_version={corrected}"), 409, "not_published_yet")


def test_min_version_is_reached_or_refused(once: Once) -> None:
    number = once(play, ann=10).current
    for address in READS:
        assert get(f"{address}?min_version={number}").status_code == 200
        response = get(f"{address}?min_version={number + 1}")
        assert problem(response, 409, "not_published_yet")["current_version"] == number
        assert response.headers["Retry-After"] == "1"
        below = get(f"{address}?version={number}&min_version={number + 1}", prefer="wait=5")
        problem(below, 409, "not_published_yet")


def test_a_version_that_another_process_just_published_is_found(
    season: str, settings: Any
) -> None:
    board(season, ann=10)
    settings.CURRENT_VERSION_SECONDS = 60
    before = get(f"{BOARD}/top").json()["leaderboard_version"]
    number = board(season, bob=20).number
    assert get(f"{BOARD}/top").json()["leaderboard_version"] == before
    assert get(f"{BOARD}/top?version={number}").status_code == 200
    assert get(f"{BOARD}/top?min_version={number}").status_code == 200


def test_a_current_version_that_was_purged_meanwhile_is_read_again(
    season: str, settings: Any
) -> None:
    board(season, ann=10)
    settings.CURRENT_VERSION_SECONDS = 60
    get(f"{BOARD}/top")
    number = board(season, bob=20).number
    expire(season)
    assert get(f"{PLAYERS}/ann/rank").json()["leaderboard_version"] == number


def test_a_reply_is_held_until_the_version_is_there(season: str) -> None:
    number = board(season, ann=10).current
    apply(season, event("bob", 20))
    thread = threading.Timer(0.3, _publish_and_close, [season])
    thread.start()
    started = time.monotonic()
    response = get(f"{BOARD}/top?min_version={number + 1}", prefer="wait=5")
    thread.join()
    assert response.json()["leaderboard_version"] > number
    assert 0.2 < time.monotonic() - started < 3


def test_a_reply_is_held_no_longer_than_asked(once: Once) -> None:
    number = once(play, ann=10).current
    started = time.monotonic()
    response = get(f"{BOARD}/top?min_version={number + 1}", prefer="wait=1")
    problem(response, 409, "not_published_yet")
    assert 1 <= time.monotonic() - started < 2


def test_when_too_many_wait_a_reply_comes_at_once(once: Once) -> None:
    number = once(play, ann=10).current
    places = [known.WAITING.entered_if_free() for _ in range(100)]
    inside = [place for place in places if place.__enter__()]
    started = time.monotonic()
    response = get(f"{BOARD}/top?min_version={number + 1}", prefer="wait=5")
    for place in inside:
        place.__exit__(None, None, None)
    problem(response, 409, "not_published_yet")
    assert inside
    assert time.monotonic() - started < 1


def test_whoever_waits_holds_no_connection(season: str, monkeypatch: Any) -> None:
    number = board(season, ann=10).current
    held = []

    def look(seconds: float) -> None:
        held.append(connections["reads"].connection)
        publish(season)

    apply(season, event("bob", 20))
    monkeypatch.setattr("leaderboard.api.known.time.sleep", look)
    assert get(f"{BOARD}/top?min_version={number + 1}", prefer="wait=5").status_code == 200
    assert held == [None]


def test_over_the_bound_of_reads_the_answer_is_503_at_once(once: Once) -> None:
    once(play, ann=10)
    inside = []
    for _ in range(100):
        place = known.READS.entered()
        try:
            place.__enter__()
        except Exception:
            break
        inside.append(place)
    answers = [get(address) for address in READS]
    for place in inside:
        place.__exit__(None, None, None)
    for response in answers:
        problem(response, 503, "unavailable")
        assert response.headers["Retry-After"] == "1"
    assert get(READS[0]).status_code == 200


def test_one_thread_asks_for_all_that_wait_to_know(
    season: str, settings: Any, superuser: Any
) -> None:
    board(season, ann=10)
    settings.CURRENT_VERSION_SECONDS = 60
    seasons = known.KnownSeasons()
    found: list[Any] = []
    threads = [threading.Thread(target=_know, args=(seasons, found)) for _ in range(5)]
    with superuser.transaction():
        superuser.execute("LOCK TABLE seasons_season IN ACCESS EXCLUSIVE MODE")
        for thread in threads:
            thread.start()
        while not superuser.execute(WAITERS).fetchone()[0]:
            time.sleep(0.01)
        assert superuser.execute(WAITERS).fetchone()[0] == 1
    for thread in threads:
        thread.join()
    assert len(found) == 5
    assert len(set(map(id, found))) == 1


def test_what_is_read_about_is_renewed_ahead_of_the_readers(season: str, settings: Any) -> None:
    settings.CURRENT_VERSION_SECONDS = 60
    seasons = known.KnownSeasons()
    before = seasons.season(season)
    after = board(season, ann=10)
    assert seasons.season(season) is before
    seasons._read.add(season)
    assert seasons.renew()
    assert seasons.season(season).number == after.number
    assert not seasons.renew()


def test_what_is_known_is_never_replaced_by_what_is_older(season: str, settings: Any) -> None:
    settings.CURRENT_VERSION_SECONDS = 60
    seasons = known.KnownSeasons()
    newer = seasons.season(season)
    seasons._learn(known.Known(time.monotonic() - 30, newer._replace(number=99)))
    assert seasons.season(season) is newer


def test_a_thread_renews_while_anybody_reads_and_ends_after_a_silence(
    season: str, settings: Any, monkeypatch: Any
) -> None:
    settings.CURRENT_VERSION_SECONDS = 0.1
    monkeypatch.setattr(known, "_SILENCE_SECONDS", 0.3)
    seasons = known.KnownSeasons()
    first = seasons.season(season)
    seasons._read.add(season)
    seasons._begin_renewing()
    eventually(lambda: seasons._known[season].season is not first, "renewed")
    eventually(lambda: not seasons._renewing.locked(), "ended")
    last = seasons._known[season].season
    time.sleep(0.3)
    assert seasons._known[season].season is last
    seasons = known.KnownSeasons(renewed=True)
    seasons.season(season)
    assert seasons._renewing.locked()
    eventually(lambda: not seasons._renewing.locked(), "ended")


@pytest.mark.parametrize("address", READS)
def test_what_stands_in_the_address_is_checked(once: Once, address: str) -> None:
    once(play, ann=10)
    for wrong in ["-1", "1.5", "007", "", "%20", "abc", "1" + "0" * 30, "FINAL"]:
        problem(get(f"{address}?version={wrong}"), 400, "invalid_parameter")
        problem(get(f"{address}?min_version={wrong}"), 400, "invalid_parameter")
    problem(get(f"{address}?region=nowhere"), 404, "region_not_found")
    problem(get(f"{address}?region="), 400, "invalid_parameter")
    problem(get(f"{address}?version=1&version=2"), 400, "invalid_parameter")
    elsewhere = address.replace("/season/", "/elsewhere/")
    problem(get(elsewhere), 404, "season_not_found")
    problem(get(address.replace("/season/", "/No/")), 400, "invalid_parameter")
    assert get(f"{address}?unknown=%FF&limits=-1").status_code == 200


def test_a_players_id_is_checked_and_found_as_it_is(once: Once) -> None:
    once(play, **{"steam:7656": 1, "auth0|5f": 2, "x,y=z": 3, "a.b": 4, "x" * 64: 5})
    for player in ("steam:7656", "auth0%7C5f", "x,y%3Dz", "a.b", "x" * 64):
        for route in ("rank", "neighbors"):
            assert get(f"{PLAYERS}/{player}/{route}").status_code == 200
    for route in ("rank", "neighbors"):
        for wrong in (
            "%2e%2e",
            "a%20b",
            "x" * 65,
            "%F0%9F%98%80",
            "%FF",
            ".a",
            "a%2Fb",
            "a%0A",
            "%0Aa",
        ):
            problem(get(f"{PLAYERS}/{wrong}/{route}"), 400, "invalid_parameter")
        problem(get(f"{PLAYERS}//{route}"), 404, "not_found")
        problem(get(f"{PLAYERS}/a%00/{route}"), 400, "invalid_parameter")
        problem(get(f"{PLAYERS}/nobody/{route}"), 404, "player_not_ranked")


def test_before_the_start_the_empty_board_is_of_the_present(database: str) -> None:
    soon = datetime.now(UTC) + timedelta(days=1)
    make_season("season", starts_at=soon, cutoff_at=soon + timedelta(days=1))
    body = get(f"{BOARD}/top").json()
    assert (body["entries"], body["total_players"], body["stale"]) == ([], 0, False)


def _publish_and_close(slug: str) -> None:
    publish(slug)
    connections.close_all()


def _know(seasons: known.KnownSeasons, found: list[Any]) -> None:
    try:
        found.append(seasons.season("season"))
    finally:
        connections.close_all()
