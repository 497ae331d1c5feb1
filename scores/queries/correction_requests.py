"""Correction requests, as people look through them."""

from datetime import UTC, datetime

from config import db
from scores.models import CorrectionRequest

WAITING_REQUESTS = db.statement(__file__, "waiting_requests")

BEFORE_ALL = datetime(1, 1, 3, tzinfo=UTC)

_PEOPLE = ("season", "requested_by", "decided_by")


def waiting_requests(*, after: int = 0, limit: int) -> list[CorrectionRequest]:
    """Return the requests that nobody has decided on, oldest first, after that with an id."""
    times = CorrectionRequest.objects.filter(id=after).values_list("requested_at", flat=True)
    after_time = times.first() or BEFORE_ALL
    ids = db.fetch_all(int, WAITING_REQUESTS, after_time=after_time, after_id=after, most=limit)
    found = CorrectionRequest.objects.select_related(*_PEOPLE).in_bulk(ids)
    return [found[request_id] for request_id in ids if request_id in found]


def decided_requests(*, before: int, limit: int) -> list[CorrectionRequest]:
    """Return the requests that were approved or rejected, newest first, before an id."""
    decided = CorrectionRequest.objects.exclude(status="requested").filter(id__lt=before)
    return list(decided.select_related(*_PEOPLE).order_by("-id")[:limit])


def requests_of_player(season_id: int, player_id: str, *, limit: int) -> list[CorrectionRequest]:
    """Return the newest requests about a player of a season."""
    own = CorrectionRequest.objects.filter(season_id=season_id, player_id=player_id)
    return list(own.select_related(*_PEOPLE).order_by("-id")[:limit])
