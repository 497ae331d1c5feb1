"""The front and Django answer any request alike, byte for byte."""

import io
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config import wsgi
from config.http.front import SHARED_SECONDS, _answered
from leaderboard.front import FRONT
from leaderboard.queries import Published
from tests.factories import apply, board, event, make_season
from tests.own_database import Once

Environ = dict[str, Any]
HOT = ("top", "page", "lookup", "rank", "neighbors")
ASKED = 2_000
CLOCK = "config.http.front.time.perf_counter"


class Answer(NamedTuple):
    status: str
    headers: list[tuple[str, str]]
    body: bytes


@pytest.fixture
def season(once: Once, settings: Any, monkeypatch: Any) -> Iterator[str]:
    """Give a season with ties, display data and a pending score, at a time that stands still."""
    settings.CURRENT_VERSION_SECONDS = 1_000_000
    monkeypatch.setattr(Published, "now", property(lambda known: known.read_at))
    once(play)
    with patch("leaderboard.api.asked.KNOWN._known", {}):
        yield "hot"


def play() -> None:
    make_season("hot", regions=("EU", "NA"))
    apply("hot", event("shown", 900, display='{"map": "mines"}'))
    board("hot", **{f"p{number:02}": number % 9 for number in range(40)})
    apply("hot", event("p07", 800, 2), event("new", 5))
    make_season("times", tie_rule="earliest", order="asc")
    board("times", ann=3, bob=3, cat=9)
    make_season("scheduled-and-empty")


def asked(method: str, path: str, query: str = "", body: bytes = b"", **headers: str) -> Environ:
    """Return what granian would say of a request."""
    return {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/json",
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": io.StringIO(),
        **headers,
    }


def answered(environ: Environ) -> Answer:
    begun: list[Any] = []
    body = b"".join(wsgi.application(environ, lambda *begin: begun.extend(begin)))
    return Answer(begun[0], sorted(begun[1]), body)


def both(environ: Environ) -> tuple[Answer, Answer]:
    """Return what is answered with the front and without."""
    body = environ["wsgi.input"].getvalue()
    with patch.object(wsgi, "_front", FRONT):
        by_front = answered({**environ, "wsgi.input": io.BytesIO(body)})
    with patch.object(wsgi, "_front", None):
        by_django = answered({**environ, "wsgi.input": io.BytesIO(body)})
    return by_front, by_django


SEASONS = st.sampled_from(
    ["hot", "hot", "hot", "times", "scheduled-and-empty", "none", "Ho t", "é"]
)
PLAYERS = st.sampled_from(
    ["p07", "p08", "shown", "new", "ann", "nobody", "a b", "%41", "x" * 65, "ü"]
)
NUMBERS = st.sampled_from(["0", "1", "2", "5", "100", "101", "-1", "01", "1e3", "x", ""])
PARAMETERS = st.lists(
    st.one_of(
        st.tuples(st.just("limit"), NUMBERS),
        st.tuples(st.just("radius"), NUMBERS),
        st.tuples(st.just("version"), st.sampled_from(["2", "3", "final", "999", "x", ""])),
        st.tuples(st.just("min_version"), st.sampled_from(["1", "2", "999", "x"])),
        st.tuples(st.just("region"), st.sampled_from(["EU", "NA", "AS", "!", ""])),
        st.tuples(st.just("around_player"), PLAYERS),
        st.tuples(st.just("at_score"), NUMBERS),
        st.tuples(st.just("cursor"), st.sampled_from(["x", "a.b", "%00", "é"])),
        st.tuples(st.sampled_from(["other", "limit%3D1", "é"]), NUMBERS),
    ),
    max_size=3,
)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "HTTP_ACCEPT": st.sampled_from(
            ["*/*", "application/json", "text/html", "*/*;q=0", "é", ""]
        ),
        "HTTP_ACCEPT_ENCODING": st.sampled_from(["gzip", "gzip, br", "gzip;q=0", "x"]),
        "HTTP_IF_NONE_MATCH": st.sampled_from(['"x"', "*", 'W/"x", *', ""]),
        "HTTP_PREFER": st.sampled_from(["wait=0", "wait=x", "respond-async"]),
        "HTTP_HOST": st.sampled_from(["example.org", "a b", "[::1]:80", "", "x:y"]),
        "CONTENT_TYPE": st.sampled_from(
            ["application/json; charset=utf-8", "text/plain", "", "é/é"]
        ),
        "SCRIPT_NAME": st.sampled_from(["/x", ""]),
    },
)
BODIES = st.sampled_from(
    [
        json.dumps({"player_ids": ["p01", "p02", "nobody", "p01"]}).encode(),
        b'{"player_ids": []}',
        b'{"player_ids": ["a b"], "more": 1}',
        b"[]",
        b"{",
        b"",
    ]
)


def _address(season: str, player: str, kind: str) -> str:
    if kind in {"rank", "neighbors"}:
        return f"/v1/seasons/{season}/players/{player}/{kind}"
    return f"/v1/seasons/{season}/leaderboard/{kind}"


@st.composite
def requests(draw: Any) -> Environ:
    """Draw a request to one of the routes, mostly a usual one."""
    kind = draw(st.sampled_from([*HOT, "distribution"]))
    path = _address(draw(SEASONS), draw(PLAYERS), kind) + draw(st.sampled_from(["", "", "", "/"]))
    usual = "POST" if kind == "lookup" else "GET"
    method = draw(st.sampled_from([usual] * 6 + ["GET", "HEAD", "POST", "PUT", "OPTIONS", "BREW"]))
    query = "&".join("=".join(pair) for pair in draw(PARAMETERS))
    as_sent = path.encode().decode("latin-1")
    return asked(method, as_sent, query, draw(BODIES), **draw(HEADERS))


@given(requests())
@settings(max_examples=ASKED)
def test_any_request_is_answered_alike(season: str, environ: Environ) -> None:
    by_front, by_django = both(environ)
    assert by_front == by_django


USUAL = [
    asked("GET", _address("hot", "p07", "rank")),
    asked("GET", _address("hot", "p08", "rank"), "version=2"),
    asked("GET", _address("times", "bob", "rank")),
    asked("GET", _address("hot", "nobody", "rank")),
    asked("GET", _address("hot", "p09", "neighbors"), "radius=3"),
    asked("GET", _address("hot", "", "top"), "limit=7"),
    asked("GET", _address("hot", "", "top"), "region=EU"),
    asked("GET", _address("hot", "", "page"), "limit=7&at_score=6"),
    asked("GET", _address("none", "", "top")),
    asked("GET", _address("hot", "", "top"), "limit=0"),
    asked("POST", _address("hot", "", "lookup"), "", b'{"player_ids": ["p01", "x"]}'),
]


@pytest.mark.parametrize("environ", USUAL, ids=lambda one: one["PATH_INFO"].rsplit("/", 1)[1])
def test_a_usual_request_never_reaches_django(season: str, environ: Environ) -> None:
    by_front, by_django = both(environ)
    assert by_front == by_django
    environ = {**environ, "wsgi.input": io.BytesIO(environ["wsgi.input"].getvalue())}
    with (
        patch.object(wsgi, "_front", FRONT),
        patch.object(wsgi, "_handle", side_effect=AssertionError),
    ):
        assert answered(environ) == by_front


def test_pages_by_cursor_and_what_a_client_has_are_answered_alike(season: str) -> None:
    environ = asked("GET", _address("hot", "", "page"), "limit=7")
    for _ in range(3):
        by_front, by_django = both(environ)
        assert by_front == by_django
        tag = dict(by_front.headers)["ETag"]
        not_modified = both({**environ, "HTTP_IF_NONE_MATCH": tag})
        assert not_modified[0] == not_modified[1]
        assert not_modified[0].status == "304 Not Modified"
        cursor = json.loads(by_front.body)["next"]
        environ = asked("GET", _address("hot", "", "page"), f"limit=7&cursor={cursor}")


def test_a_crowd_that_asks_for_the_top_is_answered_by_one_making(season: str) -> None:
    environ = asked("GET", _address("hot", "", "top"), "limit=9")
    with (
        patch.object(wsgi, "_front", FRONT),
        patch(CLOCK) as clock,
    ):
        clock.return_value = 100.0
        first = FRONT.answer(environ)
        clock.return_value += SHARED_SECONDS * 0.9
        assert FRONT.answer(environ) is first
        assert FRONT.answer({**environ, "HTTP_ACCEPT_ENCODING": "gzip"}) is not first
        assert FRONT.answer({**environ, "QUERY_STRING": "limit=8"}) is not first
        clock.return_value += SHARED_SECONDS * 0.2
        again = FRONT.answer(environ)
        assert again is not first
        assert again == first


def test_while_one_makes_the_top_anew_the_others_get_what_was_there(season: str) -> None:
    environ = asked("GET", _address("hot", "", "top"), "limit=10")
    meanwhile: list[object] = []
    with patch(CLOCK) as clock:
        clock.return_value = 100.0
        first = FRONT.answer(environ)
        for late, shared in ((1.1, True), (2.1, False)):
            clock.return_value = 100.0 + SHARED_SECONDS * late
            with patch("config.http.front._answered", _asking_again(environ, meanwhile)):
                FRONT.answer(environ)
            assert (meanwhile.pop() is first) == shared
            FRONT.forget()
            clock.return_value = 100.0
            first = FRONT.answer(environ)


def _asking_again(environ: Environ, meanwhile: list[object]) -> Any:
    """Return what makes a reply while somebody else asks for the same."""

    def answer(asked_for: Environ, view: Any, named: dict[str, str]) -> Any:
        with patch("config.http.front._answered", _answered):
            meanwhile.append(FRONT.answer(environ))
        return _answered(asked_for, view, named)

    return answer


def test_what_one_player_asks_is_never_another_ones_reply(season: str) -> None:
    for kind in ("rank", "neighbors"):
        environ = asked("GET", _address("hot", "p08", kind))
        assert FRONT.answer(environ) is not FRONT.answer(environ)


def test_only_good_replies_are_shared(season: str) -> None:
    environ = asked("GET", _address("hot", "", "top"), "limit=0")
    assert FRONT.answer(environ) is not FRONT.answer(environ)
