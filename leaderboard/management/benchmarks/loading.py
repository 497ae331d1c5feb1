"""Load a season with so many players by COPY, into a state that real results would have made."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from psycopg import sql
from tqdm import tqdm

from config import db
from leaderboard.management.benchmarks.connecting import connect
from leaderboard.management.benchmarks.copying import Form, copy_in
from leaderboard.management.benchmarks.detaching import detached
from leaderboard.management.benchmarks.players import (
    Integers,
    first_scores,
    ids_of,
    random_ids,
)
from leaderboard.operations import create_season, publish_version, purge_versions
from seasons.models import Seal, Season
from seasons.operations import seal_epoch
from seasons.rules import SeasonRules

RESERVE_LEDGER_IDS = db.statement(__file__, "reserve_ledger_ids")
TALLY_LOADED = db.statement(__file__, "tally_loaded")

PLAYERS_AN_EPOCH = 30_000
ROWS_A_PACK = 50_000
EPOCH_OF_POSTGRES = datetime(2000, 1, 1, tzinfo=UTC)

LEDGER = Form(
    {
        "id": ">i8",
        "namespace": ">i4",
        "epoch": ">i8",
        "kind_group": ">i2",
        "kind": "S6",
        "event_id": "S16",
        "match_id": "S16",
        "player_id": "S8",
        "score": ">i4",
        "score_version": ">i8",
        "completed_at": ">i8",
        "accepted_at": ">i8",
        "outcome": "S8",
        "receipt_score": ">i4",
        "receipt_version": ">i8",
        "visible_in_version": ">i8",
        "change_no": ">i8",
        "new_score": ">i4",
        "new_tie_key": ">i8",
        "row_hash": ">i8",
    },
)
BESTS = Form(
    {
        "namespace": ">i4",
        "player_id": "S8",
        "score": ">i4",
        "score_version": ">i8",
        "epoch": ">i8",
        "change_no": ">i8",
    },
)
VACUUMED = (
    "scores_ledger_n{}",
    "scores_best_n{}",
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
    evidence, approved_by, outcome, receipt_score, receipt_version, visible_in_version,
    change_no, old_score, new_score, old_region, new_region, old_tie_key, new_tie_key
), 0)
"""


class Arrivals(NamedTuple):
    """Everybody's first result, in the order in which they came: one a player."""

    season: Season
    first_id: int
    numbers: Integers
    scores: Integers
    epochs: Integers

    def packs(self, form: Form) -> Iterator[bytes]:
        """Return the rows for a table, some at a time."""
        for start in range(0, len(self.numbers), ROWS_A_PACK):
            places = np.arange(start, min(start + ROWS_A_PACK, len(self.numbers)))
            yield form.packed(self._values(places), len(places))

    def _values(self, places: Integers) -> Mapping[str, ArrayLike]:
        numbers, epochs = self.numbers[places], self.epochs[places // PLAYERS_AN_EPOCH]
        scores = self.scores[numbers]
        accepted_at = _microseconds(self.season.created_at)
        return {
            "id": self.first_id + places,
            "namespace": self.season.namespace,
            "epoch": epochs,
            "kind_group": 0,
            "kind": b"result",
            "event_id": random_ids(places, 1),
            "match_id": random_ids(places // 100, 2),
            "player_id": ids_of(numbers),
            "score": scores,
            "score_version": 1,
            "completed_at": accepted_at - 1_000_000,
            "accepted_at": accepted_at,
            "outcome": b"improved",
            "receipt_score": scores,
            "receipt_version": 1,
            "visible_in_version": epochs,
            "change_no": 1,
            "new_score": scores,
            "new_tie_key": 0,
            "row_hash": 0,
        }


def make_season(slug: str) -> Season:
    """Make an open season with scores 0 to 1,000,000."""
    now = datetime.now(UTC)
    hour, quarter = timedelta(hours=1), timedelta(days=90)
    return create_season(SeasonRules(slug, slug, now - hour, now + quarter))


def load_season(slug: str, players: int) -> Season:
    """Make a season, give each of its players a first result, and publish them."""
    season = make_season(slug)
    epochs = _sealed_epochs(season.id, -(-players // PLAYERS_AN_EPOCH))
    arrivals = _arrivals(season, players, epochs)
    with connect() as connection, tqdm(total=4 * players, desc=slug, unit_scale=True) as bar:
        for parent, form in (("scores_ledger", LEDGER), ("scores_best", BESTS)):
            with detached(connection, parent, season.namespace) as table:
                copy_in(connection, table, form, _counted(arrivals, form, bar))
                if form is LEDGER:
                    connection.execute(sql.SQL(HASHED).format(sql.Identifier(table)))
        for epoch in epochs.tolist():
            db.execute(TALLY_LOADED.literal(namespace=season.namespace), epoch=epoch)
            bar.update(players / len(epochs))
        _publish(season.id, bar)
        for table in VACUUMED:
            name = sql.Identifier(table.format(season.namespace))
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(name))
    return season


def _arrivals(season: Season, players: int, epochs: Integers) -> Arrivals:
    first_id = db.fetch_one(int, RESERVE_LEDGER_IDS, rows=players)
    assert first_id is not None
    numbers = np.random.default_rng(players).permutation(players)
    return Arrivals(season, first_id, numbers, first_scores(players), epochs)


def _counted(arrivals: Arrivals, form: Form, bar: "tqdm[Any]") -> Iterator[bytes]:
    for pack in arrivals.packs(form):
        yield pack
        bar.update(len(pack) // form.record.itemsize)


def _publish(season_id: int, bar: "tqdm[Any]") -> None:
    more = True
    while more:
        publication = publish_version(season_id)
        bar.update(publication.changes)
        more = publication.more
    while purge_versions(season_id, version_kept_seconds=0):
        pass


def _sealed_epochs(season_id: int, epochs: int) -> Integers:
    for _ in range(epochs):
        seal_epoch(season_id)
    seals = Seal.objects.filter(season_id=season_id).order_by("epoch")
    return np.array(seals.values_list("epoch", flat=True), dtype=np.int64)


def _microseconds(time: datetime) -> int:
    return (time - EPOCH_OF_POSTGRES) // timedelta(microseconds=1)
