"""A season in which everything has happened that a ledger can have."""

import itertools

from leaderboard.models import Verification
from scores.operations import set_profiles
from scores.rules import Profile
from tests.factories import (
    apply,
    board,
    correct,
    event,
    make_season,
    publish,
    settling,
    unused_slug,
)

_profile_versions = itertools.count(1)


def make_played() -> str:
    """Make a season in which everything has happened, and return its slug."""
    season = make_season(unused_slug(), score_max=999)
    play(season.slug)
    return season.slug


def make_played_in_regions() -> str:
    """Make such a season with the tie rule `earliest` and regions, and return its slug."""
    rules = {"tie_rule": "earliest", "regions": ("EU", "NA"), "score_max": 999}
    season = make_season(unused_slug(), **rules)
    play_in_regions(season.slug)
    return season.slug


def play(slug: str) -> None:
    """
    Let everything happen, over versions 1 to 7; something is accepted after the last.

    In the end ann, bob, cid and others are on the board, ivy is removed with a hidden best.
    """
    with settling():
        board(slug, ann=10, bob=20, cid=20, dan=30, eve=0, ivy=40)
    again = event("ann", 15, 2)
    apply(slug, again, again._replace(best_score=9), event("bob", 5, 2), event("bob", 50, 1))
    publish(slug)
    apply(slug, event("ann", 14, 4), event("ann", 99, 3), event("fay", 7))
    cheat = event("cid", 990, 3)
    apply(slug, cheat, event("ann", 98, 2))
    publish(slug)
    correct(slug, "dan", 5, corrected_score=3)
    correct(slug, "cid", 4)
    correct(slug, "gus", 1)
    correct(slug, "ivy", 2)
    apply(slug, event("cid", 991, 5), event("hal", 12), event("ivy", 41, 3))
    publish(slug)
    correct(slug, "cid", 6, void_event_id=cheat.event_id)
    removal = correct(slug, "hal", 2)
    publish(slug)
    correct(slug, "hal", 3, void_event_id=removal.event_id)
    apply(slug, event("dan", 4, 6), event("dan", 2, 7), event("gus", 8, 2))
    publish(slug)
    apply(slug, event("ann", 500, 6))


def play_in_regions(slug: str) -> None:
    """
    Let the same happen to players of the regions EU and NA, and let some of them move.

    In the end bob and dan are in NA, ann and eve in EU; cid and ivy moved while removed.
    """
    move(ann="EU", bob="EU", cid="EU", dan="NA", eve=None, fay="elsewhere", ivy="EU")
    play(slug)
    move(bob="NA", eve="EU")
    publish(slug)
    move(cid="NA", ivy="NA")
    correct(slug, "ann", 9, keeps_time=False, corrected_score=15)
    publish(slug)
    apply(slug, event("bob", 21, 9))
    publish(slug)
    move(dan="EU")
    move(dan="NA")


def move(**regions: str | None) -> None:
    """Say that players belong to these regions now, whatever was said of them before."""
    version = next(_profile_versions)
    set_profiles([Profile(player, region, version) for player, region in regions.items()])


def differences(verification: Verification) -> dict[str, list[str]]:
    """Return the places that differ first, by kind."""
    return {
        check["kind"]: [one["place"] for one in check["first"]]
        for check in verification.report["checks"]
        if check["differing"]
    }
