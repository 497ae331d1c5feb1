"""Held results in the admin: listed, let in, refused."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from scores.models import Best, Ledger
from seasons.models import Season
from tests.factories import apply, event, make_season, publish, unused_slug
from tests.people import client_of, person, text_of

ODD = "auth0|5f:7@x=y,~+z"


@pytest.fixture
def held(shared: str) -> str:
    """Give the test a closing season in which ann has 50 and two late results are held."""
    cutoff = datetime.now(UTC) - timedelta(minutes=1)
    slug = make_season(
        unused_slug(), cutoff_at=cutoff, late_policy="review", grace_seconds=3600
    ).slug
    late = {"completed_at": cutoff + timedelta(seconds=1)}
    apply(
        slug,
        event("ann", 50, 1, completed_at=cutoff - timedelta(seconds=1)),
        event("ann", 90, 2, event_id="late-ann", **late),
        event(ODD, 70, 1, event_id=f"late|{ODD}", **late),
    )
    publish(slug)
    return slug


def list_url() -> str:
    return reverse("admin:scores_ledger_held")


def url(slug: str, event_id: str, how: str) -> str:
    return reverse("admin:scores_ledger_decide", args=[slug, event_id, how])


def score_of(slug: str, player_id: str) -> int | None:
    namespace = Season.objects.get(slug=slug).namespace
    best = Best.objects.filter(namespace=namespace, player_id=player_id).first()
    return None if best is None else best.score


def test_what_is_held_is_listed_with_both_ways_out(held: str) -> None:
    page = text_of(client_of(person("approver")).get(list_url(), {"season": held}))
    assert url(held, "late-ann", "release") in page
    assert url(held, "late-ann", "refuse") in page
    assert ODD in page


def test_a_held_result_is_let_in(held: str) -> None:
    who = person("approver")
    answer = client_of(who).post(
        url(held, "late-ann", "release"), {"reason": "the server was slow"}, follow=True
    )
    assert "Best score now: 90." in text_of(answer)
    assert score_of(held, "ann") == 90
    row = Ledger.objects.get(
        namespace=Season.objects.get(slug=held).ledger_namespace, kind="release"
    )
    assert (row.approved_by, row.reason) == (who.username, "the server was slow")
    entry = LogEntry.objects.order_by("-id")[0]
    assert entry.change_message == "Let in held result late-ann of ann: the server was slow"
    assert (entry.user, entry.object_repr) == (who, held)
    assert "late-ann<" not in text_of(client_of(who).get(list_url(), {"season": held}))


def test_a_held_result_is_refused(held: str) -> None:
    client = client_of(person("approver"))
    answer = client.post(url(held, f"late|{ODD}", "refuse"), {"reason": "too late"}, follow=True)
    assert f"Refuse: late|{ODD}" in text_of(answer)
    assert score_of(held, ODD) is None
    entry = LogEntry.objects.order_by("-id")[0]
    assert entry.change_message == f"Refuse held result late|{ODD} of {ODD}: too late"
    assert ODD not in text_of(client.get(list_url(), {"season": held}))


@pytest.mark.parametrize("how", ["release", "refuse"])
def test_what_was_decided_meanwhile_says_so(held: str, how: str) -> None:
    client = client_of(person("approver"))
    client.post(url(held, "late-ann", "refuse"), {"reason": "one"})
    entries = LogEntry.objects.count()
    page = text_of(client.post(url(held, "late-ann", how), {"reason": "two"}))
    assert "decided on this held result already" in page
    assert LogEntry.objects.count() == entries


@pytest.mark.parametrize("how", ["release", "refuse"])
def test_the_result_is_shown_before_one_decides_and_a_reason_is_needed(
    held: str, how: str
) -> None:
    client = client_of(person("approver"))
    assert "late_held" in text_of(client.get(url(held, "late-ann", how)))
    page = text_of(client.post(url(held, "late-ann", how), {"reason": ""}))
    assert "This field is required." in page
    assert score_of(held, "ann") == 50


def test_what_is_not_held_is_refused(held: str) -> None:
    client = client_of(person("approver"))
    page = text_of(client.post(url(held, "unheard-of", "release"), {"reason": "why"}))
    assert "No result with this id is held in the season." in page


def test_other_addresses_are_not_found(held: str) -> None:
    client = client_of(person("approver"))
    assert client.get(url(held, "late-ann", "other")).status_code == 404
    assert client.get(url("nowhere", "late-ann", "release")).status_code == 404
    page = text_of(client.get(list_url(), {"season": "nowhere"}))
    assert "There is no season with this id." in page


def test_many_are_paged_by_their_place_in_the_ledger(shared: str) -> None:
    cutoff = datetime.now(UTC) - timedelta(minutes=1)
    slug = make_season(
        unused_slug(), cutoff_at=cutoff, late_policy="review", grace_seconds=3600
    ).slug
    late = [event(f"p-{n}", n, event_id=f"e-{n:02}", completed_at=cutoff) for n in range(60)]
    apply(slug, *late)
    client = client_of(person("viewer"))
    first = text_of(client.get(list_url(), {"season": slug}))
    namespace = Season.objects.get(slug=slug).ledger_namespace
    ids = list(
        Ledger.objects.filter(namespace=namespace).order_by("id").values_list("id", "event_id")
    )
    assert f"after={ids[49][0]}" in first
    assert f">{ids[49][1]}<" in first
    assert f">{ids[50][1]}<" not in first
    second = text_of(client.get(list_url(), {"season": slug, "after": str(ids[49][0])}))
    assert f">{ids[50][1]}<" in second
    assert f">{ids[49][1]}<" not in second
