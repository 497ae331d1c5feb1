"""Load a season with so many players by COPY, into a state that real results would have made."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from psycopg import sql
from tqdm import tqdm

from config import db
from leaderboard.management.benchmarks.arrivals import (
    ROWS_AN_EPOCH,
    UNDO,
    Arrivals,
    Pack,
)
from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.copying import copy_in
from leaderboard.management.benchmarks.detaching import detached
from leaderboard.management.benchmarks.kinds import KINDS, USUAL, Kind
from leaderboard.management.benchmarks.players import Integers, first_scores
from leaderboard.management.benchmarks.room import Room, size_of
from leaderboard.operations import create_season, publish_version, purge_versions
from seasons.models import Seal, Season
from seasons.operations import seal_epoch
from seasons.rules import SeasonRules

PREFIX = "bench-"
RESERVE_LEDGER_IDS = db.statement(__file__, "reserve_ledger_ids")
TALLY_LOADED = db.statement(__file__, "tally_loaded")

VACUUMED = (
    "scores_ledger_n{}",
    "scores_best_n{}",
    "scores_undo_n{}",
    "leaderboard_bucket_n{}",
    "leaderboard_prefix",
    "scores_tally",
    "seasons_seal",
)


# Gives the rows the hash of their content, as `insert_results` would have.
HASHED = """
ALTER TABLE {} ALTER COLUMN row_hash TYPE bigint USING hash_record_extended(ROW(
    epoch, kind_group, kind, accepted_at, event_id, match_id, player_id, score, score_version,
    revision, completed_at, achieved_at, keeps_time, void_event_id, corrects_event_id, reason,
    evidence, approved_by, display, moved_to, outcome, receipt_score, receipt_version,
    visible_in_version, change_no, old_score, new_score, old_region, new_region, old_tie_key,
    new_tie_key
), 0)
"""


def make_season(slug: str, kind: Kind = USUAL) -> Season:
    """Make an open season with scores 0 to 1,000,000, and the rules of its kind."""
    now = datetime.now(UTC)
    hour, quarter = timedelta(hours=1), timedelta(days=90)
    return create_season(SeasonRules(slug, slug, now - hour, now + quarter, **kind.rules))


def load_season(slug: str, players: int, results: int = 1, kind: Kind = USUAL) -> Season:
    """
    Make a season, give each of its players so many results, and publish them.

    Of another kind than the usual one, each has one result.
    """
    season = make_season(slug, kind)
    epochs = _sealed_epochs(season.id, -(-results * players // ROWS_AN_EPOCH))
    arrivals = _arrivals(season, players, epochs, results)._replace(
        scores=kind.scores(players), kind=kind
    )
    total = 3 * arrivals.rows + players
    with connect() as connection, tqdm(total=total, desc=slug, unit_scale=True) as bar:
        _copy(connection, arrivals, bar)
        for epoch in epochs.tolist():
            db.execute(TALLY_LOADED.literal(namespace=season.namespace), epoch=epoch)
            bar.update(arrivals.rows / len(epochs))
        _publish(season, connection, bar)
        for table in VACUUMED:
            name = sql.Identifier(table.format(season.namespace))
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(name))
    return season


def season_of_kind(name: str, players: int) -> Season:
    """Return the season of a kind and size, loaded if it is not there yet."""
    slug = f"{PREFIX}{players}-{name}"
    found = Season.objects.filter(slug=slug).first()
    return found or load_season(slug, players, kind=KINDS[name])


def _arrivals(season: Season, players: int, epochs: Integers, results: int) -> Arrivals:
    first_id = db.fetch_one(int, RESERVE_LEDGER_IDS, rows=results * players)
    assert first_id is not None
    numbers = np.random.default_rng(players).permutation(players)
    return Arrivals(season, first_id, numbers, first_scores(players), epochs, results)


def _copy(connection: Connection, arrivals: Arrivals, bar: "tqdm[Any]") -> None:
    season = arrivals.season
    room = Room(connection)
    with detached(connection, "scores_ledger", season.ledger_namespace) as table:
        for form in arrivals.forms:
            copy_in(connection, table, form, _counted(arrivals.ledger(form), bar, room))
        # The table is written anew beside what was copied.
        room.require(size_of(connection, table))
        connection.execute(sql.SQL(HASHED).format(sql.Identifier(table)))
    with detached(connection, "scores_best", season.namespace) as table:
        copy_in(connection, table, arrivals.form_of_bests, _counted(arrivals.bests(), bar, room))
    with detached(connection, "scores_undo", season.namespace) as table:
        copy_in(connection, table, UNDO, (pack.packed for pack in arrivals.undo()))


def _counted(packs: Iterable[Pack], bar: "tqdm[Any]", room: Room) -> Iterator[bytes]:
    for pack in packs:
        room.require()
        yield pack.packed
        bar.update(pack.rows)


def _publish(season: Season, connection: Connection, bar: "tqdm[Any]") -> None:
    more = True
    while more:
        publication = publish_version(season.id)
        bar.update(publication.changes)
        more = publication.more
    # All versions but the last go now, and with them what only they needed.
    undo = sql.Identifier(f"scores_undo_n{season.namespace}")
    connection.execute(sql.SQL("TRUNCATE {}").format(undo))
    while purge_versions(season.id, version_kept_seconds=0):
        pass


def _sealed_epochs(season_id: int, epochs: int) -> Integers:
    for _ in range(epochs):
        seal_epoch(season_id)
    seals = Seal.objects.filter(season_id=season_id).order_by("epoch")
    return np.array(seals.values_list("epoch", flat=True), dtype=np.int64)
