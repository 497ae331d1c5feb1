"""Receipts as replies show them."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType

from config.http.fields import words
from scores.rules import Receipt

Outcome = Annotated[
    str,
    words(
        "improved",
        "not_improved",
        "stale_version",
        "late_rejected",
        "late_held",
        "late_moved",
        "before_start",
        "conflict",
        "corrected",
    ),
]


class ReceiptReply(Struct, forbid_unknown_fields=True):
    """
    What became of an event; score and version are as stored after it.

    `moved_to` is there with the outcome `late_moved` only: the season where the result counts.
    """

    event_id: str
    player_id: str
    outcome: Outcome
    replayed: bool
    best_score: int | None
    score_version: int | None
    visible_in_version: int | None
    moved_to: str | UnsetType = UNSET


class SeasonReceiptReply(ReceiptReply, forbid_unknown_fields=True, kw_only=True):
    """What became of an event in one season of a series."""

    season_id: str


def shown(receipt: Receipt) -> ReceiptReply:
    """Return a receipt as replies show it."""
    return ReceiptReply(*_members(receipt))


def shown_in_season(season_id: str, receipt: Receipt) -> SeasonReceiptReply:
    """Return a receipt of a season as replies about several show it."""
    return SeasonReceiptReply(*_members(receipt), season_id=season_id)


def _members(receipt: Receipt) -> tuple[Any, ...]:
    return receipt if receipt.moved_to is not None else receipt[:-1]
