"""What the settings say about the admin."""

from django.conf import settings


def corrections_need_two() -> bool:
    """Return whether nobody may approve a correction that they asked for."""
    return bool(settings.CORRECTIONS_NEED_TWO)
