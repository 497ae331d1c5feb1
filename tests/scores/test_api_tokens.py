"""Who may write: service tokens, their scopes, and what happens without."""

import io
import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from config.errors import ValidationFailed
from scores.models import Ledger, ServiceToken
from scores.operations.create_token import create_token
from scores.operations.revoke_token import revoke_token
from scores.queries.valid_token import token_hash
from tests.api import CHANGES, CORRECTIONS, SCORES, get, post, problem, result

APPLY = ("scores:apply",)


def test_only_a_hash_of_a_token_is_stored(database: str) -> None:
    text = create_token("match service", ("scores:correct", "scores:apply", "scores:apply"))
    stored = ServiceToken.objects.get()
    assert text.startswith("laurel_")
    assert len(text) >= 7 + 43
    assert stored.token_hash == token_hash(text)
    assert text not in str(vars(stored))
    assert stored.scopes == ["scores:apply", "scores:correct"]


def test_two_tokens_are_never_the_same(database: str) -> None:
    assert create_token("a", APPLY) != create_token("b", APPLY)


@pytest.mark.parametrize(
    ("name", "scopes", "code"),
    [
        ("", APPLY, "length"),
        ("x" * 65, APPLY, "length"),
        ("a\0b", APPLY, "length"),
        ("fine", (), "length"),
        ("fine", ("scores:everything",), "unknown_scope"),
        ("taken", APPLY, "taken"),
    ],
)
def test_a_token_needs_a_name_of_its_own_and_known_scopes(
    database: str, name: str, scopes: tuple[str, ...], code: str
) -> None:
    create_token("taken", APPLY)
    with pytest.raises(ValidationFailed) as refused:
        create_token(name, scopes)
    assert [fault.code for fault in refused.value.faults] == [code]


def test_without_a_valid_token_nothing_is_taken(season: str) -> None:
    token = create_token("service", APPLY)
    response = post(SCORES, result())
    problem(response, 401, "not_authenticated")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    wrong = ["", "Bearer", "Bearer ", "Bearer wrong", "Bearer laurel_" + "x" * 43, token]
    wrong += ["Bearer " + "x" * 5_000, f"Basic {token}", f"Bearer {token} {token}"]
    wrong += [f"Bearer {token}\0", "Bearer tökén", f"Bearer x{token}", f"Bearer {token[:-1]}"]
    for header in wrong:
        problem(post(SCORES, result(), authorization=header), 401, "not_authenticated")
    assert not Ledger.objects.exists()


def test_a_token_comes_before_the_season_and_the_body(database: str) -> None:
    problem(post(SCORES, b"not json"), 401, "not_authenticated")
    problem(post(SCORES.replace("season/", "UPPER/"), b""), 401, "not_authenticated")


def test_the_scheme_may_be_written_in_any_case(season: str) -> None:
    token = create_token("service", APPLY)
    assert post(SCORES, result(), authorization=f"bearer  {token}").status_code == 200


@pytest.mark.parametrize("address", [SCORES, CORRECTIONS, CHANGES])
def test_each_route_needs_its_scope(season: str, address: str) -> None:
    token = create_token("service", ("results:read",))
    response = (
        get(address, authorization=f"Bearer {token}")
        if address == CHANGES
        else post(address, result(), token)
    )
    problem(response, 403, "forbidden")
    assert not Ledger.objects.exists()


def test_a_revoked_token_is_refused_at_once(season: str) -> None:
    token = create_token("service", APPLY)
    assert post(SCORES, result(), token).status_code == 200
    assert revoke_token("service")
    problem(post(SCORES, result(), token), 401, "not_authenticated")
    assert not revoke_token("nobody")


def test_an_earlier_revocation_stays(database: str) -> None:
    create_token("service", APPLY)
    revoke_token("service")
    first = ServiceToken.objects.get().revoked_at
    revoke_token("service")
    assert ServiceToken.objects.get().revoked_at == first


def test_an_expired_token_is_refused(season: str) -> None:
    now = datetime.now(UTC)
    expired = create_token("old", APPLY, now - timedelta(seconds=1))
    lasting = create_token("new", APPLY, now + timedelta(minutes=1))
    problem(post(SCORES, result(), expired), 401, "not_authenticated")
    assert post(SCORES, result(), lasting).status_code == 200


def test_the_last_use_is_noted_once_a_minute(season: str) -> None:
    token = create_token("service", APPLY)
    assert ServiceToken.objects.get().last_used_at is None
    post(SCORES, result(), token)
    first = ServiceToken.objects.get().last_used_at
    post(SCORES, result(), token)
    assert first is not None
    assert ServiceToken.objects.get().last_used_at == first
    ServiceToken.objects.update(last_used_at=first - timedelta(seconds=61))
    post(SCORES, result(), token)
    second = ServiceToken.objects.get().last_used_at
    assert second is not None
    assert second > first


def test_a_locked_token_still_serves(season: str, superuser: Any) -> None:
    """Whoever edits the token's row in a transaction holds no request up."""
    token = create_token("service", APPLY)
    with connections["default"].cursor() as cursor:
        cursor.execute("SET lock_timeout = '3s'")
    with superuser.transaction():
        superuser.execute("SELECT id FROM scores_servicetoken FOR UPDATE")
        started = time.monotonic()
        assert post(SCORES, result(), token).status_code == 200
        assert time.monotonic() - started < 2


def test_the_look_up_of_a_token_uses_its_index(database: str) -> None:
    with connections["default"].cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute("EXPLAIN SELECT id FROM scores_servicetoken WHERE token_hash = 'x'")
        plan = "\n".join(row[0] for row in cursor.fetchall())
        cursor.execute("RESET enable_seqscan")
    assert "scores_servicetoken_token_hash" in plan


def test_the_command_prints_the_token_alone(season: str) -> None:
    out = io.StringIO()
    call_command(
        "create_token", "ci", "--scope", "scores:apply", "--expires-at",
        "2999-01-01T00:00:00Z", stdout=out,
    )  # fmt: skip
    text = out.getvalue()
    assert text.count("\n") == 1
    assert post(SCORES, result(), text.strip()).status_code == 200
    call_command("revoke_token", "ci", stdout=out)
    problem(post(SCORES, result(), text.strip()), 401, "not_authenticated")


def test_the_commands_say_what_is_wrong(database: str) -> None:
    create_token("taken", APPLY)
    with pytest.raises(CommandError, match="There is a token of this name"):
        call_command("create_token", "taken", "--scope", "scores:apply")
    with pytest.raises(CommandError, match="--expires-at"):
        call_command("create_token", "x", "--scope", "scores:apply", "--expires-at", "tomorrow")
    with pytest.raises(CommandError, match="no token named nobody"):
        call_command("revoke_token", "nobody")
