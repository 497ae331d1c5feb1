"""Service tokens in the admin: made, shown once, revoked."""

import logging
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.urls import reverse

from scores.models import ServiceToken
from scores.operations.create_token import create_token
from scores.operations.revoke_token import revoke_token
from scores.queries.valid_token import valid_token
from tests.people import client_of, person, text_of

TOKEN = re.compile(r"laurel_[A-Za-z0-9_-]{43}")


def add_url() -> str:
    return reverse("admin:scores_servicetoken_add")


def list_url() -> str:
    return reverse("admin:scores_servicetoken_changelist")


def form(**answers: Any) -> dict[str, Any]:
    return {"name": "match service", "scopes": ["scores:apply", "changes:read"], **answers}


def kept(name: str) -> ServiceToken:
    return ServiceToken.objects.get(name=name)


def test_a_token_is_shown_once_and_works(database: str) -> None:
    who = person("operator")
    client = client_of(who)
    answer = client.post(add_url(), form(expires_at="2031-05-01T12:00:00Z"))
    (token,) = set(TOKEN.findall(text_of(answer)))
    assert "no-store" in answer.headers["Cache-Control"]
    valid = valid_token(token)
    assert valid is not None
    assert valid.scopes == ["changes:read", "scores:apply"]
    made = kept("match service")
    assert made.expires_at == datetime(2031, 5, 1, 12, tzinfo=UTC)
    for address in (list_url(), reverse("admin:scores_servicetoken_change", args=[made.id])):
        assert token not in text_of(client.get(address))
    assert client.post(add_url(), form()).content.decode().count(token) == 0


def test_a_token_is_kept_nowhere_but_as_a_hash(
    database: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    who = person("operator")
    (token,) = set(TOKEN.findall(text_of(client_of(who).post(add_url(), form()))))
    entry = LogEntry.objects.get()
    assert (entry.user, entry.object_repr) == (who, "match service")
    assert entry.change_message == "Made a token for changes:read, scores:apply"
    everything = [entry.change_message, caplog.text]
    everything += [str(session.get_decoded()) for session in Session.objects.all()]
    everything += [str(vars(row)) for row in ServiceToken.objects.all()]
    assert not any(token in text for text in everything)


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 65}, "at most 64 characters"),
        ({"name": "taken"}, "There is a token of this name."),
        ({"scopes": []}, "This field is required."),
        ({"scopes": ["everything"]}, "Select a valid choice."),
        ({"expires_at": "soon"}, "Enter a valid date/time."),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_on_the_form(
    database: str, answers: dict[str, Any], says: str
) -> None:
    create_token("taken", ["scores:apply"])
    page = text_of(client_of(person("operator")).post(add_url(), form(**answers)))
    assert says in page
    assert not TOKEN.search(page)
    assert ServiceToken.objects.count() == 1


def test_a_token_is_revoked_at_once_with_a_reason(database: str) -> None:
    token, who = create_token("leaked", ["scores:apply"]), person("operator")
    client, page = (
        client_of(who),
        reverse("admin:scores_servicetoken_revoke", args=[kept("leaked").id]),
    )
    assert "This field is required." in text_of(client.post(page, {"reason": ""}))
    assert valid_token(token) is not None
    answer = client.post(page, {"reason": "it was in a log"}, follow=True)
    assert "is refused from now on" in text_of(answer)
    assert valid_token(token) is None
    entry = LogEntry.objects.get()
    assert (entry.user, entry.change_message) == (who, "Revoked: it was in a log")


def test_a_revoked_token_cannot_be_revoked_again_from_the_list(database: str) -> None:
    create_token("old", ["scores:apply"])
    create_token("new", ["scores:apply"])
    revoke_token("old")
    page = text_of(client_of(person("operator")).get(list_url()))
    assert f"/{kept('new').id}/revoke/" in page
    assert f"/{kept('old').id}/revoke/" not in page


def test_the_list_is_paged_by_name(database: str) -> None:
    for number in range(101):
        create_token(f"token {number:03}", ["scores:apply"])
    client = client_of(person("operator"))
    first = text_of(client.get(list_url()))
    assert "token 099<" in first
    assert "token 100<" not in first
    assert "?after=token+099" in first
    second = text_of(client.get(list_url(), {"after": "token 099"}))
    assert "token 100<" in second
    assert "token 099<" not in second


def test_names_are_never_markup(database: str) -> None:
    create_token("<script>x</script>", ["scores:apply"])
    client = client_of(person("operator"))
    for page in (
        list_url(),
        reverse("admin:scores_servicetoken_change", args=[ServiceToken.objects.get().id]),
        reverse("admin:scores_servicetoken_revoke", args=[ServiceToken.objects.get().id]),
    ):
        assert "<script>x" not in text_of(client.get(page))


def test_a_token_that_does_not_exist_is_not_found(shared: str) -> None:
    client = client_of(person("operator"))
    for what in ("change", "revoke"):
        page = reverse(f"admin:scores_servicetoken_{what}", args=[10**8])
        assert client.get(page).status_code == 404
