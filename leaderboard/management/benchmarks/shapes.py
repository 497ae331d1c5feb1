"""
Shapes: ways to store what a rank is computed from, each with the statement that reads it.

All are made from one copy of a season's bests, beside it and of one version, so that one differs
from another in what its name says only.
"""

from typing import NamedTuple

from leaderboard.management.benchmarks.connecting import Connection
from leaderboard.management.benchmarks.players import HIGHEST_SCORE

BUCKETS_A_SLICE = 32
GAINS_A_BUCKET = 12
# More buckets than any shape has.
ALL = HIGHEST_SCORE + 1
COLUMNS = ("player_id", "score", "tie_key", "epoch", "score_version")

# How many players stand above each score that there can be.
STANDING = (
    "CREATE TABLE benchmark_scratch.standing AS "
    "SELECT possible.score, (sum(count(best.score)) OVER (ORDER BY possible.score DESC) "
    "- count(best.score))::integer AS above "
    "FROM generate_series(0, {highest}) AS possible (score) "
    "LEFT JOIN benchmark_scratch.bests AS best ON best.score = possible.score "
    "GROUP BY possible.score"
)
COVERED = (
    "CREATE TABLE benchmark_scratch.covered AS TABLE benchmark_scratch.bests",
    "CREATE UNIQUE INDEX covered_by_player ON benchmark_scratch.covered (player_id) "
    "INCLUDE (score, tie_key, epoch, score_version)",
    "VACUUM (ANALYZE) benchmark_scratch.covered",
)

# As each stores counts: what they are made by, and how the one at a place is read.
MADE = {
    "bits": "string_agg({count}::bit(32)::text, '' ORDER BY {order})::bit varying",
    "bytes": "string_agg(int4send({count}), ''::bytea ORDER BY {order})",
    "array": "array_agg({count} ORDER BY {order})",
}
READ = {
    "bits": "leaderboard_count_at({counts}, {place})",
    "bytes": "('x' || encode(substring({counts} FROM {place} * 4 + 1 FOR 4), 'hex'))"
    "::bit(32)::integer",
    "array": "{counts}[{place} + 1]",
}

BUCKETS = (
    "SELECT bucket, prefix, {made} AS above FROM ("
    "SELECT score, score / {width} AS bucket, above, "
    "min(above) OVER (PARTITION BY score / {width}) AS prefix "
    "FROM benchmark_scratch.standing) AS placed GROUP BY bucket, prefix"
)
SLICES = (
    "SELECT bucket / {buckets} AS slice, {made} AS above, "
    # Gains of none, so that ranks stay as they are.
    "(SELECT array_agg((entry * {step})::smallint ORDER BY entry) "
    "FROM generate_series(0, {entries} - 1) AS entry) AS places, "
    "repeat(32768::bit(16)::text, {entries} + 1)::bit varying AS gained "
    "FROM benchmark_scratch.{name}_buckets GROUP BY bucket / {buckets}"
)
LOOK_UP = (
    "CROSS JOIN LATERAL (SELECT * FROM benchmark_scratch.{table} AS stored "
    "WHERE stored.{condition} LIMIT 1) AS {row}"
)
MADE_TABLE = (
    "CREATE TABLE benchmark_scratch.{table} WITH (toast_tuple_target = {target}) AS "
    "{rows} WITH NO DATA",
    "ALTER TABLE benchmark_scratch.{table} ALTER COLUMN above SET STORAGE {storage}",
    "INSERT INTO benchmark_scratch.{table} {rows}",
    "ALTER TABLE benchmark_scratch.{table} ADD PRIMARY KEY ({key})",
    "VACUUM (ANALYZE) benchmark_scratch.{table}",
)


# How prefixes that have rows of their own keep them: counts, buckets in a row, storage.
SLICED = {
    "slices": ("bits", BUCKETS_A_SLICE, "PLAIN"),
    "version": ("bytes", ALL, "EXTERNAL"),
}
# The server moves out of line what makes a row longer than this.
LONGEST_ROW = {"PLAIN": 8160, "EXTERNAL": 128}


class Shape(NamedTuple):
    """
    How wide buckets are, how they keep their counts, and where prefixes stand.

    `counts` is of `bits`, `bytes`, `array` or None, which only looks the rows up; `prefixes` are
    in rows of 32, `slices`, in the row of the `bucket`, or all in the row of the `version`.
    """

    name: str
    width: int = 250
    counts: str | None = "bits"
    storage: str = "PLAIN"
    prefixes: str = "slices"
    gains: bool = False
    covering: bool = False


AS_IT_IS = Shape("250 wide, with gains", gains=True)
SHAPES = (
    Shape("look-ups alone: best, bucket", counts=None, prefixes="bucket"),
    Shape("look-ups alone: best, prefixes, bucket", counts=None),
    Shape("250 wide, as it is without gains"),
    AS_IT_IS,
    Shape("100 wide", width=100),
    Shape("1,000 wide", width=1_000),
    Shape("1,000 wide, out of line", width=1_000, storage="EXTERNAL"),
    Shape("10,000 wide, out of line", width=10_000, storage="EXTERNAL"),
    Shape(
        "10,000 wide, out of line, by slice of bytes",
        width=10_000,
        counts="bytes",
        storage="EXTERNAL",
    ),
    Shape("250 wide, out of line", storage="EXTERNAL"),
    Shape("250 wide, bytes", counts="bytes"),
    Shape("250 wide, array", counts="array"),
    Shape("250 wide, prefix in the bucket's row", prefixes="bucket"),
    Shape("250 wide, prefixes in the version's row", prefixes="version"),
    Shape("250 wide, index of bests covers", covering=True),
)
BARE_LOOK_UP = (
    "SELECT score, tie_key, epoch, score_version "
    "FROM benchmark_scratch.bests WHERE player_id = :player_id"
)


def make_standing(connection: Connection) -> None:
    """Make what all shapes are made from: the players above each score, and a covered copy."""
    connection.execute(STANDING.format(highest=HIGHEST_SCORE))
    for statement in COVERED:
        connection.execute(statement)


def make_shape(connection: Connection, name: str, shape: Shape) -> None:
    """Make the tables of a shape, whose names begin with `name`, and vacuum them."""
    made = MADE[shape.counts or "bits"].format(count="(above - prefix)", order="score")
    buckets = BUCKETS.format(made=made, width=shape.width)
    _make(connection, f"{name}_buckets", buckets, "bucket", shape.storage)
    if shape.prefixes in SLICED:
        counts, in_a_slice, storage = SLICED[shape.prefixes]
        slices = _slices(name, counts, in_a_slice, shape)
        _make(connection, f"{name}_slices", slices, "slice", storage)


def _slices(name: str, counts: str, buckets: int, shape: Shape) -> str:
    entries = BUCKETS_A_SLICE * GAINS_A_BUCKET if shape.gains else 0
    return SLICES.format(
        name=name,
        buckets=buckets,
        made=MADE[counts].format(count="prefix", order="bucket"),
        entries=entries,
        step=BUCKETS_A_SLICE * shape.width // max(entries, 1),
    )


def _make(connection: Connection, table: str, rows: str, key: str, storage: str) -> None:
    for statement in MADE_TABLE:
        connection.execute(
            statement.format(
                table=table, rows=rows, key=key, storage=storage, target=LONGEST_ROW[storage]
            )
        )


def rank_statement(name: str, shape: Shape) -> str:
    """Return the statement that finds a player's rank, as `rank_unless_changed` does."""
    bests = "covered" if shape.covering else "bests"
    return " ".join(
        [
            f"SELECT best.score, best.tie_key, {_rank(shape)} AS rank,",
            "best.epoch, best.score_version",
            f"FROM benchmark_scratch.{bests} AS best",
            *_look_ups(name, shape),
            "WHERE best.player_id = :player_id",
        ]
    )


def _look_ups(name: str, shape: Shape) -> list[str]:
    bucket = _look_up("bucket", f"{name}_buckets", f"bucket = best.score / {shape.width}")
    if shape.prefixes not in SLICED:
        return [bucket]
    scores = shape.width * SLICED[shape.prefixes][1]
    return [_look_up("prefix", f"{name}_slices", f"slice = best.score / {scores}"), bucket]


def _look_up(row: str, table: str, condition: str) -> str:
    return LOOK_UP.format(row=row, table=table, condition=condition)


def _rank(shape: Shape) -> str:
    bucket = f"best.score / {shape.width}"
    if shape.counts is None:
        return "bucket.prefix" + ("" if shape.prefixes == "bucket" else " + prefix.slice")
    in_bucket = READ[shape.counts].format(
        counts="bucket.above", place=f"mod(best.score, {shape.width})"
    )
    in_slice = f"mod({bucket}, {BUCKETS_A_SLICE})"
    prefix = {
        "slices": READ["bits"].format(counts="prefix.above", place=in_slice),
        "version": READ["bytes"].format(counts="prefix.above", place=f"({bucket})"),
        "bucket": "bucket.prefix",
    }[shape.prefixes]
    place = f"mod(best.score, {BUCKETS_A_SLICE * shape.width})"
    gained = f" + leaderboard_gained_at(prefix.places, prefix.gained, {place})"
    return f"1 + {prefix} + {in_bucket}{gained if shape.gains else ''}"
