"""Where the publication of a season stands, and what waits for it."""

from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from config import db
from leaderboard import rules
from leaderboard.rules import BucketLayout, Counts, Entries

PUBLICATION_STATE = db.statement(__file__, "publication_state")
SEALS_TO_PUBLISH = db.statement(__file__, "seals_to_publish")
WITNESSES = db.statement(__file__, "witnesses")
LATEST_BUCKETS = db.statement(__file__, "latest_buckets")
BUCKET_MEMBERS = db.statement(__file__, "bucket_members")
PREFIXES = db.statement(__file__, "prefixes")
TOP_OF_BOARD = db.statement(__file__, "top_of_board")
BOARDS_PRESENT = db.statement(__file__, "boards_present")
COUNTS_IN_BESTS = db.statement(__file__, "counts_in_bests")

EPOCHS_AT_ONCE = 30


class PublicationState(NamedTuple):
    """The version that is current, and the epochs that were looked at."""

    namespace: int
    ledger_namespace: int
    regions: list[str]
    lower_score: int
    bucket_width: int
    buckets: int
    boundary_sets: list[int]
    layout_id: int
    number: int
    members: list[int]
    score_sums: list[int]
    through: int
    sampled_bucket: int
    ledger_rows: int
    ledger_hash: Decimal
    final_version: int | None

    @property
    def layout(self) -> BucketLayout:
        """Return the bucket boundaries of the season."""
        return BucketLayout(self.lower_score, self.bucket_width, self.buckets)


class SealToPublish(NamedTuple):
    """An epoch that ended, and the version that may end with it."""

    epoch: int
    version: int
    sealed_at: datetime


class Witness(NamedTuple):
    """What the ledger, or the tallies, say that an epoch did."""

    witness: str
    epoch: int
    events: int
    changes: int
    entered: int
    left_board: int
    score_delta: Decimal
    hash: Decimal
    row_hashes: Decimal | None


class StoredBucket(NamedTuple):
    """A bucket's newest row at a version."""

    bucket: int
    members: int
    above: bytes


class BucketMembers(NamedTuple):
    """How many players each bucket has, lowest first, and the version of its newest row."""

    members: Counts
    versions: Counts


class Prefixes(NamedTuple):
    """
    How many players stand above each bucket, lowest first, and how old its newest row is.

    And what buckets gained since, as it is stored.
    """

    above: Counts
    ages: Counts
    entries: Entries


class TopRow(NamedTuple):
    """One of the first players of a board, in display order."""

    player_id: str
    score: int
    tie_key: int


class BoardsPresent(NamedTuple):
    """What of a namespace is there at all."""

    bests: bool
    buckets: bool


class PlayersOnScore(NamedTuple):
    """How many players of a board have a score."""

    score: int
    players: int


def boards_present(namespace: int, version: int) -> BoardsPresent:
    """Return whether a namespace has its bests, and what its global board is counted from."""
    statement = BOARDS_PRESENT.literal(namespace=namespace)
    found = db.fetch_one(BoardsPresent, statement, version=version)
    assert found is not None
    return found


def publication_state(season_id: int) -> PublicationState | None:
    """Return where the publication stands, or None before the first version."""
    return db.fetch_one(PublicationState, PUBLICATION_STATE.literal(season_id=season_id))


def seals_to_publish(season_id: int, through: int) -> list[SealToPublish]:
    """Return the next seals that no version includes, oldest first, 30 at most."""
    return db.fetch_all(
        SealToPublish,
        SEALS_TO_PUBLISH.literal(season_id=season_id),
        through=through,
        most=EPOCHS_AT_ONCE,
    )


def witnesses(namespace: int, after_epoch: int, to_epoch: int) -> list[Witness]:
    """Return what ledger and tallies say of the epochs in (after, to]."""
    return db.fetch_all(
        Witness,
        WITNESSES.literal(namespace=namespace),
        after_epoch=after_epoch,
        to_epoch=to_epoch,
    )


def latest_buckets(
    namespace: int, board: int, version: int, buckets: list[int]
) -> list[StoredBucket]:
    """Return the newest rows of these buckets at a version; those without a row are absent."""
    return db.fetch_all(
        StoredBucket,
        LATEST_BUCKETS.literal(namespace=namespace),
        board=board,
        version=version,
        buckets=buckets,
    )


def bucket_members(namespace: int, board: int, version: int, buckets: int) -> BucketMembers:
    """Return how many players each bucket has at a version, as its own rows say."""
    found = db.fetch_all(
        lambda members, newest: (members, newest),
        BUCKET_MEMBERS.literal(namespace=namespace),
        board=board,
        version=version,
        buckets=buckets,
    )
    return BucketMembers(*np.asarray(found, dtype=np.int64).T)


def prefixes(namespace: int, board: int, version: int) -> Prefixes:
    """
    Return what a board's prefixes say at a version.

    The buckets of an ordered board have no rows, and so neither ages nor gains.
    """
    found = db.fetch_all(
        lambda *columns: [column or b"" for column in columns],
        PREFIXES.literal(namespace=namespace),
        board=board,
        version=version,
    )
    above, ages, places, gained = zip(*found, strict=True) if found else ((), (), (), ())
    entries = rules.decoded_entries(places, gained)
    return Prefixes(rules.decoded(above), rules.decoded(ages), entries)


def top_of_board(season_id: int, namespace: int, board: int, version: int) -> list[TopRow]:
    """Return the first hundred players of a board at a version, best first."""
    return db.fetch_all(
        TopRow,
        TOP_OF_BOARD.literal(season_id=season_id, namespace=namespace, board=board),
        version=version,
        limit=rules.TOP_LENGTH,
    )


def counts_in_bests(
    season_id: int, namespace: int, board: int, version: int, scores: tuple[int, int]
) -> list[PlayersOnScore]:
    """Return how many players of a board have each score of a range, counted in the bests."""
    return db.fetch_all(
        PlayersOnScore,
        COUNTS_IN_BESTS.literal(season_id=season_id, namespace=namespace),
        board=board,
        version=version,
        lowest=scores[0],
        highest=scores[1],
    )
