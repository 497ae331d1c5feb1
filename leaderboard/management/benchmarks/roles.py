"""What each process of the load does, beside the others, as in production."""

import itertools
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import OperationalError

from leaderboard.management.benchmarks.connecting import connect
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.posting import (
    EVENTS_A_BATCH,
    Server,
    body_of,
    post_all,
)
from leaderboard.management.benchmarks.processor import peak_megabytes
from leaderboard.management.benchmarks.worker import Parent
from leaderboard.models import Verification, Version
from leaderboard.operations import purge_versions, seal_and_publish
from leaderboard.operations.rebuild import drop_replaced, rebuild_season
from leaderboard.operations.verify_season import verify_season
from leaderboard.queries.live_seasons import live_seasons, seasons_to_purge
from scores.management.importing import Part
from scores.operations import apply_events

BATCHES_A_SECOND = 6
SECONDS_BETWEEN_PURGES = 2.0
SECONDS_BETWEEN_TRIES = 0.02
SECONDS_TO_END = 30.0


def write(parent: Parent, *, slug: str, namespace: int, rate: int) -> None:
    """Apply so many improving results a second, a few hundred at a time."""
    with connect() as connection:
        improvements = Improvements(connection, namespace)
    parent.say(ready=True)
    began = time.monotonic()
    batches = 0
    while not parent.has_ended(within=began + batches / BATCHES_A_SECOND - time.monotonic()):
        apply_events(slug, improvements.batch(rate // BATCHES_A_SECOND))
        batches += 1
    events = batches * (rate // BATCHES_A_SECOND)
    parent.say(events=events, rate=events / (time.monotonic() - began))


def publish(parent: Parent) -> None:
    """Seal and publish every live season once a second, one after the other."""
    parent.say(ready=True)
    seconds = []
    due = time.monotonic()
    while not parent.has_ended(within=due - time.monotonic()):
        began = time.monotonic()
        due = max(due + 1.0, began)
        for season_id in live_seasons():
            seal_and_publish(season_id)
        seconds.append(time.monotonic() - began)
    parent.say(rounds=len(seconds), seconds=seconds)


def publish_once(parent: Parent, *, season_id: int) -> None:
    """Seal and publish a season when told, once the database answers."""
    parent.say(ready=True)
    if parent.goes_on():
        while True:
            try:
                publication = seal_and_publish(season_id)
                break
            except OperationalError:
                time.sleep(SECONDS_BETWEEN_TRIES)
        parent.say(outcome=publication.outcome, version=publication.version)
        parent.has_ended(within=SECONDS_TO_END)


def purge(parent: Parent) -> None:
    """Let go of expired versions, as often as the worker does."""
    parent.say(ready=True)
    while not parent.has_ended(within=SECONDS_BETWEEN_PURGES):
        for season_id in seasons_to_purge(final=False):
            purge_versions(season_id)


def post(
    parent: Parent,
    *,
    server: Mapping[str, Any],
    namespace: int,
    batches: int,
    shares: Sequence[float],
) -> None:
    """
    Send batches of a thousand results over several connections, as often as told.

    The shares of them that improve are taken in turn.
    """
    with connect() as connection:
        improvements = Improvements(connection, namespace)
    parent.say(ready=True)
    for share in itertools.cycle(shares):
        bodies = [body_of(improvements.batch(EVENTS_A_BATCH, share)) for _ in range(batches)]
        parent.say(encoded=True)
        if not parent.goes_on():
            return
        began = time.monotonic()
        post_all(bodies, Server(**server), round(EVENTS_A_BATCH * share))
        parent.say(events=EVENTS_A_BATCH * batches, seconds=time.monotonic() - began)


def deliver(parent: Parent, *, slug: str, file: str, part: int, of: int) -> None:
    """Import its part of a file, when told."""
    parent.say(ready=True)
    if not parent.goes_on():
        return
    with redirect_stderr(StringIO()):
        call_command(
            "import_events", slug, Path(file), part=Part(part, of), stdout=(told := StringIO())
        )
    parent.say(told=told.getvalue())


def verify(parent: Parent, *, slug: str, scope: str) -> None:
    """Verify the current version of a season when told, and say what that took."""
    parent.say(ready=True)
    if not parent.goes_on():
        return
    began = time.monotonic()
    verification = verify_season(slug, scope=scope)
    seconds = time.monotonic() - began
    version = Version.objects.get(namespace=verification.namespace, number=verification.version)
    parent.say(
        seconds=seconds,
        peak=peak_megabytes(),
        players=version.members[0],
        ledger_rows=version.ledger_rows,
        agrees=verification.agrees,
        report=verification.report,
    )
    parent.has_ended(within=SECONDS_TO_END)


def rebuild(parent: Parent, *, slug: str, source: str) -> None:
    """Rebuild a season when told, say what that took, and drop what it replaced."""
    parent.say(ready=True)
    if not parent.goes_on():
        return
    began = time.monotonic()
    rebuilt = rebuild_season(slug, source)
    seconds = time.monotonic() - began
    assert rebuilt.namespace is not None
    version = Version.objects.filter(namespace=rebuilt.namespace).latest("number")
    verification = Verification.objects.filter(namespace=rebuilt.namespace).latest("id")
    assert verification.finished_at is not None
    parent.say(
        seconds=seconds,
        peak=peak_megabytes(),
        players=version.members[0],
        ledger_rows=version.ledger_rows,
        phases=rebuilt.report["seconds"],
        proof=(verification.finished_at - verification.started_at).total_seconds(),
    )
    drop_replaced(slug)
    parent.has_ended(within=SECONDS_TO_END)


ROLES: Mapping[str, Callable[..., None]] = {
    "write": write,
    "publish": publish,
    "publish-once": publish_once,
    "purge": purge,
    "post": post,
    "deliver": deliver,
    "verify": verify,
    "rebuild": rebuild,
}
