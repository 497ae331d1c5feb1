"""
No page of the admin reads a table from end to end, counts one, or sorts one.

Every statement that a page sends is explained as it runs, in the database of a big season with
what years leave behind beside it.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from config import db
from leaderboard.models import Verification
from scores.models import CorrectionRequest, Ledger
from seasons.models import Series
from tests.plans.big_season import SLUG, BigSeason
from tests.plans.explaining import Plan

# How many rows of large tables a page may look at (the first one: two or three of each season,
# of which there are eight hundred), and sort.
MOST_READ = 2_500
MOST_SORTED = 300
EXPLAIN = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) "
# A row for each person, role, series or standstill: these may be read as they are.
SMALL = (
    "auth_", "django_session", "django_content_type", "leaderboard_stop", "seasons_series",
    "seasons_windowrule",
)  # fmt: skip


class Sent(NamedTuple):
    """A statement that a page sent, and how it was executed."""

    text: str
    plan: Plan


def found(address: str, **asked: object) -> str:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return f"{address}?{query}"


def at(view: str, *arguments: Any) -> str:
    return reverse(f"admin:{view}", args=arguments)


def in_the_middle_of_the_ledger(big: BigSeason) -> str:
    row = Ledger.objects.filter(
        namespace=big.season.ledger_namespace, epoch=big.versions[60]
    ).first()
    epoch = big.versions[60] if row is None else row.epoch
    return found(at("scores_ledger_changelist"), season=SLUG, epoch=epoch, id=1)


def a_request(state: str) -> CorrectionRequest:
    request = CorrectionRequest.objects.filter(status=state).order_by("-id").first()
    assert request is not None
    return request


PAGES: dict[str, Callable[[BigSeason], str]] = {
    "first page": lambda _: at("index"),
    "seasons": lambda _: at("seasons_season_changelist"),
    "seasons, later": lambda _: found(at("seasons_season_changelist"), after="old-200"),
    "season": lambda big: at("seasons_season_change", big.season.season_id),
    "series": lambda _: at("seasons_series_changelist"),
    "one series": lambda _: at("seasons_series_change", Series.objects.get(slug="series-2").id),
    "retirements": lambda _: at("leaderboard_retirement_changelist"),
    "transitions": lambda _: at("seasons_transition_changelist"),
    "versions": lambda _: at("leaderboard_version_changelist"),
    "versions of one": lambda _: found(at("leaderboard_version_changelist"), q=SLUG),
    "candidates": lambda _: at("leaderboard_candidate_changelist"),
    "settlements": lambda _: at("leaderboard_settlement_changelist"),
    "rebuilds": lambda _: at("leaderboard_rebuild_changelist"),
    "verifications": lambda _: at("leaderboard_verification_changelist"),
    "verification": lambda _: at(
        "leaderboard_verification_change", Verification.objects.order_by("-id")[0].id
    ),
    "jobs": lambda _: at("leaderboard_job_changelist"),
    "players": lambda _: at("scores_best_changelist"),
    "player": lambda big: at("scores_best_player", SLUG, big.changed_most),
    "player of a tie": lambda big: at("scores_best_player", SLUG, big.in_tie),
    "player with friends": lambda _: at("scores_best_player", SLUG, "player-7"),
    "unknown player": lambda _: at("scores_best_player", SLUG, "unheard-of"),
    "ledger": lambda _: found(at("scores_ledger_changelist"), season=SLUG),
    "ledger, later": in_the_middle_of_the_ledger,
    "event": lambda _: found(at("scores_ledger_changelist"), season=SLUG, event="player-7-1"),
    "unknown event": lambda _: found(at("scores_ledger_changelist"), season=SLUG, event="x"),
    "held results": lambda _: found(at("scores_ledger_held"), season=SLUG),
    "requests": lambda _: at("scores_correctionrequest_changelist"),
    "requests, later": lambda _: found(
        at("scores_correctionrequest_changelist"), after=a_request("requested").id - 50
    ),
    "decided requests": lambda _: found(
        at("scores_correctionrequest_changelist"), state="decided"
    ),
    "decided requests, later": lambda _: found(
        at("scores_correctionrequest_changelist"), state="decided", before=9_000
    ),
    "request": lambda _: at("scores_correctionrequest_change", a_request("requested").id),
    "tokens": lambda _: at("scores_servicetoken_changelist"),
    "tokens, later": lambda _: found(at("scores_servicetoken_changelist"), after="token-5"),
    "audit log": lambda _: at("admin_logentry_changelist"),
}


@contextmanager
def explained() -> Iterator[list[Sent]]:
    """Explain each statement that is sent by this thread."""
    sent: list[Sent] = []
    run = db._run

    def keep(text: str, rows: Any) -> None:
        document = rows[0][0]
        document = json.loads(document) if isinstance(document, str | bytes) else document
        sent.append(Sent(text, Plan(document[0]["Plan"], {})))

    def of_orm(execute: Any, text: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        if text.startswith("SELECT"):
            with context["connection"].connection.cursor() as cursor:
                cursor.execute(EXPLAIN + text, params)
                keep(text, cursor.fetchall())
        return execute(text, params, many, context)

    def of_file(statement: Any, using: str, params: Any) -> Any:
        keep(str(statement), run(db.Statement(EXPLAIN + statement), using, params).fetchall())
        return run(statement, using, params)

    with connections["default"].execute_wrapper(of_orm), patch.object(db, "_run", of_file):
        yield sent


@pytest.fixture
def client(shared: str, statistics: str) -> Client:
    who = User.objects.filter(username="chief-of-plans").first()
    client = Client()
    client.force_login(who or User.objects.create_superuser("chief-of-plans"))
    return client


@pytest.fixture(scope="module")
def pages_seen() -> dict[tuple[str, str], list[Sent]]:
    """Keep the statements of pages that several tests look at."""
    return {}


@pytest.fixture(params=PAGES)
def sent(
    request: pytest.FixtureRequest,
    client: Client,
    big: BigSeason,
    statistics: str,
    pages_seen: dict[tuple[str, str], list[Sent]],
) -> list[Sent]:
    """Return the statements of a page, which must be there."""
    which = (statistics, request.param)
    if which not in pages_seen:
        address = PAGES[request.param](big)
        with explained() as sent:
            assert client.get(address).status_code == 200
        pages_seen[which] = sent
    return pages_seen[which]


def large(table: str) -> bool:
    return not table.startswith(SMALL)


def test_a_page_reads_no_large_table_from_end_to_end(sent: list[Sent]) -> None:
    for statement in sent:
        whole = {table for table in statement.plan.read_from_end_to_end if large(table)}
        assert not whole, statement.text


def test_a_page_counts_nothing(sent: list[Sent]) -> None:
    for statement in sent:
        assert "count(" not in statement.text.lower(), statement.text


def test_a_page_reads_and_sorts_no_more_than_it_shows(sent: list[Sent]) -> None:
    for statement in sent:
        if any(large(table) for table in statement.plan.tables):
            assert statement.plan.rows_read <= MOST_READ, statement.text
            assert statement.plan.rows_sorted <= MOST_SORTED, statement.text


def test_there_are_years_of_everything(shared: str, big: BigSeason) -> None:
    assert CorrectionRequest.objects.count() == 30_000
    assert Verification.objects.count() > 20_000
