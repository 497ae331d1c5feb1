"""The form for the rules of a series."""

from typing import Any

from django import forms

from config.admin import fields
from leaderboard.admin.season_form import LARGEST, RulesForm
from seasons.rules import Kind, SeriesRules, WindowWanted

CALENDAR: tuple[Kind, ...] = ("daily", "weekly", "monthly", "all_time")
UNTIL_THE_NEXT = "next"


class SeriesForm(RulesForm):
    """Asks for windows and for the rules of the seasons in them."""

    slug = fields.text("Id", longest=63, help_text="Lower-case letters, digits and hyphens.")
    name = fields.text("Name", longest=120, help_text="Shown to players.")
    time_zone = fields.text("Time zone", initial="UTC", help_text="Such as Europe/Berlin.")
    calendar = fields.choices("Windows", CALENDAR, required=False)
    cron = fields.long_text(
        "Windows by cron",
        longest=4_000,
        required=False,
        help_text=(
            "One a line: suffix | expression | seconds. In place of the seconds "
            f"'{UNTIL_THE_NEXT}': until the next begins. Such as: evening | 0 18 * * * | 3600."
        ),
    )
    starts_at = fields.moment(
        "Starts", required=False, help_text="The first windows are cut to begin then; or none."
    )
    kept_days = fields.number(
        "Kept for days",
        required=False,
        min_value=0,
        max_value=LARGEST,
        help_text="How long a final season is kept after its cutoff; for ever unless given.",
    )

    field_order = ("slug", "name", "time_zone", "calendar", "cron", "starts_at", "kept_days")

    def clean_cron(self) -> list[WindowWanted]:
        """Return the windows of the lines; refuse one that has not three parts."""
        lines = self.cleaned_data["cron"].splitlines()
        return [_window(line) for line in lines if line.strip()]


def series_rules_in(answers: dict[str, Any]) -> SeriesRules:
    """Return the rules that the filled in form asks for."""
    shared = dict(answers)
    kinds, by_cron = shared.pop("calendar"), shared.pop("cron")
    by_calendar = [WindowWanted(kind.replace("_", "-"), kind) for kind in kinds]
    regions = tuple(shared.pop("regions").split())
    return SeriesRules(windows=(*by_calendar, *by_cron), regions=regions, **shared)


def _window(line: str) -> WindowWanted:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) != 3:
        raise forms.ValidationError(f"It must have three parts: {line}")
    suffix, cron, lasts = parts
    if lasts != UNTIL_THE_NEXT and not (lasts.isdecimal() and len(lasts) < 10):
        raise forms.ValidationError(f"It must end in seconds or '{UNTIL_THE_NEXT}': {line}")
    return WindowWanted(suffix, "cron", cron, None if lasts == UNTIL_THE_NEXT else int(lasts))
