"""What the publisher and the purge do every second or two."""

from datetime import UTC, datetime
from functools import partial

from config.db import Statement
from leaderboard.operations.purge_versions import (
    EXPIRE_VERSIONS,
    OLDEST_READABLE,
    PURGE_BUCKETS,
    PURGE_LAYOUTS,
    PURGE_PUBLICATIONS,
)
from leaderboard.queries.current_version import CURRENT_VERSION
from leaderboard.queries.moved import KEYS_MOVED
from leaderboard.queries.ordered import BOUNDARIES, PIECES_OF_BUCKET, PLAYERS_IN_BUCKET
from leaderboard.queries.publication import (
    BOARDS_PRESENT,
    BUCKET_MEMBERS,
    COUNTS_IN_BESTS,
    LATEST_BUCKETS,
    PREFIXES,
    PUBLICATION_STATE,
    SEALS_TO_PUBLISH,
    TOP_OF_BOARD,
    WITNESSES,
)
from leaderboard.queries.stored_top import STORED_TOP
from leaderboard.queries.watermark import CHANGED_SINCE, LAST_LEDGER_ID
from leaderboard.steps.flip import FLIP_CURRENT, MOVE_AS_OF
from scores.steps.writing import PURGE_TALLIES, PURGE_UNDO
from seasons.steps import DELETE_SEALS
from tests.plans.big_season import CHANGES, EPOCHS, UNNAMED_LAYOUTS, BigSeason
from tests.plans.case import Case, Cases

BUCKETS = 4_001
SLICES = 126
TOP_LENGTH = 100
LEDGER = {"ledger_rows": 1, "ledger_hash": 1}


def by_key(big: BigSeason, statement: Statement, **asked: object) -> Case:
    return Case(statement.literal(**big.season.literals), asked, rows=2, blocks=12)


def board(big: BigSeason, statement: Statement, rows: int) -> Case:
    asked = {"board": 0, "version": big.current}
    return Case(statement.literal(**big.season.literals), asked, rows=rows, blocks=rows + 12)


def current_version(big: BigSeason) -> Case:
    return Case(CURRENT_VERSION, {"season_id": big.season.season_id}, rows=1, blocks=6)


def by_epoch(big: BigSeason, statement: Statement) -> Case:
    return by_key(big, statement, through=big.current)


def publication_state(big: BigSeason) -> Case:
    """It may read the layouts of all versions of the season, one row a season."""
    return by_key(big, PUBLICATION_STATE)._replace(rows=30, blocks=30, sorted=1)


def seals_to_publish(big: BigSeason) -> Case:
    return by_key(big, SEALS_TO_PUBLISH, through=big.current, most=30)


def of_last_epoch(big: BigSeason, statement: Statement) -> Case:
    asked = {"after_epoch": big.current, "to_epoch": big.sealed_epoch}
    literal = statement.literal(**big.season.literals)
    return Case(literal, asked, rows=CHANGES + 1, blocks=CHANGES, sorted=CHANGES)


def latest_buckets(big: BigSeason) -> Case:
    """As many buckets as an epoch of this season touches, each with a look-up."""
    asked = {"board": 0, "version": big.current, "buckets": list(range(0, 1200, 2))}
    return Case(LATEST_BUCKETS.literal(**big.season.literals), asked, rows=600, blocks=6 * 600)


def bucket_members(big: BigSeason) -> Case:
    asked = {"board": 0, "version": big.current, "buckets": BUCKETS}
    statement = BUCKET_MEMBERS.literal(**big.season.literals)
    return Case(statement, asked, rows=BUCKETS, blocks=5 * BUCKETS, sorted=BUCKETS)


def top_of_board(big: BigSeason) -> Case:
    asked = {"version": big.sealed_epoch, "limit": TOP_LENGTH}
    statement = TOP_OF_BOARD.literal(**big.season.literals, board=0)
    return Case(statement, asked, rows=6 * TOP_LENGTH, blocks=800, sorted=3 * TOP_LENGTH)


def bucket_of_board(big: BigSeason, statement: Statement, **asked: object) -> Case:
    """One bucket of 500 players, and what the open epoch changed on the whole board."""
    keys = {"score": 10_249, "tie_key": 0, "end_score": 9_999, "end_tie_key": 0}
    statement = statement.literal(**big.season.literals, board=0)
    everything = {"version": big.sealed_epoch, **keys, **asked}
    return Case(statement, everything, rows=1_200, blocks=1_600, sorted=1_200)


def pieces_of_bucket(big: BigSeason) -> Case:
    return bucket_of_board(big, PIECES_OF_BUCKET, size=100)._replace(windows=True)


def boundaries(big: BigSeason) -> Case:
    return Case(BOUNDARIES, {"boundary_set": 1}, rows=100, blocks=12, sorted=100)


def counts_in_bests(big: BigSeason) -> Case:
    """One bucket of 500 players, and what the open epoch changed on the whole board."""
    asked = {"version": big.sealed_epoch, "board": 0, "lowest": 10_000, "highest": 10_249}
    statement = COUNTS_IN_BESTS.literal(**big.season.literals)
    return Case(statement, asked, rows=1_200, blocks=1_600, sorted=1_200)


def expire_versions(big: BigSeason, most: int) -> Case:
    asked = {"kept_seconds": 0.0, "most": most}
    return Case(
        EXPIRE_VERSIONS.literal(**big.season.literals),
        asked,
        rows=2 * EPOCHS + (SLICES + 3) * most,
        blocks=100 + (3 * SLICES + 12) * most,
        sorted=EPOCHS + 1,
    )


def oldest_readable(big: BigSeason) -> Case:
    statement = OLDEST_READABLE.literal(**big.season.literals)
    return Case(statement, {}, rows=2, blocks=12)


def purge_buckets(big: BigSeason, versions: int) -> Case:
    """Each version touched some 700 buckets; three looks at a row for each, and its end."""
    asked = {"oldest_before": big.oldest, "oldest": big.versions[versions]}
    most = 800 * versions
    statement = PURGE_BUCKETS.literal(**big.season.literals)
    return Case(statement, asked, rows=3 * most, blocks=14 * most)


def purge_layouts(big: BigSeason) -> Case:
    """The season has a layout in use, and some that no version names, with a bucket each."""
    statement = PURGE_LAYOUTS.literal(season_id=big.season.season_id)
    every = UNNAMED_LAYOUTS + 1
    return Case(statement, {}, rows=4 * every + 4, blocks=16 * every, sorted=2 * every + 2)


def purge_publications(big: BigSeason) -> Case:
    statement = PURGE_PUBLICATIONS.literal(**big.season.literals)
    asked = {"kept_seconds": 7.0 * 24 * 3600}
    return Case(statement, asked, rows=402, blocks=1_000)


def purge_undo(big: BigSeason, versions: int) -> Case:
    asked = {"oldest_before": big.oldest, "oldest": big.versions[versions]}
    most = CHANGES * versions
    return Case(PURGE_UNDO.literal(**big.season.literals), asked, rows=most, blocks=3 * most)


def purge_tallies(big: BigSeason) -> Case:
    statement = PURGE_TALLIES.literal(**big.season.literals)
    return Case(statement, {"through": big.current}, rows=EPOCHS + 2, blocks=4 * EPOCHS)


def delete_seals(big: BigSeason) -> Case:
    return by_key(big, DELETE_SEALS, after_epoch=0, to_epoch=big.versions[2])._replace(rows=4)


def move_as_of(big: BigSeason) -> Case:
    asked = {"through": big.sealed_epoch, "as_of": datetime.now(UTC)}
    return by_key(big, MOVE_AS_OF, **asked, **LEDGER)


def flip_current(big: BigSeason) -> Case:
    asked = {"replaced": big.current, "version": big.sealed_epoch, "sampled_bucket": 7}
    case = by_key(big, FLIP_CURRENT, **asked, **LEDGER, as_of=datetime.now(UTC))
    return case._replace(blocks=40)


PUBLICATION: Cases = {
    "last_ledger_id": {"": partial(by_epoch, statement=LAST_LEDGER_ID)},
    "changed_since": {"": partial(by_epoch, statement=CHANGED_SINCE)},
    "current_version": {"": current_version},
    "boards_present": {"": partial(board, statement=BOARDS_PRESENT, rows=3)},
    "publication_state": {"": publication_state},
    "seals_to_publish": {"": seals_to_publish},
    "witnesses": {"": partial(of_last_epoch, statement=WITNESSES)},
    "keys_moved": {"": partial(of_last_epoch, statement=KEYS_MOVED)},
    "latest_buckets": {"": latest_buckets},
    "bucket_members": {"": bucket_members},
    "prefixes": {"": partial(board, statement=PREFIXES, rows=SLICES)},
    "stored_top": {"": partial(board, statement=STORED_TOP, rows=1)},
    "top_of_board": {"": top_of_board},
    "players_in_bucket": {"": partial(bucket_of_board, statement=PLAYERS_IN_BUCKET)},
    "pieces_of_bucket": {"": pieces_of_bucket},
    "boundaries": {"": boundaries},
    "counts_in_bests": {"": counts_in_bests},
    "expire_versions": {
        "2": partial(expire_versions, most=2),
        "20": partial(expire_versions, most=20),
    },
    "oldest_readable": {"": oldest_readable},
    "purge_buckets": {
        "2": partial(purge_buckets, versions=2),
        "20": partial(purge_buckets, versions=20),
    },
    "purge_layouts": {"": purge_layouts},
    "purge_publications": {"": purge_publications},
    "purge_undo": {
        "2": partial(purge_undo, versions=2),
        "20": partial(purge_undo, versions=20),
    },
    "purge_tallies": {"": purge_tallies},
    "delete_seals": {"": delete_seals},
    "move_as_of": {"": move_as_of},
    "flip_current": {"": flip_current},
}
