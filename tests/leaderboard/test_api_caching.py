"""What caches may keep, and when a client is told that it has the content already."""

import gzip
import json
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

from leaderboard.api.asked import Sight
from leaderboard.api.kept import Kept, KeptReplies, kept
from leaderboard.queries.window import Header
from seasons.models import Season
from tests.api import BOARD, PLAYERS, client, get, post
from tests.factories import apply, board, event, publish

_SEASON = SimpleNamespace(namespace=1, failed_check=None)
READS = [
    f"{BOARD}/top",
    f"{BOARD}/page",
    f"{BOARD}/distribution",
    f"{PLAYERS}/ann/rank",
    f"{PLAYERS}/ann/neighbors",
]


def etag(address: str) -> str:
    found: str = get(address).headers["ETag"]
    assert found.startswith('W/"')
    return found


def test_a_client_that_has_the_content_gets_304(season: str) -> None:
    number = board(season, ann=10, bob=7).number
    for address in (*READS, f"{BOARD}/top?version={number}"):
        tag = etag(address)
        publish(season)
        response = get(address, **{"if-none-match": f'"other", {tag}'})
        assert (response.status_code, response.content) == (304, b"")
        assert response.headers["ETag"] == tag
        assert "max-age" in response.headers["Cache-Control"]
        assert get(address, **{"if-none-match": '"other"'}).status_code == 200


def test_an_etag_covers_version_and_query_but_not_the_age(season: str) -> None:
    board(season, ann=10, bob=7)
    before = {address: etag(address) for address in READS}
    assert len(set(before.values())) == len(READS)
    publish(season)
    assert {address: etag(address) for address in READS} == before
    assert etag(f"{BOARD}/top?limit=1") != before[f"{BOARD}/top"]
    board(season, cat=20)
    for address in READS:
        assert etag(address) != before[address]


def test_an_etag_covers_a_pending_score(season: str) -> None:
    board(season, ann=10)
    address = f"{PLAYERS}/ann/rank"
    before = etag(address)
    apply(season, event("ann", 20, 2))
    pending = etag(address)
    apply(season, event("ann", 30, 3))
    assert len({before, pending, etag(address)}) == 3


def test_an_etag_covers_staleness(season: str, superuser: Any) -> None:
    board(season, ann=10)
    before = etag(f"{BOARD}/top")
    long_ago = datetime.now(UTC) - timedelta(seconds=6)
    Season.objects.update(starts_at=long_ago - timedelta(days=1))
    superuser.execute("UPDATE leaderboard_current SET as_of = %s", [long_ago])
    body = get(f"{BOARD}/top").json()
    assert body["stale"] is True
    assert 6 <= body["age_seconds"] < 10
    assert etag(f"{BOARD}/top") != before


def test_how_long_a_reply_may_be_kept(season: str) -> None:
    old = board(season, ann=10).number
    for address in READS:
        kept = get(address).headers["Cache-Control"]
        assert kept == "public, max-age=1, stale-while-revalidate=2"
        assert get(f"{address}?version={old}").headers["Cache-Control"] == "public, max-age=120"
    board(season, bob=7)
    kept = get(f"{BOARD}/top?version={old}").headers["Cache-Control"]
    assert 100 < int(kept.removeprefix("public, max-age=")) < 120
    apply(season, event("ann", 20, 2))
    assert get(f"{PLAYERS}/ann/rank").headers["Cache-Control"] == "private, no-cache"
    assert get(f"{PLAYERS}/bob/rank").headers["Cache-Control"].startswith("public")


def test_a_final_reply_may_be_kept_for_ever(season: str) -> None:
    number = board(season, ann=10).number
    Season.objects.update(final_version=number)
    for pin in ("final", number):
        kept = get(f"{BOARD}/top?version={pin}").headers["Cache-Control"]
        assert kept == "public, max-age=31536000, immutable"
    assert "immutable" not in get(f"{BOARD}/top").headers["Cache-Control"]


def test_errors_and_look_ups_are_not_kept(season: str) -> None:
    assert get(f"{PLAYERS}/nobody/rank").headers["Cache-Control"] == "no-store"
    looked_up = post(f"{BOARD}/lookup", {"player_ids": ["ann"]})
    assert looked_up.headers["Cache-Control"] == "no-store"


def test_head_answers_like_get(season: str) -> None:
    board(season, ann=10)
    for address in READS:
        head = client.head(address)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["ETag"] == etag(address)


def test_what_is_the_same_for_everybody_comes_compressed_to_who_asks(season: str) -> None:
    board(season, **{f"p{number}": number for number in range(120)})
    for address in (f"{BOARD}/top", f"{BOARD}/page?limit=70", f"{BOARD}/distribution"):
        plain, compressed = get(address), get(address, **{"accept-encoding": "gzip"})
        assert plain.headers["Vary"] == compressed.headers["Vary"] == "Accept-Encoding"
        assert compressed.headers["Content-Encoding"] == "gzip"
        assert "Content-Encoding" not in plain.headers
        found = [json.loads(one) for one in (plain.content, gzip.decompress(compressed.content))]
        for body in found:
            del body["as_of"], body["age_seconds"]
        assert found[0] == found[1]
        assert len(compressed.content) < len(plain.content)


def test_only_so_much_is_kept() -> None:
    replies = KeptReplies(most_bytes=900)
    sight = cast("Sight", SimpleNamespace(pinned=False, version=1, board=0, season=_SEASON))
    made = []

    def make(number: int) -> Kept:
        made.append(number)
        return kept(cast("Header", None), text="x" * 300)

    for number in (1, 2, 1, 3, 1, 2):
        replies.of(sight, lambda _, number=number: make(number), number)  # type: ignore[misc]
    assert made == [1, 2, 3, 2]
