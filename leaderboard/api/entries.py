"""Entries of a board as replies show them: scores in place of merits, times, display data."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET, Raw

from config.http.times import show_time
from leaderboard.api.asked import Sight
from leaderboard.api.shapes import BoardEntry, GroupEntry, PlacedEntry
from leaderboard.queries.displays import displays
from leaderboard.queries.published import Published
from leaderboard.queries.window import Entry
from leaderboard.rules import competition_ranks
from scores.rules import time_of


def entries_of(sight: Sight, entries: Sequence[Entry]) -> list[BoardEntry]:
    """Return entries as they are shown where no place is."""
    shown = displays(sight.season, entries, version=sight.version)
    scores = sight.season.scores
    return [
        BoardEntry(
            entry.rank,
            entry.player_id,
            scores.turned(entry.score),
            achieved_at(sight.season, entry.tie_key),
            _display(shown, entry),
        )
        for entry in entries
    ]


def placed(
    sight: Sight,
    entries: Sequence[Entry],
    first: int | None,
    shown: Mapping[str, str] | None = None,
) -> list[PlacedEntry]:
    """
    Return entries with their places, the first one's given; None: they are not known.

    `shown` is their display data, if it was read already.
    """
    if shown is None:
        shown = displays(sight.season, entries, version=sight.version)
    scores = sight.season.scores
    return [
        PlacedEntry(
            entry.rank,
            None if first is None else first + index,
            entry.player_id,
            scores.turned(entry.score),
            achieved_at(sight.season, entry.tie_key),
            _display(shown, entry),
        )
        for index, entry in enumerate(entries)
    ]


def grouped(sight: Sight, entries: Sequence[Entry]) -> list[GroupEntry]:
    """Return entries with their ranks among each other."""
    ranks = competition_ranks([(entry.score, entry.tie_key) for entry in entries])
    scores = sight.season.scores
    return [
        GroupEntry(
            entry.rank,
            group_rank,
            entry.player_id,
            scores.turned(entry.score),
            achieved_at(sight.season, entry.tie_key),
        )
        for entry, group_rank in zip(entries, ranks, strict=True)
    ]


def achieved_at(season: Published, tie_key: int) -> Any:
    """Return when a score was achieved, where ties go by it; null: nobody knows."""
    if season.tie_rule == "shared":
        return UNSET
    at = time_of(tie_key)
    return None if at is None else show_time(at)


def _display(shown: Mapping[str, str], entry: Entry) -> Any:
    display = shown.get(entry.player_id)
    return UNSET if display is None else Raw(display.encode())
