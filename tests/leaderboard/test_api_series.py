"""Series through HTTP: their rules, and their seasons now, next and before."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from config.http.times import read_time, show_time
from seasons.models import Season
from seasons.rules import WindowWanted
from tests.api import get, problem
from tests.factories import make_season
from tests.series import ALL_TIME, DAILY, make_series, noon, windows

DAY = timedelta(days=1)
RULES = [
    "series_id", "name", "time_zone", "starts_at", "ended_at", "windows", "grace_seconds",
    "late_policy", "tie_rule", "order", "keep", "score_min", "score_max", "regions", "kept_days",
]  # fmt: skip


def midnight(days: int) -> str:
    """Return a midnight in the zone of the tests, as replies have it."""
    day = datetime.now(ZoneInfo(noon())).replace(hour=0, minute=0, second=0, microsecond=0)
    return show_time(day + days * DAY)


def detail(slug: str, query: str = "") -> dict[str, Any]:
    body: dict[str, Any] = get(f"/v1/series/{slug}{query}").json()
    return body


def test_a_series_tells_its_rules(database: str) -> None:
    evening = WindowWanted("evening", "cron", "0 18 * * *", 3600)
    reset = WindowWanted("reset", "cron", "0 4 * * TUE")
    make_series(
        slug="ladder", name="The ladder", windows=(DAILY, evening, reset), late_policy="next",
        kept_days=30, grace_seconds=7, score_min=1, score_max=9,
    )  # fmt: skip
    body = detail("ladder")
    assert list(body) == [*RULES, "current", "upcoming", "past", "next"]
    assert {name: body[name] for name in RULES} == {
        "series_id": "ladder",
        "name": "The ladder",
        "time_zone": noon(),
        "starts_at": None,
        "ended_at": None,
        "windows": [
            {"window": "daily", "kind": "daily", "cron": None, "duration_seconds": None},
            {
                "window": "evening",
                "kind": "cron",
                "cron": "0 18 * * *",
                "duration_seconds": 3600,
            },
            {"window": "reset", "kind": "cron", "cron": "0 4 * * TUE", "duration_seconds": None},
        ],
        "grace_seconds": 7,
        "late_policy": "next",
        "tie_rule": "shared",
        "order": "desc",
        "keep": "best",
        "score_min": 1,
        "score_max": 9,
        "regions": [],
        "kept_days": 30,
    }


def test_it_shows_the_season_of_now_and_the_next_one(database: str) -> None:
    make_series(slug="ladder", windows=(DAILY, ALL_TIME))
    body = detail("ladder")
    date = f"{datetime.now(ZoneInfo(noon())):%Y-%m-%d}"
    offset = datetime.now(ZoneInfo(noon())).isoformat()[-6:]
    today, always = body["current"]
    assert today == {
        "season_id": f"ladder-daily-{date}",
        "window": "daily",
        "status": "open",
        "starts_at": midnight(0),
        "cutoff_at": midnight(1),
        "time_zone": noon(),
        "utc_offset": offset,
        "final_version": None,
        "retired_at": None,
    }
    assert (always["season_id"], always["starts_at"]) == (
        "ladder-all-time", "1970-01-01T00:00:00.000000Z",
    )  # fmt: skip
    (tomorrow,) = body["upcoming"]
    assert (tomorrow["status"], tomorrow["starts_at"]) == ("scheduled", today["cutoff_at"])
    assert (body["past"], body["next"]) == ([], None)
    assert get(f"/v1/seasons/{today['season_id']}").json()["status"] == "open"


def test_each_season_shows_the_offset_of_its_zone_at_its_start(database: str) -> None:
    begins_at = datetime.now(UTC) - 400 * DAY
    wanted = windows("monthly")
    zone = "Europe/Berlin"
    make_series(slug="ladder", windows=wanted, time_zone=zone, starts_at=begins_at)
    body = detail("ladder")
    for season in [*body["current"], *body["upcoming"], *body["past"]]:
        start = read_time(season["starts_at"]).astimezone(ZoneInfo(zone))
        assert season["utc_offset"] == start.isoformat()[-6:]
        assert (start.day, start.hour) == (1, 0)


def test_past_seasons_are_walked_from_the_newest_to_the_oldest(database: str) -> None:
    begins_at = read_time(midnight(-4))
    make_series(
        slug="ladder", windows=(DAILY, WindowWanted("first-hour", "cron", "0 0 * * *", 3600)),
        starts_at=begins_at, grace_seconds=30 * 86_400,
    )  # fmt: skip
    slug = detail("ladder")["past"][-1]["season_id"]
    Season.objects.filter(slug=slug).update(final_version=1)
    found: list[dict[str, Any]] = []
    query = "?limit=3"
    while True:
        body = detail("ladder", query)
        assert len(body["current"]) == 1
        found += body["past"]
        if body["next"] is None:
            break
        assert len(body["past"]) == 3
        query = f"?limit=3&cursor={body['next']}"
    assert [(season["starts_at"], season["window"]) for season in found] == [
        (midnight(0), "first-hour"),
        *((midnight(-n), window) for n in (1, 2, 3, 4) for window in ("first-hour", "daily")),
    ]
    assert [season["status"] for season in found] == ["closing"] * 8 + ["final"]
    assert [season["final_version"] for season in found] == [None] * 8 + [1]


def test_the_list_is_walked_page_by_page(database: str) -> None:
    slugs = ["a", "b-1", "b-2", "c", "d"]
    for slug in reversed(slugs):
        make_series(slug=slug, windows=(ALL_TIME,))
    make_season("no-series")
    found: list[str] = []
    address = "/v1/series?limit=2"
    while True:
        body = get(address).json()
        assert all(list(series) == RULES for series in body["series"])
        found += [series["series_id"] for series in body["series"]]
        if body["next"] is None:
            break
        address = f"/v1/series?limit=2&cursor={body['next']}"
    assert found == slugs


def test_no_series_are_an_empty_list(database: str) -> None:
    assert get("/v1/series").json() == {"series": [], "next": None}


def test_what_is_not_there_or_not_right_is_refused(database: str) -> None:
    make_series(slug="ladder", starts_at=read_time(midnight(-2)), grace_seconds=30 * 86_400)
    make_series(slug="other")
    cursor = detail("ladder", "?limit=1")["next"]
    problem(get("/v1/series/nothing"), 404, "series_not_found")
    problem(get("/v1/series/NO"), 400, "invalid_parameter")
    problem(get("/v1/series/ladder?limit=0"), 400, "invalid_parameter")
    problem(get("/v1/series/ladder?cursor=x"), 400, "invalid_cursor")
    problem(get(f"/v1/series/other?cursor={cursor}"), 400, "invalid_cursor")
    problem(get(f"/v1/series?cursor={cursor}"), 400, "invalid_cursor")
