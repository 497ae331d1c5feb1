"""The buckets of ordered boards: where they begin, and how many players the bests have in them."""

from typing import Any, NamedTuple

from config import db
from leaderboard.rules import BUCKET_SIZE, Boundaries, Key, Piece, decoded_keys

BOUNDARIES = db.statement(__file__, "boundaries")
KEYS_IN_RANGE = db.statement(__file__, "keys_in_range")


def of_ranges(whole: db.Statement) -> db.Statement:
    """Return a statement about the keys in ranges of a board, each range in a row `asked`."""
    return whole.with_parts(keys_in_range=KEYS_IN_RANGE)


PLAYERS_IN_BUCKET = of_ranges(db.statement(__file__, "players_in_bucket"))
PIECES_OF_BUCKET = of_ranges(db.statement(__file__, "pieces_of_bucket"))


class BucketOfBoard(NamedTuple):
    """A bucket of an ordered board at a version: from its boundary to the next lower one."""

    season_id: int
    namespace: int
    board: int
    version: int
    boundary: Key
    end: Key

    @property
    def asked(self) -> dict[str, Any]:
        """Return the range of keys, and the version, as statements name them."""
        return {
            "version": self.version,
            "score": self.boundary[0],
            "tie_key": self.boundary[1],
            "end_score": self.end[0],
            "end_tie_key": self.end[1],
        }


def boundaries_of(boundary_set: int) -> Boundaries:
    """Return the boundaries of a set, lowest bucket first."""
    found = db.fetch_one(as_boundaries, BOUNDARIES, boundary_set=boundary_set)
    assert found is not None
    return found


def players_in_bucket(place: BucketOfBoard) -> int:
    """Return how many players a bucket of an ordered board has, counted in the bests."""
    found = db.fetch_one(int, _of_bucket(PLAYERS_IN_BUCKET, place), **place.asked)
    assert found is not None
    return found


def pieces_of_bucket(
    place: BucketOfBoard, size: int | None = None
) -> tuple[list[Piece], int | None]:
    """
    Return where a bucket may be cut, best first, and how many players it has in all.

    The pieces have about `size` players, or as many as a bucket gets. Without any, nobody knows
    how many players there are.
    """
    rows = db.fetch_all(
        lambda *columns: (Piece(*columns[:4]), columns[4]),
        _of_bucket(PIECES_OF_BUCKET, place),
        **place.asked,
        size=size or BUCKET_SIZE,
    )
    return [piece for piece, _ in rows], rows[0][1] if rows else None


def as_boundaries(scores: bytes, tie_keys: bytes) -> Boundaries:
    """Return boundaries of which big-endian integers were sent, one after the other."""
    return Boundaries(*decoded_keys(scores, tie_keys))


def _of_bucket(statement: db.Statement, place: BucketOfBoard) -> db.Statement:
    return statement.literal(
        season_id=place.season_id, namespace=place.namespace, board=place.board
    )
