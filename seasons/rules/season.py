"""The rules of a season that need no database: its state, what it takes, its options."""

import re
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, overload

from config.http.parameters import REGION

Status = Literal["scheduled", "open", "closing", "final"]
Timeliness = Literal["in_time", "before_start", "late"]

SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
LARGEST_SCORE = 1_000_000_000
MOST_REGIONS = 32
# How long one waits for the writers of an epoch, time after time.
FENCE_WAITS_MS = (250, 500, 1000)


class SeasonRules(NamedTuple):
    """What `create_season` was asked for: times, range, and how a board is made of results."""

    slug: str
    name: str
    starts_at: datetime
    cutoff_at: datetime
    grace_seconds: int = 60
    late_policy: str = "reject"
    score_min: int = 0
    score_max: int = 1_000_000
    tie_rule: str = "shared"
    order: str = "desc"
    keep: str = "best"
    regions: tuple[str, ...] = ()


class ScoreRange(NamedTuple):
    """
    The scores of a season, and whether the higher or the lower ones are better.

    What is stored is the *merit*, of which more is always better. Where the lower score wins,
    scores and merits mirror each other within the range.
    """

    score_min: int
    score_max: int
    order: str

    @property
    def mirrored(self) -> bool:
        """Return whether merits are other numbers than scores."""
        return self.order != "desc"

    @overload
    def turned(self, score: int) -> int: ...

    @overload
    def turned(self, score: int | None) -> int | None: ...

    def turned(self, score: int | None) -> int | None:
        """Return the merit of a score, or the score of a merit; none of none."""
        if score is None or not self.mirrored:
            return score
        return self.score_min + self.score_max - score


def status(
    *, starts_at: datetime, cutoff_at: datetime, final_version: int | None, now: datetime
) -> Status:
    """Return the season's state at `now`; only `final` depends on what is stored."""
    if final_version is not None:
        return "final"
    if now < starts_at:
        return "scheduled"
    return "open" if now < cutoff_at else "closing"


def due_transitions(
    *, starts_at: datetime, cutoff_at: datetime, now: datetime
) -> list[tuple[Status, datetime]]:
    """Return the states that a season has reached by the clock, in order, and since when."""
    reached: list[tuple[Status, datetime]] = [("open", starts_at), ("closing", cutoff_at)]
    return [(state, since) for state, since in reached if since <= now]


def timeliness(
    *,
    completed_at: datetime,
    accepted_at: datetime,
    starts_at: datetime,
    cutoff_at: datetime,
    grace: timedelta,
) -> Timeliness:
    """
    Return whether a result counts.

    It must be completed before the cutoff, and arrive before the grace time is over.
    """
    if completed_at < starts_at:
        return "before_start"
    if completed_at >= cutoff_at or accepted_at >= cutoff_at + grace:
        return "late"
    return "in_time"


def faults(rules: SeasonRules, *, in_series: bool = False) -> list[str]:
    """Return what is wrong with the rules, a sentence each; none if the season can be made."""
    return [sentence for _, sentence in faults_by_member(rules, in_series=in_series)]


def faults_by_member(rules: SeasonRules, *, in_series: bool = False) -> list[tuple[str, str]]:
    """Return what is wrong with the rules: the member that it is about, and a sentence."""
    checks = [*_checks(rules), _check_late_policy(rules.late_policy, in_series=in_series)]
    return [(member, sentence) for wrong, member, sentence in checks if wrong]


def _check_late_policy(policy: str, *, in_series: bool) -> tuple[bool, str, str]:
    if in_series:
        known = policy in {"reject", "review", "next"}
        return not known, "late_policy", "The late policy must be reject, review or next."
    sentence = "The late policy must be reject or review; next is for the seasons of a series."
    return policy not in {"reject", "review"}, "late_policy", sentence


def _checks(rules: SeasonRules) -> list[tuple[bool, str, str]]:
    return [
        (not SLUG.fullmatch(rules.slug), "slug", "The slug must match ^[a-z0-9][a-z0-9-]{0,62}$."),
        (not 1 <= len(rules.name) <= 200, "name", "The name must have 1 to 200 characters."),
        ("\0" in rules.name, "name", "The name must not contain a NUL character."),
        (
            rules.starts_at >= rules.cutoff_at,
            "cutoff_at",
            "The season must start before its cutoff.",
        ),
        (
            not 0 <= rules.grace_seconds <= 2_592_000,
            "grace_seconds",
            "The grace time must be 0 to 30 days.",
        ),
        (
            not (rules.score_min >= 0 and rules.score_max <= LARGEST_SCORE),
            "score_min" if rules.score_min < 0 else "score_max",
            "The scores must lie within 0..1000000000.",
        ),
        (
            rules.score_min >= rules.score_max,
            "score_max",
            "The lowest score must be below the highest.",
        ),
        (
            rules.tie_rule not in {"shared", "earliest"},
            "tie_rule",
            "The tie rule must be shared or earliest.",
        ),
        (rules.order not in {"desc", "asc"}, "order", "The order must be desc or asc."),
        (rules.keep not in {"best", "latest"}, "keep", "Kept must be best or latest."),
        (
            not all(REGION.fullmatch(code) for code in rules.regions),
            "regions",
            f"Each region must match ^{REGION.pattern}$.",
        ),
        (
            len(set(rules.regions)) < len(rules.regions),
            "regions",
            "A region is named twice.",
        ),
        (
            len(rules.regions) > MOST_REGIONS,
            "regions",
            f"A season has at most {MOST_REGIONS} regions: each costs at every publication.",
        ),
    ]
