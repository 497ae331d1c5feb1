"""Ways to reach a state that a test starts from: each calls the real operations."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from django.db.models import F
from django.db.models.functions import Least, Now

from leaderboard.operations import Publication, create_season, seal_and_publish
from leaderboard.queries import Published, published
from leaderboard.rules import gains
from scores.operations import apply_correction, apply_events, set_profiles
from scores.rules import Correction, Event, Profile, Receipt
from seasons.models import Season
from seasons.rules import SeasonRules

_numbers = itertools.count(1)


def unused_slug() -> str:
    """Return a slug that no season of this run has."""
    return f"season-{next(_numbers)}"


def make_season(slug: str, **rules: Any) -> Season:
    """
    Make a season that has been open for an hour, unless the rules say otherwise.

    Its epochs do not follow the clock but are 2, 3, 4, and so on, however slow the test is,
    until the test lets time pass.
    """
    now = datetime.now(UTC)
    times = {"starts_at": now - timedelta(hours=1), "cutoff_at": now + timedelta(days=1)}
    season = create_season(SeasonRules(**{"slug": slug, "name": slug, **times, **rules}))
    Season.objects.filter(id=season.id).update(created_at=now + timedelta(days=1))
    return season


def make_final(slug: str) -> None:
    """Say that the current version of a season is the final one."""
    Season.objects.filter(slug=slug).update(final_version=published(slug).number)


def let_time_pass(slug: str, seconds: int) -> None:
    """Let a season be older than it is, so that its epochs have a gap of ten a second."""
    Season.objects.filter(slug=slug).update(
        created_at=Least(F("created_at"), Now()) - timedelta(seconds=seconds)
    )


def event(player_id: str, best_score: int, score_version: int = 1, **members: Any) -> Event:
    """Return a result with an id of its own, completed just now."""
    number = next(_numbers)
    return Event(
        **{
            "event_id": f"event-{number}",
            "match_id": f"match-{number}",
            "player_id": player_id,
            "best_score": best_score,
            "score_version": score_version,
            "completed_at": datetime.now(UTC),
            **members,
        }
    )


def correction(player_id: str, score_version: int, **members: Any) -> Correction:
    """Return a correction with an id of its own: a removal unless a score is given."""
    kind = "remove"
    if "corrected_score" in members:
        kind = "set"
    if "void_event_id" in members:
        kind = "void"
    return Correction(
        **{
            "event_id": f"correction-{next(_numbers)}",
            "player_id": player_id,
            "kind": kind,
            "score_version": score_version,
            "reason": "a reason",
            "evidence": "an evidence",
            "approved_by": "an approver",
            **members,
        }
    )


def apply(slug: str, *events: Event) -> list[Receipt]:
    """Apply events and return their receipts."""
    return apply_events(slug, events).receipts


def correct(slug: str, player_id: str, score_version: int, **members: Any) -> Receipt:
    """Apply a correction and return its receipt."""
    return apply_correction(slug, correction(player_id, score_version, **members))


def move(**regions: str | None) -> None:
    """Say of players, by newer profiles than all before, which region each belongs to."""
    version = next(_numbers)
    set_profiles([Profile(player, region, version) for player, region in regions.items()])


@contextmanager
def settling() -> Iterator[None]:
    """Let every bucket that is touched be settled: its row has all that it counts."""
    with patch.object(gains, "MOST_ENTRIES", 0):
        yield


def publish(slug: str) -> Publication:
    """Seal and publish a season."""
    return seal_and_publish(Season.objects.get(slug=slug).id)


def board(slug: str, **scores: int) -> Published:
    """Give players these scores, publish, and return the season as its readers know it."""
    if scores:
        apply(slug, *(event(player, score) for player, score in scores.items()))
    publish(slug)
    return published(slug)
