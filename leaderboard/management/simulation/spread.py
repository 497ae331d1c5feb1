"""Where a score would stand, and how a board's players are spread over the scores. Pure."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.standings import Standings

Json = dict[str, Any]
RANK_OF = frozenset({"score", "rank", "players_below", "share_below"})
DISTRIBUTION = frozenset({"buckets", "percentiles"})
PERCENTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)
ROUNDING = 1e-9


def judge_rank_of(body: Json, score: int, standings: Standings, where: str) -> Iterator[Finding]:
    """Return what is wrong with the reply about a score."""
    total = len(standings)
    below = total - players_from(standings, score)
    expected = (score, standings.rank(score), below)
    got = (body["score"], body["rank"], body["players_below"])
    share = below / total if total else 0.0
    if got != expected or abs(body["share_below"] - share) > ROUNDING:
        yield Finding("rank_of", f"{where}: {got} and {body['share_below']}, is {expected}")


def judge_distribution(
    body: Json, asked: int, scores: tuple[int, int], standings: Standings, where: str
) -> Iterator[Finding]:
    """Return what is wrong with a distribution over these lowest and highest scores."""
    ranges = [(one["from"], one["to"], one["count"]) for one in body["buckets"]]
    if not _cover(ranges, asked, scores):
        yield Finding("distribution", f"{where}: the ranges are {str(ranges)[:200]}")
        return
    for low, high, count in ranges:
        true = players_from(standings, low) - players_from(standings, high + 1)
        if count != true:
            yield Finding("distribution", f"{where}: {count} from {low} to {high}, are {true}")
            return
    expected = {f"p{share}": percentile(standings, share) for share in PERCENTILES}
    if body["percentiles"] != expected:
        text = f"{where}: percentiles {body['percentiles']}, are {expected}"
        yield Finding("distribution", text)


def players_from(standings: Standings, score: int) -> int:
    """Return how many players have this score or more."""
    return standings.rank(score - 1) - 1


def percentile(standings: Standings, share: int) -> int | None:
    """Return the smallest score such that at least `share` percent have it or less."""
    total = len(standings)
    place = total - -(-share * total // 100)
    rows = standings.rows(place, place + 1) if total else []
    return rows[0][2] if rows else None


def _cover(ranges: list[tuple[int, int, int]], asked: int, scores: tuple[int, int]) -> bool:
    """Return whether the ranges touch, cover the scores, and are as many as asked for."""
    lowest, highest = scores
    if len(ranges) != min(asked, highest - lowest + 1):
        return False
    touch = all(below[1] + 1 == above[0] for below, above in pairwise(ranges))
    ordered = all(low <= high for low, high, _ in ranges)
    return touch and ordered and (ranges[0][0], ranges[-1][1]) == scores
