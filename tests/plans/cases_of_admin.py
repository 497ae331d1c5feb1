"""What the admin asks: events by id, by player and newest first, and requests to decide on."""

from functools import partial

from config.db import Statement
from leaderboard.operations.run_job import CLAIM_JOB
from leaderboard.queries.season_history import LATEST_VERIFICATIONS
from scores.queries.correction_request import LOCKED_REQUEST
from scores.queries.correction_requests import BEFORE_ALL, WAITING_REQUESTS
from scores.queries.ledger_events import (
    CHANGES_OF_PLAYER,
    EVENTS_WITH_ID,
    LARGEST,
    NEWEST_EVENTS,
    OTHERS_OF_PLAYER,
)
from tests.plans.big_season import BigSeason
from tests.plans.case import Case, Cases

PAGE = 51
# A row of a page lies anywhere in the table.
BLOCKS = 6 * PAGE
PLACE = {"after_time": BEFORE_ALL, "after_id": 0}


def of_ledger(big: BigSeason, statement: Statement, **asked: object) -> Case:
    literal = statement.literal(namespace=big.season.ledger_namespace)
    return Case(literal, {"most": PAGE, **asked}, rows=PAGE, blocks=BLOCKS)


def events_with_id(big: BigSeason) -> Case:
    """A look-up among the match service's events and one among our own."""
    case = of_ledger(big, EVENTS_WITH_ID, event_id="player-7-1")
    return case._replace(rows=8, blocks=20, sorted=2)


def of_player(big: BigSeason, statement: Statement) -> Case:
    case = of_ledger(big, statement, player_id=big.changed_most, before=LARGEST)
    return case._replace(sorted=PAGE)


def changes_of_player(big: BigSeason) -> Case:
    return of_player(big, CHANGES_OF_PLAYER)._replace(sorted=0)


def newest_events(big: BigSeason, epoch: int, last: int) -> Case:
    return of_ledger(big, NEWEST_EVENTS, before_epoch=epoch, before_id=last)


ADMIN_WRITES: Cases = {
    "claim_job": {
        "": lambda _: Case(
            CLAIM_JOB, {"kinds": ["create_season"], "given_up_seconds": 900}, rows=2, blocks=20
        ),
    },
    "waiting_requests": {
        "": lambda _: Case(WAITING_REQUESTS, {**PLACE, "most": PAGE}, rows=PAGE, blocks=BLOCKS),
    },
    "locked_request": {
        "": lambda _: Case(LOCKED_REQUEST, {"request_id": 7}, rows=2, blocks=12),
    },
}
ADMIN_READS: Cases = {
    "latest_verifications": {
        "": lambda big: Case(
            LATEST_VERIFICATIONS, {"season_ids": [big.season.season_id, 1]}, rows=2, blocks=12
        ),
    },
    "events_with_id": {"": events_with_id},
    "newest_events": {
        "first page": partial(newest_events, epoch=LARGEST, last=LARGEST),
        "in the middle": lambda big: newest_events(big, big.versions[60], 10**6),
    },
    "changes_of_player": {"": changes_of_player},
    "others_of_player": {"": partial(of_player, statement=OTHERS_OF_PLAYER)},
}
