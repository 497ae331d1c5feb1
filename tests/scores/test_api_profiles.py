"""`PUT …/profile` and `POST …/profiles` from the HTTP side."""

from typing import Any

import pytest

from scores.models import Profile
from tests.api import PROFILE, PROFILES, faults, post, problem, put, token


@pytest.fixture
def bearer(database: str) -> str:
    return token("players:write")


def profile(version: int = 1, **members: Any) -> dict[str, Any]:
    return {"region": "EU", "profile_version": version, **members}


def test_a_profile_is_answered_as_it_is_stored(bearer: str) -> None:
    reply = put(PROFILE, profile(7), bearer).json()
    updated_at = reply.pop("updated_at")
    assert updated_at.endswith("Z")
    assert reply == {"player_id": "ann", "region": "EU", "profile_version": 7}
    assert put(PROFILE, profile(7), bearer).json() == {**reply, "updated_at": updated_at}
    assert put(PROFILE, profile(8, region=None), bearer).json()["region"] is None


@pytest.mark.parametrize("other", [profile(7, region="NA"), profile(6), profile(6, region=None)])
def test_an_older_or_equal_version_with_other_content_is_refused(
    bearer: str, other: dict[str, Any]
) -> None:
    put(PROFILE, profile(7), bearer)
    problem(put(PROFILE, other, bearer), 409, "profile_conflict")
    assert Profile.objects.values_list("region", "profile_version").get() == ("EU", 7)


def test_any_player_id_of_the_contract_can_stand_in_the_address(bearer: str) -> None:
    address = "/internal/v1/players/auth0%7Cann@x:1/profile"
    assert put(address, profile(), bearer).json()["player_id"] == "auth0|ann@x:1"
    for wrong in ("a%20b", ".ann", "a%0A", "x" * 65):
        refused = put(f"/internal/v1/players/{wrong}/profile", profile(), bearer)
        problem(refused, 400, "invalid_parameter")


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"region": "E U"}, "/region", "pattern"),
    ({"region": ""}, "/region", "pattern"),
    ({"region": "x" * 33}, "/region", "pattern"),
    ({"region": "EU\n"}, "/region", "pattern"),
    ({"region": 7}, "/region", "type"),
    ({"profile_version": 0}, "/profile_version", "out_of_range"),
    ({"profile_version": 2**53}, "/profile_version", "out_of_range"),
    ({"profile_version": 1.0}, "/profile_version", "type"),
    ({"profile_version": True}, "/profile_version", "type"),
    ({"player_id": "ann"}, "/player_id", "unknown_member"),
]


def test_a_fault_is_pointed_at(bearer: str) -> None:
    for members, pointer, code in REFUSED:
        assert faults(put(PROFILE, profile(**members), bearer)) == [(pointer, code)], members
    assert faults(put(PROFILE, {}, bearer)) == [
        ("/region", "missing"),
        ("/profile_version", "missing"),
    ]
    assert not Profile.objects.exists()


def of(player_id: str, version: int = 1, **members: Any) -> dict[str, Any]:
    return {"player_id": player_id, **profile(version, **members)}


def test_a_batch_tells_the_outcome_of_each_and_what_is_stored(bearer: str) -> None:
    put(PROFILE, profile(7), bearer)
    batch = {"profiles": [of("bob"), of("ann", 6, region="NA"), of("cid", region=None)]}
    results = post(PROFILES, batch, bearer).json()["results"]
    assert [
        (one["player_id"], one["outcome"], one["region"], one["profile_version"])
        for one in results
    ] == [
        ("bob", "stored", "EU", 1),
        ("ann", "conflict", "EU", 7),
        ("cid", "stored", None, 1),
    ]
    assert post(PROFILES, batch, bearer).json()["results"] == results


def test_a_fault_refuses_the_whole_batch_and_all_are_told(bearer: str) -> None:
    batch = [of("ann"), of("a b"), of("bob", 0), {"player_id": "cid", "region": "?"}]
    assert faults(post(PROFILES, {"profiles": batch}, bearer)) == [
        ("/profiles/1/player_id", "pattern"),
        ("/profiles/2/profile_version", "out_of_range"),
        ("/profiles/3/region", "pattern"),
        ("/profiles/3/profile_version", "missing"),
    ]
    assert not Profile.objects.exists()


def test_a_batch_has_one_to_a_thousand_profiles(bearer: str) -> None:
    for number, ok in ((0, False), (1, True), (1_000, True), (1_001, False)):
        batch = {"profiles": [of(f"player-{n}") for n in range(number)]}
        reply = post(PROFILES, batch, bearer)
        if ok:
            assert len(reply.json()["results"]) == number
        else:
            assert faults(reply) == [("/profiles", "length")]
    assert Profile.objects.count() == 1_000


def test_profiles_need_their_own_scope(database: str) -> None:
    other = token("scores:apply", "scores:correct")
    problem(put(PROFILE, profile(), other), 403, "forbidden")
    problem(post(PROFILES, {"profiles": [of("ann")]}, other), 403, "forbidden")
    problem(put(PROFILE, profile()), 401, "not_authenticated")
    assert not Profile.objects.exists()
