"""What the public asks: of the current version, and of one that is 120 epochs old."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from leaderboard.queries.board_counts import (
    BOARD_COUNTS,
    COUNTS_OF_BUCKETS,
    ORDERED_COUNTS,
    SCORES_OF_BUCKETS,
)
from leaderboard.queries.board_counts import board_counts as board_counts_of
from leaderboard.queries.board_layout import BUCKET_BYTES
from leaderboard.queries.changes import CHANGES, OLDEST_PUBLICATION
from leaderboard.queries.differences import PLAYERS_CORRECTED
from leaderboard.queries.displays import DISPLAYS
from leaderboard.queries.friends import FRIENDS
from leaderboard.queries.lookup import LOOKUP
from leaderboard.queries.neighbours import NEIGHBOURS, NEIGHBOURS_UNLESS_CHANGED
from leaderboard.queries.published import PUBLISHED, Published
from leaderboard.queries.rank_of_player import RANK_OF_PLAYER, unless_changed
from leaderboard.queries.rank_of_score import RANK_OF_SCORE, TIED
from leaderboard.queries.ranking import ByKind
from leaderboard.queries.window import PLAYERS_AFTER, PLAYERS_BEFORE, TOP
from tests.plans.big_season import CHANGES as CHANGES_OF_A_VERSION
from tests.plans.big_season import DEPTHS, EPOCHS, SLUG, BigSeason
from tests.plans.case import Case, Cases

RADIUS = 10
LIMIT = 100
CHANGES_ASKED = 1_000

Version = Callable[[BigSeason], int]


def now(big: BigSeason) -> int:
    return big.current


def long_ago(big: BigSeason) -> int:
    return big.oldest


def rank(big: BigSeason, player: str, version: Version) -> Case:
    asked = {"player_id": getattr(big, player), "version": version(big)}
    return Case(RANK_OF_PLAYER.on(big.season, board=0), asked, rows=6, blocks=25)


def regional(big: BigSeason) -> Published:
    """Return the season as if its readers asked about the region's board."""
    return big.season._replace(boundary_sets=[0, 1])


def rank_in_region(big: BigSeason, player: str, version: Version) -> Case:
    """It counts within a bucket of a thousand, and as much again that later epochs changed."""
    case = rank(big, player, version)
    statement = RANK_OF_PLAYER.on(regional(big), board=1)
    return case._replace(statement=statement, rows=4_000, blocks=6_000, sorted=1_000)


def window_in_region(big: BigSeason, player: str, version: Version) -> Case:
    case = window(big, player, version)
    statement = NEIGHBOURS.on(regional(big), board=1)
    return case._replace(statement=statement, rows=9_000, blocks=12_000, sorted=2_000)


def displays(big: BigSeason) -> Case:
    players = [f"player-{number}" for number in range(1, 200_000, 2_000)]
    asked = {"player_ids": players, "scores": [1] * len(players), "version": big.current}
    statement = DISPLAYS.literal(**big.season.literals)
    return Case(statement, asked, rows=101, blocks=800, sorted=100)


def rank_unless_changed(big: BigSeason, player: str, version: Version) -> Case:
    statement = unless_changed(big.season).literal(**big.season.literals, board=0)
    return rank(big, player, version)._replace(statement=statement)


def ranks(big: BigSeason, version: Version) -> Case:
    players = [f"player-{number}" for number in range(1, 200_000, 2_000)]
    asked = {"player_ids": players, "version": version(big)}
    statement = LOOKUP.on(big.season, board=0)
    return Case(statement, asked, rows=450, blocks=1_500, sorted=100)


def friends(big: BigSeason, version: Version) -> Case:
    """A player with a hundred friends: for each what a rank of one player reads."""
    asked = {"player_id": "player-7", "version": version(big)}
    statement = FRIENDS.on(big.season, board=0)
    return Case(statement, asked, rows=450, blocks=1_700, sorted=101)


def rank_of_score(big: BigSeason, score: int, version: Version) -> Case:
    asked = {"score": score, "version": version(big), "tie_keys": TIED["shared"]}
    return Case(RANK_OF_SCORE.on(big.season, board=0), asked, rows=5, blocks=25)


def rank_of_score_in_region(big: BigSeason, score: int, version: Version) -> Case:
    """Twice a bucket of a thousand, and what later epochs changed in its range of scores."""
    case = rank_of_score(big, score, version)
    statement = RANK_OF_SCORE.on(regional(big), board=1)
    rows = 5_000 if version is now else 30_000
    return case._replace(statement=statement, rows=rows, blocks=rows, sorted=1_000)


def board_counts(big: BigSeason, version: Version) -> Case:
    """A row for each 32 buckets, of which there are 4,001."""
    asked = {"version": version(big)}
    statement = BOARD_COUNTS.literal(**big.season.literals, board=0)
    return Case(statement, asked, rows=130, blocks=200, sorted=126)


def ordered_counts(big: BigSeason, version: Version) -> Case:
    """A row for each boundary, of which there are some twenty, and for each 64 of them."""
    asked = {"version": version(big)}
    statement = ORDERED_COUNTS.literal(**big.season.literals, board=1)
    return Case(statement, asked, rows=40, blocks=40, sorted=30)


def scores_of_buckets(big: BigSeason, version: Version) -> Case:
    """Two buckets, and of each what later epochs changed in it."""
    asked = {
        "buckets": [0, 1],
        "scores": [9_999, 49_999],
        "tie_keys": [0, 0],
        "end_scores": [9_000, 40_000],
        "end_tie_keys": [0, 0],
        "version": version(big),
    }
    statement = SCORES_OF_BUCKETS.literal(**big.season.literals, board=1)
    return Case(statement, asked, rows=8_000, blocks=12_000, sorted=1_000)


def counts_of_buckets(big: BigSeason, version: Version) -> Case:
    """Two rows for each bucket that one of 200 ranges, or of ten percentiles, begins in."""
    buckets = list(range(0, 1_050, 5))
    counted = board_counts_of(big.season, version=version(big))
    assert counted is not None
    assert isinstance(counted.found_by, np.ndarray)
    asked = {
        "buckets": buckets,
        "versions": counted.found_by[buckets].tolist(),
        "version": version(big),
    }
    statement = COUNTS_OF_BUCKETS.literal(**big.season.literals, board=0)
    return Case(statement, asked, rows=421, blocks=2_000)


def bucket_bytes(big: BigSeason) -> Case:
    """Three rows for each of the versions that are kept and one bucket of ten."""
    asked = {"buckets": list(range(10)), "after": big.oldest, "version": big.current}
    statement = BUCKET_BYTES.literal(**big.season.literals, board=0)
    return Case(statement, asked, rows=30 * EPOCHS + 10, blocks=60 * EPOCHS + 60)


def window(big: BigSeason, player: str, version: Version) -> Case:
    asked = {"player_id": getattr(big, player), "radius": RADIUS}
    return of_window(big, NEIGHBOURS, asked, 2 * RADIUS + 1, version(big))


def unchanged(big: BigSeason, player: str, version: Version) -> Case:
    """It looks at the undo of each later epoch once, from one end of the window to the other."""
    case = window(big, player, version)
    return case._replace(statement=NEIGHBOURS_UNLESS_CHANGED.on(big.season, board=0), sorted=0)


def unchanged_in_region(big: BigSeason, player: str, version: Version) -> Case:
    case = window_in_region(big, player, version)
    return case._replace(statement=NEIGHBOURS_UNLESS_CHANGED.on(regional(big), board=1))


def page(big: BigSeason, statement: ByKind, depth: int, version: Version) -> Case:
    place = big.places[depth]
    asked = {"merit": -place.score, "tie_key": place.tie_key, "player_id": place.player_id}
    return of_window(big, statement, {**asked, "limit": LIMIT}, LIMIT + 1, version(big))


def of_window(
    big: BigSeason, statement: ByKind, asked: dict[str, object], players: int, version: int
) -> Case:
    """Bound what is read: two rows a player, and two looks at the undo of each later epoch."""
    epochs = sum(number > version for number in big.versions) + 2
    return Case(
        statement.on(big.season, board=0),
        {**asked, "version": version},
        rows=2 * players + 2 * epochs,
        blocks=3 * players + 8 * epochs + 30,
        sorted=2 * players + epochs,
    )


def top(big: BigSeason, version: Version) -> Case:
    asked = {"version": version(big), "board": 0}
    return Case(TOP.literal(**big.season.literals), asked, rows=4, blocks=20)


def changes(big: BigSeason, after: Version, partitions: int = 1) -> Case:
    """A change costs one look at the versions' numbers; of a partition, others are passed over."""
    asked = {
        "epoch": after(big),
        "id": 0,
        "current": big.current,
        "limit": CHANGES_ASKED,
        "partition": partitions - 1,
        "partitions": partitions,
    }
    rows = (1 + 2 * partitions) * CHANGES_ASKED
    return Case(CHANGES.literal(**big.season.literals), asked, rows=rows, blocks=2 * rows)


def published(big: BigSeason, slugs: Sequence[str]) -> Case:
    count = len(slugs)
    return Case(PUBLISHED, {"slugs": slugs}, rows=6 * count, blocks=20 * count)


def oldest_publication(big: BigSeason) -> Case:
    statement = OLDEST_PUBLICATION.literal(**big.season.literals)
    return Case(statement, {}, rows=1, blocks=6)


def players_corrected(big: BigSeason) -> Case:
    statement = PLAYERS_CORRECTED.literal(**big.season.literals)
    asked = {"old": big.versions[-2], "new": big.current, "limit": 1_000}
    return Case(
        statement,
        asked,
        rows=CHANGES_OF_A_VERSION,
        blocks=CHANGES_OF_A_VERSION,
        sorted=CHANGES_OF_A_VERSION,
    )


AGES: dict[str, Version] = {"now": now, "long ago": long_ago}
PLAYERS = ("first", "last", "in_tie", "changed_most")

READS: Cases = {
    "rank_of_player": {
        f"{player} {age}": partial(rank, player=player, version=version)
        for player in PLAYERS
        for age, version in AGES.items()
    },
    "rank_unless_changed": {
        f"{player} {age}": partial(rank_unless_changed, player=player, version=version)
        for player in PLAYERS
        for age, version in AGES.items()
    },
    "rank_by_order": {
        age: partial(rank_in_region, player="first", version=version)
        for age, version in AGES.items()
    },
    "highest_by_order": {
        **{
            age: partial(window_in_region, player="first", version=version)
            for age, version in AGES.items()
        },
        "unchanged": partial(unchanged_in_region, player="first", version=now),
    },
    "score_by_order": {
        f"{score} {age}": partial(rank_of_score_in_region, score=score, version=version)
        for score in (0, 50_000, 1_000_000)
        for age, version in AGES.items()
    },
    "score_by_count": {"": partial(rank_of_score, score=50_000, version=long_ago)},
    "rank_by_count": {"": partial(rank, player="last", version=long_ago)},
    "highest_by_count": {"": partial(window, player="last", version=long_ago)},
    "displays": {"": displays},
    "lookup": {age: partial(ranks, version=version) for age, version in AGES.items()},
    "friends": {age: partial(friends, version=version) for age, version in AGES.items()},
    "rank_of_score": {
        f"{score} {age}": partial(rank_of_score, score=score, version=version)
        for score in (0, 50_000, 1_000_000)
        for age, version in AGES.items()
    },
    "board_counts": {age: partial(board_counts, version=version) for age, version in AGES.items()},
    "ordered_counts": {
        age: partial(ordered_counts, version=version) for age, version in AGES.items()
    },
    "scores_of_buckets": {
        age: partial(scores_of_buckets, version=version) for age, version in AGES.items()
    },
    "bucket_bytes": {"": bucket_bytes},
    "counts_of_buckets": {
        age: partial(counts_of_buckets, version=version) for age, version in AGES.items()
    },
    "neighbours": {
        f"{player} {age}": partial(window, player=player, version=version)
        for player in PLAYERS
        for age, version in AGES.items()
    },
    "neighbours_unless_changed": {
        f"{player} {age}": partial(unchanged, player=player, version=version)
        for player in PLAYERS
        for age, version in AGES.items()
    },
    "players_after": {
        f"{depth} {age}": partial(page, statement=PLAYERS_AFTER, depth=depth, version=version)
        for depth in DEPTHS
        for age, version in AGES.items()
    },
    "players_before": {
        f"{depth} {age}": partial(page, statement=PLAYERS_BEFORE, depth=depth, version=version)
        for depth in DEPTHS
        for age, version in AGES.items()
    },
    "top": {age: partial(top, version=version) for age, version in AGES.items()},
    "changes": {
        "from the start": partial(changes, after=lambda big: 0),
        "long ago": partial(changes, after=long_ago),
        "last": partial(changes, after=lambda big: big.versions[-2]),
        "of a partition": partial(changes, after=long_ago, partitions=16),
    },
    "players_corrected": {"": players_corrected},
    "oldest_publication": {"": oldest_publication},
    "published": {
        "one": partial(published, slugs=[SLUG]),
        "a page": partial(published, slugs=[f"old-{number}" for number in range(100)]),
    },
}
