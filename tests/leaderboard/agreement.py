"""Whether every read of a version agrees with a board in plain Python."""

import itertools
from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from leaderboard import queries, rules
from leaderboard.models import Version
from leaderboard.queries import Entry, Place, Published
from leaderboard.queries.publication import bucket_members, latest_buckets, prefixes
from leaderboard.rules import BucketLayout
from tests.oracle import Board, display_order

Row = tuple[int, str, int]
PERCENTILES = (1, 5, 33, 50, 90, 99, 100)


def rows(entries: Iterable[Entry]) -> list[Row]:
    """Return (rank, player, score) of entries."""
    return [(entry.rank, entry.player_id, entry.score) for entry in entries]


def require_board(
    season: Published,
    version: int,
    board: Board,
    players: Iterable[str],
    limits: Iterable[int] = (1, 3, 50),
) -> None:
    """Read a version in every way and compare it with the board it must be."""
    ordered = display_order(board)
    everyone = sorted({*players, *board})
    require_counts(season, version, board)
    require_ranks(season, version, ordered, everyone)
    require_top(season, version, ordered)
    require_lookup(season, version, ordered, everyone)
    require_ranks_of_scores(season, version, sorted(board.values()))
    require_distribution(season, version, sorted(board.values()))
    for limit in limits:
        require_neighbours(season, version, ordered, everyone, limit)
        require_pages(season, version, ordered, limit)
        require_around(season, version, ordered, everyone, limit)


def require_gone(season: Published, version: int, player_id: str) -> None:
    """No read answers for a version that is not there."""
    assert queries.rank_of_player(season, player_id, version=version) is None
    assert queries.neighbours(season, player_id, version=version, radius=3) is None
    assert queries.top(season, version=version, limit=3) is None
    assert queries.lookup(season, [player_id], version=version) is None
    assert queries.friends(season, player_id, version=version) is None
    assert queries.rank_of_score(season, season.score_min, version=version) is None
    assert queries.distribution(season, ranges=3, percentiles=[50], version=version) is None
    assert queries.players_after(season, None, version=version, limit=3) is None
    assert queries.players_before(season, Place(0), version=version, limit=3) is None
    assert queries.players_around(season, player_id, version=version, limit=3) is None


def require_counts(season: Published, version: int, board: Board) -> None:
    """The version's totals, and the counts of its buckets, are those of the board."""
    stored = Version.objects.get(namespace=season.namespace, number=version)
    assert stored.members == [len(board)]
    assert stored.score_sums == [sum(board.values())]
    layout = rules.layout_for(season.score_min, season.score_max)
    counts = np.zeros((layout.buckets, layout.bucket_width), dtype=np.int64)
    for score in board.values():
        counts[divmod(score - layout.lower_score, layout.bucket_width)] += 1
    assert _stored_counts(season, version, layout).tolist() == counts.tolist()
    above = prefixes(season.namespace, 0, version).above
    assert above.tolist() == [int(counts[bucket + 1 :].sum()) for bucket in range(len(counts))]


def require_ranks(
    season: Published, version: int, ordered: list[Row], players: Iterable[str]
) -> None:
    """Each player has the rank of the board; those who are not on it have none."""
    of_player = {player_id: (rank, score) for rank, player_id, score in ordered}
    for player_id in players:
        found = queries.rank_of_player(season, player_id, version=version)
        assert found is not None
        assert found.members == [len(ordered)]
        assert (found.rank, found.score) == of_player.get(player_id, (None, None))


def require_top(season: Published, version: int, ordered: list[Row]) -> None:
    """The top is the beginning of the board."""
    for limit in (1, 2, 100):
        top = queries.top(season, version=version, limit=limit)
        assert top is not None
        assert top.header.members == [len(ordered)]
        assert rows(top.entries) == ordered[:limit]


def require_lookup(
    season: Published, version: int, ordered: list[Row], players: list[str]
) -> None:
    """A look-up finds those on the board, each once."""
    asked = [*players, *players[:1]]
    found = queries.lookup(season, asked, version=version)
    assert found is not None
    assert rows(found.entries) == [row for row in ordered if row[1] in asked]


def require_ranks_of_scores(season: Published, version: int, scores: list[int]) -> None:
    """A score has the rank that counting who is better gives it."""
    for score in {season.score_min, season.score_max, *scores, *(one + 1 for one in scores)}:
        if score <= season.score_max:
            found = queries.rank_of_score(season, score, version=version)
            assert found is not None
            more, less = (sum(one > score for one in scores), sum(one < score for one in scores))
            above, below = (more, less) if season.order == "desc" else (less, more)
            assert (found.rank, found.below) == (1 + above, below)
            assert found.tied == scores.count(score)


def require_distribution(
    season: Published, version: int, scores: list[int], board: int = 0
) -> None:
    """Ranges of scores have the players that counting finds, and percentiles their scores."""
    for ranges in (1, 7, 200):
        found = queries.distribution(
            season, ranges=ranges, percentiles=PERCENTILES, version=version, board=board
        )
        assert found is not None
        assert found.header.members[board] == len(scores)
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


def have_or_less(scores: list[int], score: int) -> Fraction:
    """Return the share of the players who have a score or less."""
    return Fraction(sum(one <= score for one in scores), len(scores))


def require_neighbours(
    season: Published, version: int, ordered: list[Row], players: Iterable[str], radius: int
) -> None:
    """Each player's neighbours are the rows around the player's own."""
    place_of = {row[1]: place for place, row in enumerate(ordered)}
    for player_id in players:
        found = queries.neighbours(season, player_id, version=version, radius=radius)
        assert found is not None
        assert found.header.members == [len(ordered)]
        place = place_of.get(player_id)
        if place is None:
            assert found[1:] == ([], None, [])
            continue
        assert found.player is not None
        assert rows([found.player]) == [ordered[place]]
        assert rows(found.above) == ordered[max(0, place - radius) : place]
        assert rows(found.below) == ordered[place + 1 : place + 1 + radius]


def require_pages(season: Published, version: int, ordered: list[Row], limit: int) -> None:
    """Pages from the top have every row once, and those backwards are their mirror."""
    place, there = None, []
    while True:
        page = queries.players_after(season, place, version=version, limit=limit)
        assert page is not None
        assert page.header.members == [len(ordered)]
        there.append(page.entries)
        if not page.more_after:
            break
        place = _place(page.entries[-1])
    assert [row for entries in there for row in rows(entries)] == ordered
    assert all(len(entries) == limit for entries in there[:-1])
    for earlier, later in itertools.pairwise(there):
        back = queries.players_before(season, _place(later[0]), version=version, limit=limit)
        assert back is not None
        assert back.entries == earlier
        assert back.more_before == (earlier is not there[0])


def require_around(
    season: Published, version: int, ordered: list[Row], players: Iterable[str], limit: int
) -> None:
    """A page around a player is a whole page with the player as near to its middle as can be."""
    for player_id in players:
        page = queries.players_around(season, player_id, version=version, limit=limit)
        assert page is not None
        place = next((at for at, row in enumerate(ordered) if row[1] == player_id), None)
        if place is None:
            assert page.entries == []
            continue
        first = max(0, min(place - limit // 2, len(ordered) - limit))
        assert rows(page.entries) == ordered[first : first + limit]
        assert page.more_before == (first > 0)
        assert page.more_after == (first + limit < len(ordered))


def _place(entry: Entry) -> Place:
    return Place(entry.score, entry.tie_key, entry.player_id)


def _stored_counts(season: Published, version: int, layout: BucketLayout) -> rules.Counts:
    namespace = season.namespace
    members = bucket_members(namespace, 0, version, layout.buckets).members
    counts = np.zeros((layout.buckets, layout.bucket_width), dtype=np.int64)
    for row in latest_buckets(namespace, 0, version, list(range(layout.buckets))):
        above = rules.decoded_above(row.above, row.members)[None, :]
        assert row.members == members[row.bucket]
        counts[row.bucket] = rules.counts_of_above(above, members[row.bucket][None])[0]
    assert counts.sum(axis=1).tolist() == members.tolist()
    return counts
