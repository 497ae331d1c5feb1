"""How times are written in the admin, and that its icon is there."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.formats import localize

from config.admin.cells import lasting, shown

MOMENT = datetime(2026, 11, 30, 21, 16, 5, 45_624, tzinfo=UTC)


def test_djangos_lists_write_a_moment_as_the_admins_own_tables_do() -> None:
    assert localize(MOMENT) == shown(MOMENT) == "2026-11-30 21:16:05 UTC"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0456, "46 ms"),
        (0.31, "0.3 s"),
        (119, "119.0 s"),
        (120, "2 min"),
        (7_200, "2 hours"),
        (172_800, "2 days"),
    ],
)
def test_a_duration_is_told_in_the_unit_that_fits_it(seconds: float, words: str) -> None:
    assert lasting(timedelta(seconds=seconds)) == words


def test_a_page_has_its_icon_from_here() -> None:
    unfold: Any = settings.UNFOLD
    (icon,) = unfold["SITE_FAVICONS"]
    reply = Client().get(icon["href"])
    content = b"".join(reply)
    reply.close()
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, icon["type"])
    assert content.startswith(b"<svg")
