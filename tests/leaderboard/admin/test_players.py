"""Players in the admin: found by key, with history, ranks and requests."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scores.operations import (
    WantedCorrection,
    request_correction,
    set_friends,
    set_profiles,
)
from scores.rules import Profile, friend_list
from tests.factories import apply, board, correct, event, make_final, publish
from tests.people import client_of, person, text_of

ODD = "auth0|5f:7@x=y,~+z"


def find(client: Client, **asked: str) -> Any:
    return client.get(reverse("admin:scores_best_changelist"), asked)


def player(slug: str, player_id: str) -> str:
    return reverse("admin:scores_best_player", args=[slug, player_id])


def facts(page: str) -> dict[str, str]:
    """Return what stands beside each label of a page."""
    found = re.findall(r"<dt[^>]*>(.*?)</dt>\s*<dd[^>]*>(.*?)</dd>", page, re.DOTALL)
    return {label: re.sub("<[^>]*>", "", value).strip() for label, value in found}


def section(page: str, title: str) -> str:
    """Return the part of a page under a title."""
    (found,) = [part for part in page.split("<section") if f">{title}" in part]
    return found


def look(slug: str, player_id: str, **asked: str) -> str:
    return text_of(client_of(person("viewer")).get(player(slug, player_id), asked))


@pytest.mark.parametrize("player_id", ["ann", ODD, "steam:7656", "0" * 64])
def test_the_search_leads_to_the_players_page(slug: str, player_id: str) -> None:
    apply(slug, event(player_id, 50))
    client = client_of(person("viewer"))
    found = find(client, season=slug, player=player_id)
    assert (found.status_code, found.headers["Location"]) == (302, player(slug, player_id))
    assert facts(text_of(client.get(found.headers["Location"])))["Score"] == "50"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"season": "nowhere"}, "There is no season with this id."),
        ({"season": "No!"}, "It must match"),
        ({"season": ""}, "This field is required."),
        ({"player": "a/b"}, "It must match"),
        ({"player": ""}, "This field is required."),
        ({"player": "x" * 65}, "at most 64 characters"),
    ],
    ids=str,
)
def test_what_cannot_be_found_says_why(slug: str, asked: dict[str, str], says: str) -> None:
    client = client_of(person("viewer"))
    assert says in text_of(find(client, **{"season": slug, "player": "ann", **asked}))


def test_the_search_is_empty_at_first_and_takes_the_season_along(slug: str) -> None:
    client = client_of(person("viewer"))
    assert "This field is required." not in text_of(find(client))
    page = text_of(find(client, season=slug))
    assert f'value="{slug}"' in page
    assert "This field is required." not in page


def test_the_rank_now_and_in_the_final_version(slug: str) -> None:
    board(slug, ann=50, bob=60)
    make_final(slug)
    shown = facts(look(slug, "ann"))
    assert shown["Rank now"] == "2 of 2 in version 2, with 50"
    assert shown["Rank in the final version"] == "2 of 2 in version 2, with 50"
    assert facts(look(slug, "nobody"))["Rank now"] == "not on the board"


def test_what_is_accepted_but_not_published_yet_is_told(slug: str) -> None:
    board(slug, ann=50)
    apply(slug, event("ann", 70, 2))
    shown = facts(look(slug, "ann"))
    assert (
        shown["Rank now"] == "1 of 1 in version 2, with 50; a newer change waits for its version"
    )
    assert (shown["Score"], shown["Version"], shown["Changes"]) == ("70", "2", "2")
    assert shown["Rank in the final version"] == "–"  # noqa: RUF001


def test_a_removed_player_is_told_to_be_removed(slug: str) -> None:
    board(slug, ann=50)
    correct(slug, "ann", 2)
    publish(slug)
    shown = facts(look(slug, "ann"))
    assert (shown["Removed"], shown["Hidden best"], shown["Score"]) == ("yes", "50", "–")  # noqa: RUF001
    assert shown["Rank now"] == "not on the board"


def test_profile_and_friends_are_shown(slug: str) -> None:
    player_id = f"{slug}-ann"
    set_profiles([Profile(player_id, "EU", 3)])
    set_friends(friend_list(player_id, ["zoe", ODD], 7))
    page = look(slug, player_id)
    shown = facts(page)
    assert (shown["Region"], shown["Version of the profile"]) == ("EU", "3")
    assert (shown["Friends"], shown["Version of the friend list"]) == ("2", "7")
    assert shown["Who they are"] == f"zoe, {ODD}"
    assert shown["Profile stored"].endswith("UTC")
    assert f'href="{player(slug, "zoe")}"' in page


def test_without_profile_and_friends_dashes_are_shown(slug: str) -> None:
    shown = facts(look(slug, "nobody"))
    for label in ("Region", "Version of the profile", "Friends", "Who they are"):
        assert shown[label] == "–"  # noqa: RUF001


def test_a_player_nobody_knows_has_an_empty_page(slug: str) -> None:
    page = look(slug, "nobody")
    assert "The season has no best of this player." in page
    assert page.count("No events.") == 2


def test_the_history_is_paged_by_change_and_the_rest_by_id(slug: str) -> None:
    ups = [event("ann", n, n, event_id=f"{slug}-up-{n:02}") for n in range(1, 31)]
    stale = [event("ann", 9, 1, event_id=f"{slug}-stale-{n:02}") for n in range(30)]
    apply(slug, *ups)
    apply(slug, *stale)
    page = look(slug, "ann")
    changes = section(page, "What touched the best")
    assert re.findall(r">[^<>]*-up-(\d\d)<", changes) == [f"{n:02}" for n in range(30, 5, -1)]
    assert "-stale-" not in changes
    assert "?change=6" in changes
    rest = section(look(slug, "ann", change="6"), "What touched the best")
    assert re.findall(r">[^<>]*-up-(\d\d)<", rest) == ["05", "04", "03", "02", "01"]
    others = section(page, "Without effect")
    first = re.findall(r">[^<>]*-stale-(\d\d)<", others)
    (place,) = re.findall(r"\?id=(\d+)", others)
    second = re.findall(
        r">[^<>]*-stale-(\d\d)<", section(look(slug, "ann", id=place), "Without effect")
    )
    assert (len(first), len(second)) == (25, 5)
    assert sorted(first + second) == [f"{n:02}" for n in range(30)]


def test_another_players_events_are_not_shown(slug: str) -> None:
    apply(slug, event("ann", 50), event("bob", 60, event_id=f"{slug}-bobs"))
    assert f"{slug}-bobs" not in look(slug, "ann")


def test_the_requests_about_the_player_are_shown(slug: str) -> None:
    for player_id in ("ann", "bob"):
        wanted = WantedCorrection(player_id=player_id, kind="remove", reason=f"why {player_id}")
        request_correction(slug, wanted, requested_by=person("moderator"))
    page = look(slug, "ann")
    assert "why ann" in page
    assert "why bob" not in page


@pytest.mark.parametrize("player_id", ["ann", ODD])
def test_each_button_leads_to_a_form_that_is_filled_in(slug: str, player_id: str) -> None:
    event_id = f"e|{slug}:@=1"
    apply(slug, event(player_id, 50, event_id=event_id))
    client = client_of(person("moderator"))
    page = text_of(client.get(player(slug, player_id)))
    links = re.findall(r'href="([^"]*/correctionrequest/add/\?[^"]*)"', page)
    assert len(links) == 4
    for link, kind in zip(links, ("set", "remove", "void", "void"), strict=True):
        form = client.get(link.replace("&amp;", "&")).context["shown_form"].form
        assert (form["season"].value(), form["player_id"].value()) == (slug, player_id)
        assert form["kind"].value() == kind
    last = client.get(links[-1].replace("&amp;", "&"))
    assert last.context["shown_form"].form["void_event_id"].value() == event_id
    assert "The original event" in text_of(last)


def test_only_results_and_corrections_can_be_voided(slug: str) -> None:
    apply(slug, event("ann", 50, event_id=f"{slug}-first"))
    correct(slug, "ann", 2, void_event_id=f"{slug}-first")
    page = text_of(client_of(person("moderator")).get(player(slug, "ann")))
    assert page.count("Void this event") == 1


@pytest.mark.parametrize(("season", "player_id"), [("nowhere", "ann"), ("", ".odd"), ("", "é")])
def test_what_cannot_be_a_player_is_not_found(slug: str, season: str, player_id: str) -> None:
    client = client_of(person("viewer"))
    assert client.get(player(season or slug, player_id)).status_code == 404
