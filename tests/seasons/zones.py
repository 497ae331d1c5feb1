"""Time zones for tests, and moments at which something happens to their clocks."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import strategies as st

from seasons.rules.calendar import Kind

# Jumps over midnight (São Paulo, Cairo, Beirut), midnight twice (Havana), the eve again after
# midnight (St. John's), half an hour (Lord Howe), two (Troll), a whole day (Apia, Kwajalein),
# summer time that is the standard time (Dublin, Casablanca), odd offsets, and none at all.
ODD = [
    "Africa/Cairo",
    "Africa/Casablanca",
    "Africa/Monrovia",
    "America/Havana",
    "America/Sao_Paulo",
    "America/St_Johns",
    "Antarctica/Troll",
    "Asia/Beirut",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Europe/Dublin",
    "Pacific/Apia",
    "Pacific/Kwajalein",
    "UTC",
]
TOUCHING: list[Kind] = ["daily", "weekly", "monthly"]

zones = st.sampled_from(ODD) | st.sampled_from(sorted(available_timezones()))
moments = st.integers(0, 90 * 365 * 24 * 60).map(
    lambda minutes: datetime(1970, 2, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)


@st.composite
def places(draw: st.DrawFn) -> tuple[ZoneInfo, datetime]:
    """Draw a zone and a moment, often one near a change of its clocks."""
    zone, moment = ZoneInfo(draw(zones)), draw(moments)
    if draw(st.booleans()):
        moment = next_change(zone, moment) + timedelta(minutes=draw(st.integers(-1500, 1500)))
    return zone, moment


def next_change(zone: ZoneInfo, after: datetime) -> datetime:
    """Return an hour in the next year in which the clocks are changed, or the moment itself."""
    hours = [after + timedelta(hours=hour) for hour in range(0, 366 * 24, 12)]
    offsets = [hour.astimezone(zone).utcoffset() for hour in hours]
    changed = (hour for hour, offset in zip(hours, offsets, strict=True) if offset != offsets[0])
    return next(changed, after)
