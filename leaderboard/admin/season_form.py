"""The form for a season's rules."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms

from config.admin import fields
from seasons.rules import SeasonRules

DAYS_OPEN = 90
# No column takes more, and the rules say what a season takes.
SMALLEST, LARGEST = -(2**31), 2**31 - 1
LATE = (("reject", "Reject them"), ("review", "Hold them for review"), ("next", "Next season"))


class RulesForm(forms.Form):
    """Asks for rules that seasons have, made alone or by a series."""

    grace_seconds = fields.number(
        "Grace time", initial=60, min_value=SMALLEST, max_value=LARGEST,
        help_text="Seconds after the cutoff in which results may still arrive.",
    )  # fmt: skip
    late_policy = fields.choice("Late results", LATE)
    score_min = fields.number("Lowest score", initial=0, min_value=SMALLEST, max_value=LARGEST)
    score_max = fields.number(
        "Highest score", initial=1_000_000, min_value=SMALLEST, max_value=LARGEST
    )
    tie_rule = fields.choice(
        "Ties", (("shared", "Share a rank"), ("earliest", "The earliest is first"))
    )
    order = fields.choice("Better is", (("desc", "The higher score"), ("asc", "The lower score")))
    keep = fields.choice("Kept is", (("best", "The best score"), ("latest", "The latest score")))
    regions = fields.text(
        "Regions", longest=2_000, required=False, help_text="Codes, separated by blanks; or none."
    )


class SeasonForm(RulesForm):
    """Asks for the rules; whether they fit is for the rules to say."""

    slug = fields.text("Id", longest=63, help_text="Lower-case letters, digits and hyphens.")
    name = fields.text("Name", longest=200, help_text="Shown to players.")
    starts_at = fields.moment("Starts", help_text="In UTC unless an offset is given.")
    cutoff_at = fields.moment("Cutoff", help_text="Results completed then or later are late.")

    field_order = ("slug", "name", "starts_at", "cutoff_at")


def first_answers(now: datetime) -> dict[str, Any]:
    """Return what the form begins with."""
    start = now.astimezone(UTC).replace(microsecond=0)
    return {
        "starts_at": _in_utc(start),
        "cutoff_at": _in_utc(start + timedelta(days=DAYS_OPEN)),
    }


def rules_in(answers: dict[str, Any]) -> SeasonRules:
    """Return the rules that the filled in form asks for."""
    return SeasonRules(**{**answers, "regions": tuple(answers["regions"].split())})


def _in_utc(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"
