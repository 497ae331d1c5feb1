"""Kinds of seasons beside the usual one: with regions, and with crowds on one score."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from leaderboard.management.benchmarks.players import HIGHEST_SCORE, Integers, first_scores

REGIONS = ("AF", "AN", "AS", "EU", "ME", "NA", "OC", "SA")
CROWDED_SCORE = HIGHEST_SCORE // 2
NARROWEST = 250


class Kind(NamedTuple):
    """What a season is like: its rules, and the scores of its players by their number."""

    rules: Mapping[str, Any]
    scores: Callable[[int], Integers]

    @property
    def regions(self) -> int:
        """Return how many regions the season has."""
        return len(self.rules.get("regions", ()))

    @property
    def is_timed(self) -> bool:
        """Return whether equal scores are ordered by their times."""
        return self.rules.get("tie_rule") == "earliest"


def _on_one_score(players: int) -> Integers:
    return np.full(players, CROWDED_SCORE, dtype=np.int64)


def _at_the_top(players: int) -> Integers:
    return HIGHEST_SCORE - np.arange(players, dtype=np.int64) % NARROWEST


USUAL = Kind({}, first_scores)
KINDS: Mapping[str, Kind] = {
    "regions": Kind({"regions": REGIONS}, first_scores),
    "earliest": Kind({"tie_rule": "earliest"}, first_scores),
    "one-score": Kind({}, _on_one_score),
    "one-score-earliest": Kind({"tie_rule": "earliest"}, _on_one_score),
    "at-the-top": Kind({}, _at_the_top),
    "at-the-top-earliest": Kind({"tie_rule": "earliest"}, _at_the_top),
}
