"""Whether every read of a version agrees with its boards in plain Python."""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from leaderboard import queries, rules
from leaderboard.models import Version
from leaderboard.queries import Entry, Place, Published, RankOfPlayer
from leaderboard.queries.publication import bucket_members, latest_buckets, prefixes
from leaderboard.rules import BucketLayout
from tests.oracle import TIMELESS, Board, Oracle, Pending, Row, Standing, in_order

PERCENTILES = (1, 5, 33, 50, 90, 99, 100)
RANGES = (1, 7, 200)
LIMITS = (1, 3, 50)


class Read(NamedTuple):
    """A board of a version, and how its rows are read."""

    season: Published
    version: int
    region: str | None = None

    @property
    def at(self) -> dict[str, Any]:
        """Return the arguments of a query that name version and board."""
        return {"version": self.version, "board": self.board}

    @property
    def board(self) -> int:
        """Return the number of the board."""
        return 0 if self.region is None else self.season.regions.index(self.region) + 1

    def merit(self, score: int) -> int:
        """Return what is stored in place of a score, and the reverse: more is better."""
        season = self.season
        return score if season.order == "desc" else season.score_min + season.score_max - score

    def rows(self, entries: Iterable[Entry]) -> list[Row]:
        """Return entries as people see them."""
        return [
            Row(entry.rank, entry.player_id, self.merit(entry.score), entry.tie_key)
            for entry in entries
        ]


def rows(entries: Iterable[Entry]) -> list[tuple[int, str, int]]:
    """Return (rank, player, score) of entries."""
    return [(entry.rank, entry.player_id, entry.score) for entry in entries]


def require_version(
    season: Published,
    version: int,
    oracle: Oracle,
    players: Iterable[str],
    limits: Iterable[int] = LIMITS,
) -> None:
    """Read every board of a version in every way and compare each with what it must be."""
    everyone = sorted(players)
    boards = {region: oracle.board_at(version, region) for region in (None, *season.regions)}
    merit = Read(season, version).merit
    require_totals(
        season,
        version,
        [[merit(one.score) for one in board.values()] for board in boards.values()],
    )
    for region, board in boards.items():
        read = Read(season, version, region)
        require_reads(read, board, everyone, limits, oracle)
        for player_id in {*oracle.friends, *everyone[-1:]}:
            require_friends(read, oracle, player_id, board)


def require_board(
    season: Published,
    version: int,
    board: Board,
    players: Iterable[str],
    limits: Iterable[int] = LIMITS,
) -> None:
    """Read a version of a season with shared ties in every way and compare it with its board."""
    require_totals(season, version, [list(board.values())])
    shown = {player_id: Standing(score) for player_id, score in board.items()}
    require_reads(Read(season, version), shown, sorted({*players, *board}), limits)


def require_reads(
    read: Read,
    board: Mapping[str, Standing],
    players: Sequence[str],
    limits: Iterable[int] = LIMITS,
    oracle: Oracle | None = None,
) -> None:
    """Read a board in every way and compare it with what it must be."""
    ordered = in_order(board, read.season.order)
    require_ranks(read, ordered, players, oracle)
    require_top(read, ordered)
    require_lookup(read, ordered, players)
    require_ranks_of_scores(read, ordered)
    require_distribution(read, sorted(row.score for row in ordered))
    for limit in limits:
        require_neighbours(read, ordered, players, limit)
        require_pages(read, ordered, limit)
        require_around(read, ordered, players, limit)


def require_gone(season: Published, version: int, player_id: str) -> None:
    """No read answers for a version that is not there."""
    for region in (None, *season.regions):
        read = Read(season, version, region)
        asked = read.at
        assert queries.rank_of_player(season, player_id, **asked) is None
        assert queries.neighbours(season, player_id, radius=3, **asked) is None
        assert queries.top(season, limit=3, **asked) is None
        assert queries.lookup(season, [player_id], **asked) is None
        assert queries.friends(season, player_id, **asked) is None
        assert queries.rank_of_score(season, season.score_min, **asked) is None
        assert queries.distribution(season, ranges=3, percentiles=[50], **asked) is None
        assert queries.players_after(season, None, limit=3, **asked) is None
        assert queries.players_before(season, Place(0), limit=3, **asked) is None
        assert queries.players_around(season, player_id, limit=3, **asked) is None


def require_totals(season: Published, version: int, merits: Sequence[Collection[int]]) -> None:
    """The version's totals, and the counts of its buckets, are those of its boards."""
    stored = Version.objects.get(namespace=season.namespace, number=version)
    assert stored.members == list(map(len, merits))
    assert stored.score_sums == list(map(sum, merits))
    if season.is_counted(0):
        require_counts(season, version, merits[0])


def require_counts(season: Published, version: int, merits: Iterable[int]) -> None:
    """The counts of a global board's buckets are those that counting gives."""
    layout = rules.layout_for(season.score_min, season.score_max)
    counts = np.zeros((layout.buckets, layout.bucket_width), dtype=np.int64)
    for merit in merits:
        counts[divmod(merit - layout.lower_score, layout.bucket_width)] += 1
    assert _stored_counts(season, version, layout).tolist() == counts.tolist()
    above = prefixes(season.namespace, 0, version).above
    assert above.tolist() == [int(counts[bucket + 1 :].sum()) for bucket in range(len(counts))]


def require_ranks(
    read: Read, ordered: Sequence[Row], players: Iterable[str], oracle: Oracle | None
) -> None:
    """
    Each player has the rank of the board, those who are not on it none.

    Beside it stands what is accepted of the player and not in the version, if an oracle knows.
    """
    of_player = {row.player_id: row for row in ordered}
    for player_id in players:
        found = queries.rank_of_player(read.season, player_id, **read.at)
        assert found is not None
        assert found.members[read.board] == len(ordered)
        row = of_player.get(player_id)
        if row is None:
            assert (found.rank, found.score) == (None, None)
        else:
            merit = read.merit(row.score)
            assert (found.rank, found.score, found.tie_key) == (row.rank, merit, row.tie_key)
        if oracle is not None:
            require_pending(read, oracle.pending(player_id, read.version, read.region), found)


def require_pending(read: Read, pending: Pending | None, found: RankOfPlayer) -> None:
    """What is accepted of a player and not in the version is what the oracle says."""
    assert found.is_pending == (pending is not None)
    if pending is not None:
        merit = None if pending.score is None else read.merit(pending.score)
        accepted = (found.accepted_score, found.accepted_version, found.accepted_epoch)
        assert accepted == (merit, *pending[1:])


def require_friends(
    read: Read, oracle: Oracle, player_id: str, board: Mapping[str, Standing]
) -> None:
    """A player and the friends of now stand where they stand on the board."""
    found = queries.friends(read.season, player_id, **read.at)
    assert found is not None
    stored = oracle.friends.get(player_id)
    assert found.friends_version == (stored and stored.friends_version)
    group = {player_id, *(stored.friend_ids if stored else [])}
    ordered = in_order(board, read.season.order)
    assert read.rows(found.entries) == [row for row in ordered if row.player_id in group]
    assert found.missing == sorted(group - set(board))


def require_top(read: Read, ordered: Sequence[Row]) -> None:
    """The top is the beginning of the board."""
    for limit in (2, 100):
        top = queries.top(read.season, limit=limit, **read.at)
        assert top is not None
        assert top.header.members[read.board] == len(ordered)
        assert read.rows(top.entries) == ordered[:limit]


def require_lookup(read: Read, ordered: Sequence[Row], players: Sequence[str]) -> None:
    """A look-up finds those on the board, each once."""
    asked = [*players, *players[:1]]
    found = queries.lookup(read.season, asked, **read.at)
    assert found is not None
    assert read.rows(found.entries) == [row for row in ordered if row.player_id in asked]


def require_ranks_of_scores(read: Read, ordered: Sequence[Row]) -> None:
    """
    A score has the rank that counting who is better gives it.

    Where ties go by time, whoever achieves it now stands behind all who have it since a time,
    before those of whom nobody knows, and shares a rank with none.
    """
    season, scores = read.season, {row.score for row in ordered}
    near = {season.score_min, season.score_max, *scores, *(one + 1 for one in scores)}
    for score in sorted(near - {season.score_max + 1}):
        found = queries.rank_of_score(season, score, **read.at)
        assert found is not None
        above = sum(is_above(season, row, score) for row in ordered)
        tied = sum(row.score == score for row in ordered) if season.tie_rule == "shared" else 0
        assert (found.rank, found.tied) == (1 + above, tied)
        assert found.below == len(ordered) - above - tied


def is_above(season: Published, row: Row, score: int) -> bool:
    """Return whether a player stands before one who achieves a score now."""
    if row.score == score:
        return season.tie_rule == "earliest" and row.tie_key != TIMELESS
    return row.score < score if season.order == "asc" else row.score > score


def require_distribution(read: Read, scores: Sequence[int]) -> None:
    """Ranges of scores have the players that counting finds, and percentiles their scores."""
    season = read.season
    for ranges in (RANGES[read.version % len(RANGES)], 3):
        found = queries.distribution(season, ranges=ranges, percentiles=PERCENTILES, **read.at)
        assert found is not None
        assert found.header.members[read.board] == len(scores)
        firsts = [counted.lowest for counted in found.ranges]
        assert firsts[0] == season.score_min
        assert [counted.highest + 1 for counted in found.ranges] == [
            *firsts[1:],
            season.score_max + 1,
        ]
        for lowest, highest, players in found.ranges:
            assert players == sum(lowest <= score <= highest for score in scores)
        for share, found_score in found.percentiles.items():
            enough = [one for one in scores if have_or_less(scores, one) * 100 >= share]
            assert found_score == (enough[0] if scores else None)


def have_or_less(scores: Sequence[int], score: int) -> Fraction:
    """Return the share of the players who have a score or less."""
    return Fraction(sum(one <= score for one in scores), len(scores))


def require_neighbours(
    read: Read, ordered: Sequence[Row], players: Iterable[str], radius: int
) -> None:
    """Each player's neighbours are the rows around the player's own."""
    place_of = {row.player_id: place for place, row in enumerate(ordered)}
    for player_id in players:
        found = queries.neighbours(read.season, player_id, radius=radius, **read.at)
        assert found is not None
        assert found.header.members[read.board] == len(ordered)
        place = place_of.get(player_id)
        if place is None:
            assert found[1:] == ([], None, [])
            continue
        assert found.player is not None
        assert read.rows([found.player]) == [ordered[place]]
        assert read.rows(found.above) == ordered[max(0, place - radius) : place]
        assert read.rows(found.below) == ordered[place + 1 : place + 1 + radius]


def require_pages(read: Read, ordered: Sequence[Row], limit: int) -> None:
    """Pages from the top have every row once, and those backwards are their mirror."""
    place, there = None, list[list[Entry]]()
    while True:
        page = queries.players_after(read.season, place, limit=limit, **read.at)
        assert page is not None
        assert page.header.members[read.board] == len(ordered)
        there.append(page.entries)
        if not page.more_after:
            break
        place = _place(page.entries[-1])
    assert [row for entries in there for row in read.rows(entries)] == ordered
    assert all(len(entries) == limit for entries in there[:-1])
    for earlier, later in itertools.pairwise(there):
        back = queries.players_before(read.season, _place(later[0]), limit=limit, **read.at)
        assert back is not None
        assert back.entries == earlier
        assert back.more_before == (earlier is not there[0])


def require_around(read: Read, ordered: Sequence[Row], players: Iterable[str], limit: int) -> None:
    """A page around a player is a whole page with the player as near to its middle as can be."""
    for player_id in players:
        page = queries.players_around(read.season, player_id, limit=limit, **read.at)
        assert page is not None
        place = next((at for at, row in enumerate(ordered) if row.player_id == player_id), None)
        if place is None:
            assert page.entries == []
            continue
        first = max(0, min(place - limit // 2, len(ordered) - limit))
        assert read.rows(page.entries) == ordered[first : first + limit]
        assert page.more_before == (first > 0)
        assert page.more_after == (first + limit < len(ordered))


def _place(entry: Entry) -> Place:
    return Place(entry.score, entry.tie_key, entry.player_id)


def _stored_counts(season: Published, version: int, layout: BucketLayout) -> rules.Counts:
    namespace = season.namespace
    members = bucket_members(namespace, 0, version, layout.buckets).members
    counts = np.zeros((layout.buckets, layout.bucket_width), dtype=np.int64)
    for row in latest_buckets(namespace, 0, version, list(range(layout.buckets))):
        assert row.members == members[row.bucket]
        if not row.members:
            assert row.above == b""
            continue
        above = rules.decoded_above(row.above, row.members)[None, :]
        counts[row.bucket] = rules.counts_of_above(above, members[row.bucket][None])[0]
    assert counts.sum(axis=1).tolist() == members.tolist()
    entries = prefixes(namespace, 0, version).entries
    assert rules.are_whole(layout, entries)
    gains = rules.gains_of_entries(layout, entries)
    return counts + rules.gained_by_score(layout, gains, np.arange(layout.buckets))
