"""What the clocks of a time zone show, and when they show it."""

from bisect import bisect_left
from datetime import UTC, datetime, timedelta, tzinfo

_SECOND = timedelta(seconds=1)


def shown(at: datetime, zone: tzinfo) -> datetime:
    """Return what the clocks of a zone show at an instant, as a time without a zone."""
    return at.astimezone(zone).replace(tzinfo=None, fold=0)


def instants(wall: datetime, zone: tzinfo) -> list[datetime]:
    """Return when the clocks show a time, in UTC: once, twice, or never."""
    read = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    return sorted(at for at in read if shown(at, zone) == wall)


def first_instant(wall: datetime, zone: tzinfo) -> datetime:
    """
    Return when the clocks show a time for the first time.

    Where they jump over it, that is the instant at which they jump.
    """
    found = instants(wall, zone)
    return found[0] if found else _jump_over(wall, zone)


def offset(at: datetime, zone: tzinfo) -> timedelta:
    """Return by how much the clocks of a zone are ahead of UTC at an instant."""
    ahead = at.astimezone(zone).utcoffset()
    assert ahead is not None
    return ahead


def offset_text(at: datetime, zone: tzinfo) -> str:
    """Return the offset from UTC at an instant as RFC 3339 has it, such as `+01:00`."""
    return at.astimezone(zone).isoformat(timespec="microseconds")[26:]


def _jump_over(wall: datetime, zone: tzinfo) -> datetime:
    # Read with the offset of after the jump it lies before it, and the other way round.
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    after = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    seconds = range((after - before) // _SECOND + 1)
    jump = bisect_left(seconds, wall, key=lambda second: shown(before + second * _SECOND, zone))
    return before + jump * _SECOND
