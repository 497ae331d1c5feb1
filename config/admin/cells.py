"""How values are shown in the admin; whatever comes from outside is escaped."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

NOTHING = "–"  # noqa: RUF001 - a dash, as in a table
_LINK = "text-primary-600 dark:text-primary-500 break-words"
_BADGE = "inline-block font-semibold rounded-default text-[11px] h-6 leading-6 px-2 "
_COLOURS = {
    "success": "bg-green-100 text-green-700 dark:bg-green-500/20 dark:text-green-400",
    "danger": "bg-red-100 text-red-700 dark:bg-red-500/20 dark:text-red-400",
    "warning": "bg-orange-100 text-orange-700 dark:bg-orange-500/20 dark:text-orange-400",
    "info": "bg-blue-100 text-blue-700 dark:bg-blue-500/20 dark:text-blue-400",
    "plain": "bg-base-500/8 text-base-700 dark:bg-base-500/20 dark:text-base-200",
}


def shown(value: object) -> str:
    """Return a value as people read it."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{value.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    if isinstance(value, timedelta):
        return lasting(value)
    return value if isinstance(value, str) else str(value)


def lasting(time: timedelta) -> str:
    """Return a duration in the unit that fits it."""
    seconds = time.total_seconds()
    for unit, length in (("days", 86_400), ("hours", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"


def cells(*values: object) -> list[str]:
    """Return a row of a table."""
    return [shown(value) for value in values]


def link(url: str, text: object) -> SafeString:
    """Return a link to another page of the admin."""
    return format_html('<a class="{}" href="{}">{}</a>', _LINK, url, shown(text))


def link_to(view: str, *arguments: Any, text: object) -> SafeString:
    """Return a link to a view of the admin by its name."""
    return link(reverse(f"admin:{view}", args=arguments), text)


def badge(text: object, colour: str = "plain") -> SafeString:
    """Return a word on a colour."""
    return format_html('<span class="{}">{}</span>', _BADGE + _COLOURS[colour], shown(text))


def outside_link(text: str | None) -> str:
    """
    Return evidence as a link if it is an address of the web, as text if it is anything else.

    A link of another kind, such as `javascript:`, could act in the name of who clicks on it.
    """
    if not text or not _is_web_address(text):
        return shown(text)
    return format_html(
        '<a class="{}" href="{}" target="_blank" rel="noopener noreferrer nofollow">{}</a>',
        _LINK,
        text,
        text,
    )


def _is_web_address(text: str) -> bool:
    if any(letter.isspace() or not letter.isprintable() for letter in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)
