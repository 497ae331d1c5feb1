"""Seasons of every kind beside plain Python that says what each board shows."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from unittest.mock import patch

from leaderboard import queries
from leaderboard.queries import Entry, Place, Published, published
from leaderboard.rules import ordered
from scores.operations import set_friends, set_profiles
from scores.rules import Profile, friend_list
from tests.factories import apply, correct, event, make_season, publish, unused_slug
from tests.leaderboard.agreement import require_distribution

REGIONS = ("EU", "NA")
KINDS: dict[str, dict[str, Any]] = {
    "regions": {"regions": REGIONS, "score_max": 40},
    "earliest": {"tie_rule": "earliest", "score_max": 40},
    "earliest of regions": {"tie_rule": "earliest", "regions": REGIONS, "score_max": 8},
    "wide": {"score_max": 1_000_000_000},
    "latest": {"keep": "latest", "regions": REGIONS, "score_max": 40},
    "ascending": {"order": "asc", "regions": REGIONS, "score_min": 3, "score_max": 43},
    "earliest, latest, ascending": {
        "tie_rule": "earliest",
        "keep": "latest",
        "order": "asc",
        "score_max": 20,
    },
}
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ROUNDS = 6


class Standing(NamedTuple):
    """What a board shows of a player: the merit, what orders equal ones, and the region."""

    merit: int
    tie_key: int
    region: str | None

    @property
    def key(self) -> tuple[int, int]:
        return -self.merit, self.tie_key


class Model:
    """A season in plain Python, by its rules."""

    def __init__(self, season: Published, rng: random.Random) -> None:
        self.season = season
        self.rng = rng
        # Profiles are the same for all seasons: each season has players of its own.
        self.players = [f"{season.slug}-player-{number:02}" for number in range(40)]
        self.friends = [*self.players[1:20:3], "nobody"]
        self.shown: dict[str, Standing] = {}
        self.regions: dict[str, str | None] = {}
        self.numbers: dict[str, int] = {}
        self.versions: dict[int, dict[str, Standing]] = {}

    def play(self) -> None:
        """Let some players have results, one be corrected, and some move."""
        for player in self.rng.sample(self.players, 15):
            self.result(player)
        self.correct(self.rng.choice(sorted(self.shown)))
        if self.season.regions:
            self.move(self.rng.sample(self.players, 6))

    def correct(self, player: str) -> None:
        """Set a player's score, who keeps the time."""
        score = self.score()
        correct(self.season.slug, player, self.next_version(player), corrected_score=score)
        kept = self.shown[player].tie_key
        self.shown[player] = Standing(self.merit(score), kept, self.region(player))

    def result(self, player: str) -> None:
        score = self.score()
        completed_at = NOON + timedelta(seconds=self.rng.randrange(5))
        result = event(player, score, self.next_version(player), completed_at=completed_at)
        apply(self.season.slug, result)
        new = Standing(self.merit(score), self.tie_key(completed_at), self.region(player))
        old = self.shown.get(player)
        is_other = old is None or new.merit != old.merit
        if is_other and (old is None or self.season.keep == "latest" or new.merit > old.merit):
            self.shown[player] = new

    def move(self, players: list[str]) -> None:
        profiles = []
        for player in players:
            region = self.rng.choice([*REGIONS, "elsewhere", None])
            profiles.append(Profile(player, region, self.next_version(f"profile of {player}")))
            self.regions[player] = region
            if player in self.shown:
                standing = self.shown[player]
                self.shown[player] = standing._replace(region=self.region(player))
        set_profiles(profiles)

    def publish(self) -> None:
        version = publish(self.season.slug).version
        assert version is not None
        self.versions[version] = dict(self.shown)

    def board(self, version: int, region: str | None) -> list[tuple[str, Standing]]:
        shown = self.versions[version].items()
        mine = [(player, one) for player, one in shown if region in {None, one.region}]
        return sorted(mine, key=lambda item: (*item[1].key, item[0]))

    def score(self) -> int:
        low, high = self.season.score_min, self.season.score_max
        return self.rng.choice([low, high, self.rng.randint(low, min(high, low + 12))])

    def merit(self, score: int) -> int:
        if self.season.order == "desc":
            return score
        return self.season.score_min + self.season.score_max - score

    def tie_key(self, at: datetime) -> int:
        if self.season.tie_rule == "shared":
            return 0
        return int(at.timestamp()) * 1_000_000

    def region(self, player: str) -> str | None:
        region = self.regions.get(player)
        return region if region in self.season.regions else None

    def next_version(self, player: str) -> int:
        self.numbers[player] = self.numbers.get(player, 0) + 1
        return self.numbers[player]


@contextmanager
def small_buckets() -> Iterator[None]:
    """Let buckets be so small that they are split again and again."""
    with (
        patch.object(ordered, "SPLIT_ABOVE", 5),
        patch.object(ordered, "BUCKET_SIZE", 2),
        patch("leaderboard.queries.ordered.BUCKET_SIZE", 2),
        patch.object(ordered, "FIRST_BUCKETS", 3),
    ):
        yield


def play(kind: str, rounds: int = ROUNDS) -> Model:
    """Return a season of a kind in which some rounds were played and published, one not."""
    times = {"starts_at": NOON - timedelta(days=1), "cutoff_at": datetime.now(UTC) + timedelta(1)}
    season = make_season(unused_slug(), **times, **KINDS[kind])
    played = Model(published(season.slug), random.Random(kind))
    set_friends(friend_list(played.players[0], played.friends, 1))
    if season.regions:
        played.move(played.players)
    for _ in range(rounds):
        played.play()
        played.publish()
    played.play()
    return played


def require_board(model: Model, version: int, region: str | None) -> None:
    season = published(model.season.slug)
    board = season.board_of(region)
    expected = _entries(model, version, region)
    at: dict[str, Any] = {"version": version, "board": board}
    top = queries.top(season, limit=100, **at)
    assert top is not None
    assert top.entries == expected[:100]
    assert top.header.members[board] == len(expected)
    for player in model.players:
        own = next((entry for entry in expected if entry.player_id == player), None)
        _require_player(season, at, player, own, expected)
    found = queries.lookup(season, model.players, **at)
    assert found is not None
    assert found.entries == expected
    _require_friends(season, at, model, expected)
    _require_pages(season, at, expected)
    scores = sorted(season.scores.turned(entry.score) for entry in expected)
    _require_ranks_of_scores(season, at, scores)
    require_distribution(season, version, scores, board=board)


def _require_player(
    season: Published,
    at: dict[str, Any],
    player: str,
    own: Entry | None,
    expected: list[Entry],
) -> None:
    rank = queries.rank_of_player(season, player, **at)
    assert rank is not None
    around = queries.neighbours(season, player, radius=3, **at)
    assert around is not None
    if own is None:
        assert rank.score is None
        assert around.player is None
        return
    assert (rank.rank, rank.score, rank.tie_key) == (own.rank, own.score, own.tie_key)
    place = expected.index(own)
    assert around.above == expected[max(0, place - 3) : place]
    assert around.player == own
    assert around.below == expected[place + 1 : place + 4]


def _require_friends(
    season: Published, at: dict[str, Any], model: Model, expected: list[Entry]
) -> None:
    found = queries.friends(season, model.players[0], **at)
    assert found is not None
    group = {model.players[0], *model.friends}
    assert found.entries == [entry for entry in expected if entry.player_id in group]
    assert found.missing == sorted(group - {entry.player_id for entry in expected})


def _require_ranks_of_scores(season: Published, at: dict[str, Any], scores: list[int]) -> None:
    """A score stands behind all better ones; where ties go by time, behind equal ones too."""
    lowest, highest = season.score_min, season.score_max
    near = {max(lowest, min(score + step, highest)) for score in scores for step in (-1, 0, 1)}
    for score in {lowest, highest, *near}:
        found = queries.rank_of_score(season, score, **at)
        assert found is not None
        higher, lower = (sum(one > score for one in scores), sum(one < score for one in scores))
        above, below = (higher, lower) if season.order == "desc" else (lower, higher)
        if season.tie_rule == "earliest":
            assert found[1:] == (above + scores.count(score), 0, below)
        else:
            assert found[1:] == (above, scores.count(score), below)
        assert found.rank == 1 + found.above


def _require_pages(season: Published, at: dict[str, Any], expected: list[Entry]) -> None:
    forth: list[Entry] = []
    place: Place | None = None
    for _ in range(len(expected) + 1):
        page = queries.players_after(season, place, limit=7, **at)
        assert page is not None
        forth += page.entries
        if not page.more_after:
            break
        last = page.entries[-1]
        place = Place(last.score, last.tie_key, last.player_id)
    assert forth == expected
    if expected:
        last = expected[-1]
        end = Place(last.score, last.tie_key, last.player_id)
        back = queries.players_before(season, end, limit=100, **at)
        assert back is not None
        assert back.entries == expected[:-1]


def _entries(model: Model, version: int, region: str | None) -> list[Entry]:
    board = model.board(version, region)
    keys = [standing.key for _, standing in board]
    return [
        Entry(1 + sum(key < one.key for key in keys), player, one.merit, one.tie_key)
        for player, one in board
    ]
