"""
When a cron expression comes due in a time zone, as Debian's cron has it.

The days and hours are told by the package `cronsim`, on clocks that never change: given a zone
it can step in a circle where clocks are put back over midnight. What changes of the clocks do
is said here: an expression with fixed hours and minutes comes due once a day, at the jump if
the clocks jump over it; one with stars goes by what the clocks show, as often as they show it.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta, tzinfo

from cronsim import CronSim, CronSimError

from seasons.rules.clocks import first_instant, instants, offset, shown

FIELDS = 5
# Clocks are put back by at most so much, and so soon after an instant for it to matter.
_PUT_BACK = timedelta(hours=25)
# How far one looks for the last time: 30 years, each look four times as far as the one before.
_LOOKS = [timedelta(hours=4**times) for times in range(10)]


def is_cron(text: str) -> bool:
    """Return whether a text is a cron expression of five fields that comes due at all."""
    if len(text.split()) != FIELDS:
        return False
    try:
        return next(CronSim(text, datetime(2000, 1, 1)), None) is not None  # noqa: DTZ001
    except (CronSimError, ValueError):
        return False


def next_start(cron: str, zone: tzinfo, after: datetime) -> datetime | None:
    """Return when the expression comes due first after an instant; None: not in 50 years."""
    found: datetime | None = None
    for wall in _walls(cron, zone, after):
        first = first_instant(wall, zone)
        if found is not None and first >= found:
            break
        due = [first] if _is_fixed(cron) else instants(wall, zone)
        found = min([at for at in due if at > after] + ([found] if found else []), default=None)
    return found


def last_start(cron: str, zone: tzinfo, until: datetime) -> datetime | None:
    """Return when the expression came due last until an instant; None: not in 30 years."""
    for look in _LOOKS:
        found = next_start(cron, zone, until - look)
        if found is not None and found <= until:
            return _last_of(cron, zone, found, until)
    return None


def _walls(cron: str, zone: tzinfo, after: datetime) -> Iterator[datetime]:
    """Yield what the clocks may show when it comes due after an instant, ascending."""
    put_back = offset(after, zone) - offset(after + _PUT_BACK, zone)
    begin = shown(after, zone) - max(put_back, timedelta(0))
    # It yields what comes after its argument, and the first may be just that.
    return CronSim(cron, begin - timedelta(seconds=1))


def _last_of(cron: str, zone: tzinfo, found: datetime, until: datetime) -> datetime:
    following = next_start(cron, zone, found)
    while following is not None and following <= until:
        found, following = following, next_start(cron, zone, following)
    return found


def _is_fixed(cron: str) -> bool:
    minutes, hours, *_ = cron.split()
    return not (minutes.startswith("*") or hours.startswith("*"))
