"""The layout of a board as operators look at it: its buckets, and what each of them costs."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

import numpy as np

from config import db
from config.errors import VersionExpired
from leaderboard import rules
from leaderboard.models import Version
from leaderboard.queries.board_counts import BoardCounts, board_counts, score_counts
from leaderboard.queries.moved import keys_moved
from leaderboard.queries.ordered import BucketOfBoard, pieces_of_bucket
from leaderboard.queries.published import Published
from leaderboard.rules import (
    LOWEST_TIE_KEY,
    STORED,
    Boundaries,
    Buckets,
    Key,
    Keys,
    LayoutFigures,
)

BUCKET_BYTES = db.statement(__file__, "bucket_bytes")

LOOKED_BACK = timedelta(minutes=2)
# Every version writes a prefix for each bucket, and of a counted board the age of its row and
# what it gained since.
BYTES_OF_PREFIX = STORED.itemsize
BYTES_OF_PREFIX_AND_AGE = 2 * STORED.itemsize
SINGLE_KEYS = 1


class Lately(NamedTuple):
    """The last versions, two minutes of them at most: those after one, up to the current one."""

    after: int
    versions: int
    seconds: float

    def a_second(self, changes: int) -> float:
        """Return how many a second so many changes are."""
        return changes / self.seconds if self.seconds else 0.0


class BucketFigures(NamedTuple):
    """
    A bucket of a board, from its best key to before the first one that it lacks.

    A change within a bucket counts twice: a player left a key and came to another.
    """

    bucket: int
    begin: Key
    end: Key
    members: int
    largest_tie: int
    changes_a_second: float
    bytes_a_version: float


class BoardLayout(NamedTuple):
    """The layout of a board at a version, and its fullest buckets; the costs of an ordered one."""

    version: int
    members: int
    buckets: int
    changes_a_second: float
    lately: Lately
    costs: LayoutFigures | None
    fullest: list[BucketFigures]


def board_layout(season: Published, board: int, *, most: int) -> BoardLayout:
    """
    Return the layout of a board at its season's current version, and its fullest buckets.

    Reads the counts of all buckets, the ledger of the last versions, and the players of the
    buckets that are shown. Raises NoPublishedVersion while bests or counts are lost.
    """
    counted = board_counts(season, version=season.current, board=board)
    lately = _lately(season)
    if counted is None or lately is None:
        raise VersionExpired
    buckets = _buckets(counted)
    moved = keys_moved(season.ledger_namespace, lately.after, season.current).on_board(board)
    places = rules.buckets_of(buckets.boundaries, Keys(moved.scores, moved.tie_keys))
    changes = np.bincount(places, minlength=len(buckets.members))
    fullest = np.argsort(-buckets.members, kind="stable")[:most]
    chosen = fullest[buckets.members[fullest] > 0].tolist()
    columns = zip(
        chosen,
        map(buckets.boundaries.begin_of, chosen),
        map(buckets.boundaries.end_of, chosen),
        buckets.members[chosen].tolist(),
        _largest_ties(season, counted, buckets, chosen),
        map(lately.a_second, changes[chosen].tolist()),
        _bytes(season, board, lately, chosen),
        strict=True,
    )
    return BoardLayout(
        version=season.current,
        members=int(buckets.members.sum()),
        buckets=len(buckets.members),
        changes_a_second=lately.a_second(len(places)),
        lately=lately,
        costs=None if season.is_counted(board) else rules.layout_figures(buckets),
        fullest=[BucketFigures(*row) for row in columns],
    )


def _buckets(counted: BoardCounts) -> Buckets:
    """Return a board's buckets; those of a counted one begin at their highest scores."""
    members = counted.histogram.members
    if isinstance(counted.found_by, Boundaries):
        return Buckets(counted.found_by, members)
    highest = counted.histogram.highest
    return Buckets(Boundaries(highest, np.full_like(highest, LOWEST_TIE_KEY)), members)


def _lately(season: Published) -> Lately | None:
    """Return which versions of the last two minutes are kept."""
    assert season.sealed_at is not None
    kept = Version.objects.using("reads").filter(
        namespace=season.namespace,
        number__lte=season.current,
        sealed_at__gte=season.sealed_at - LOOKED_BACK,
    )
    known = list(kept.order_by("number").values_list("number", "sealed_at"))
    if not known:
        return None
    number, sealed_at = known[0]
    return Lately(number, len(known) - 1, (season.sealed_at - sealed_at).total_seconds())


def _largest_ties(
    season: Published, counted: BoardCounts, buckets: Buckets, chosen: Sequence[int]
) -> list[int]:
    """Return how many players the fullest key of each bucket has."""
    if isinstance(counted.found_by, Boundaries):
        return [_largest_tie(season, counted.board, buckets, bucket) for bucket in chosen]
    counts = score_counts(season, counted, chosen)
    if counts is None:
        raise VersionExpired
    return [int(counts[bucket].players.max()) for bucket in chosen]


def _largest_tie(season: Published, board: int, buckets: Buckets, bucket: int) -> int:
    if rules.of_one_key(buckets.boundaries)[bucket]:
        return int(buckets.members[bucket])
    place = BucketOfBoard(
        season.season_id,
        season.namespace,
        board,
        season.current,
        buckets.boundaries.begin_of(bucket),
        buckets.boundaries.end_of(bucket),
    )
    pieces, _ = pieces_of_bucket(place, SINGLE_KEYS)
    return max((piece.players for piece in pieces), default=0)


def _bytes(season: Published, board: int, lately: Lately, chosen: Sequence[int]) -> list[float]:
    """Return how many bytes of each bucket a version writes anew, in the mean."""
    if not season.is_counted(board):
        return [BYTES_OF_PREFIX] * len(chosen)
    written = dict(
        db.fetch_all(
            lambda bucket, total: (bucket, int(total)),
            BUCKET_BYTES.literal(**season.literals, board=board),
            using="reads",
            buckets=list(chosen),
            after=lately.after,
            version=season.current,
        )
    )
    versions = max(1, lately.versions)
    return [BYTES_OF_PREFIX_AND_AGE + written[bucket] / versions for bucket in chosen]
