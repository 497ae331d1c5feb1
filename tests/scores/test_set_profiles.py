"""set_profiles: the newest version counts, and says what a player's region is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import db
from scores import models
from scores.operations import set_profiles
from scores.queries.stored_profiles import stored_profiles
from scores.rules import Profile, newest_profiles

# As writers of results make it, so that there is something to lock.
EMPTY_ROW = db.Statement("INSERT INTO scores_profile (player_id) VALUES (%(player_id)s)")


def say(*profiles: tuple[str, str | None, int]) -> list[str]:
    """Set profiles and return their outcomes."""
    return [done.outcome for done in set_profiles([Profile(*profile) for profile in profiles])]


def stored() -> list[tuple[str, str | None, int]]:
    rows = models.Profile.objects.order_by("player_id")
    return list(rows.values_list("player_id", "region", "profile_version"))


def test_a_first_profile_is_stored(database: str) -> None:
    (done,) = set_profiles([Profile("ann", "EU", 3)])
    assert (done.outcome, done.stored.content) == ("stored", Profile("ann", "EU", 3))
    assert stored() == [("ann", "EU", 3)]


def test_a_newer_one_replaces_it_also_by_no_region(database: str) -> None:
    assert say(("ann", "EU", 3)) == say(("ann", "NA", 4)) == say(("ann", None, 5)) == ["stored"]
    assert stored() == [("ann", None, 5)]


def test_the_same_content_again_is_stored_already(database: str) -> None:
    (first,) = set_profiles([Profile("ann", "EU", 3)])
    (again,) = set_profiles([Profile("ann", "EU", 3)])
    assert again == first


@pytest.mark.parametrize(
    "other", [("ann", "NA", 3), ("ann", None, 3), ("ann", "NA", 2), ("ann", "EU", 2)]
)
def test_an_older_or_equal_version_with_other_content_is_a_conflict(
    database: str, other: tuple[str, str | None, int]
) -> None:
    say(("ann", "EU", 3))
    (done,) = set_profiles([Profile(*other)])
    assert (done.outcome, done.stored.content) == ("conflict", Profile("ann", "EU", 3))
    assert stored() == [("ann", "EU", 3)]


def test_an_empty_row_is_no_profile_yet(database: str) -> None:
    db.execute(EMPTY_ROW, player_id="ann")
    assert stored_profiles(["ann"]) == {}
    assert say(("ann", "EU", 1)) == ["stored"]
    assert stored() == [("ann", "EU", 1)]


def test_a_conflict_concerns_its_own_player_only(database: str) -> None:
    say(("bob", "EU", 3))
    assert say(("cid", "NA", 1), ("bob", "NA", 2), ("ann", None, 1)) == [
        "stored",
        "conflict",
        "stored",
    ]
    assert stored() == [("ann", None, 1), ("bob", "EU", 3), ("cid", "NA", 1)]


def test_of_several_of_one_player_the_newest_counts(database: str) -> None:
    given_ = [("ann", "EU", 1), ("ann", "NA", 3), ("ann", "AS", 2), ("ann", "NA", 3)]
    assert say(*given_) == ["conflict", "stored", "conflict", "stored"]
    assert stored() == [("ann", "NA", 3)]


def test_of_equally_new_ones_the_first_counts(database: str) -> None:
    assert say(("ann", "EU", 1), ("ann", "NA", 1)) == ["stored", "conflict"]
    assert stored() == [("ann", "EU", 1)]


PROFILES = st.lists(
    st.builds(
        Profile, st.sampled_from("abc"), st.sampled_from(["EU", "NA", None]), st.integers(1, 4)
    )
)


@given(PROFILES)
def test_a_batch_leaves_what_its_newest_profiles_would_one_by_one(given_: list[Profile]) -> None:
    expected: dict[str, Profile] = {}
    for profile in given_:
        if profile.player_id not in expected or (
            profile.profile_version > expected[profile.player_id].profile_version
        ):
            expected[profile.player_id] = profile
    newest = newest_profiles(given_)
    assert {profile.player_id: profile for profile in newest} == expected
    assert [profile.player_id for profile in newest] == sorted(expected)


@pytest.mark.parametrize(
    "columns",
    [
        {"region": "EU"},
        {"profile_version": 1},
        {"profile_version": -1},
        {"updated_at": "2026-01-01T00:00:00Z"},
    ],
)
def test_the_database_refuses_a_row_that_is_neither_empty_nor_whole(
    database: str, superuser: object, columns: dict[str, object]
) -> None:
    names = ", ".join(["player_id", *columns])
    marks = ", ".join(["%s"] * (len(columns) + 1))
    with pytest.raises(Exception, match="profile_is_empty_until_written"):
        superuser.execute(  # type: ignore[attr-defined]
            f"INSERT INTO scores_profile ({names}) VALUES ({marks})", ["ann", *columns.values()]
        )
