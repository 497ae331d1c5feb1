"""Times on the wire: RFC 3339 in, and out in UTC with Z and six digits of a second."""

import re
from datetime import UTC, datetime

# No leap second, no 24:00: neither names an instant that the database could hold.
RFC_3339 = (
    r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
    r"[Tt](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?"
    r"(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_matches = re.compile(RFC_3339).fullmatch
# Far enough from both ends for every offset and every sum with a grace time.
EARLIEST = datetime(1, 1, 3, tzinfo=UTC)
LATEST = datetime(9999, 12, 1, tzinfo=UTC)


def read_time(text: str) -> datetime:
    """
    Return the instant in UTC that an RFC 3339 text with an offset names.

    Digits beyond microseconds are cut off. Raises ValueError for any other text, and for
    days that do not exist.
    """
    if not _matches(text):
        raise ValueError("It must be a time as in 2026-05-01T12:00:00.000000Z, with an offset.")
    try:
        at = datetime.fromisoformat(text.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("There is no such time.") from None
    if not EARLIEST <= at < LATEST:
        raise ValueError("The time must lie in the years 1 to 9999, with some days to spare.")
    return at


def show_time(at: datetime) -> str:
    """Return the instant as RFC 3339 in UTC, always with six digits of a second."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")[:26] + "Z"
