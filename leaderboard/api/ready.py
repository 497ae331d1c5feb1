"""`GET /readyz`: whether the server can serve, and what is degraded."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from redis import Redis, RedisError

from config.errors import Unavailable
from config.http.endpoint import Endpoint
from config.http.openapi import Operation, operation
from config.http.replies import json_reply
from leaderboard.api.shapes import Degraded, ReadyReply
from leaderboard.queries.published import PROMISED_FRESHNESS
from leaderboard.queries.readiness import DegradedSeason, degraded_seasons, readiness

BROKER_PATIENCE_SECONDS = 0.5


class Ready(Endpoint):
    """Asked by load balancers and by people who wonder."""

    @operation(Operation("readyz", "Whether the server can serve", ReadyReply, tag="Operating"))
    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer 200 while at least one season can be served, 503 otherwise."""
        found = readiness()
        if found.seasons and not found.served:
            raise Unavailable("No season has a version to serve.")
        degraded = [*map(_degraded, degraded_seasons()), *_broker()]
        reply = ReadyReply("degraded" if degraded else "ok", degraded)
        return json_reply(reply, {"Cache-Control": "no-store"})


def _degraded(season: DegradedSeason) -> Degraded:
    if season.number is None:
        return Degraded(season.slug, "no_published_version", "It has no version to serve.")
    if season.writes_stopped:
        return Degraded(season.slug, "writes_stopped", "Its bests are damaged: writes get 503.")
    if season.failed_check is not None:
        detail = f"The check {season.failed_check} stopped its publication."
        return Degraded(season.slug, "stopped", detail)
    if season.disagreeing_candidate is not None:
        detail = f"Version {season.disagreeing_candidate} is not what its ledger says: not final."
        return Degraded(season.slug, "reconciliation_failed", detail)
    if season.unproved_version is not None:
        detail = f"Version {season.unproved_version} is not what its ledger says."
        return Degraded(season.slug, "differs_from_ledger", detail)
    if season.age_seconds is not None and season.age_seconds <= PROMISED_FRESHNESS.total_seconds():
        over = f"{season.over_seconds / 60:.0f} minutes"
        detail = f"Its grace time has been over for {over}: see the log of the slow worker."
        return Degraded(season.slug, "not_final", detail)
    return Degraded(season.slug, "behind", f"Its version is {season.age_seconds:.1f} s old.")


def _broker() -> Iterator[Degraded]:
    patience = BROKER_PATIENCE_SECONDS
    broker = Redis.from_url(
        settings.CELERY_BROKER_URL, socket_timeout=patience, socket_connect_timeout=patience
    )
    try:
        broker.ping()
    except (RedisError, OSError):
        detail = "The broker does not answer: nothing new is published."
        yield Degraded(None, "broker_missing", detail)
    finally:
        broker.close()
