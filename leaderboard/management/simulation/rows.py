"""Rows of a reply against the rows that the model has, and what a difference means. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.model import Board

Json = dict[str, Any]
Row = tuple[int, str, int]


def misshapen(entries: Sequence[Json], members: frozenset[str], where: str) -> Iterator[Finding]:
    """Return a finding for the first row that lacks members or has others."""
    for entry in entries:
        if entry.keys() != members:
            yield Finding("shape", f"{where}: a row has members {sorted(entry)}")
            return


def compare_rows(
    entries: Sequence[Json], expected: list[Row], board: Board, where: str
) -> Iterator[Finding]:
    """Return what is wrong with rows that should be exactly the expected ones."""
    got = [(entry["rank"], entry["player_id"], entry["score"]) for entry in entries]
    if got == expected:
        return
    found = [
        *_repeated(got, where),
        *_torn_ties(got, where),
        *(finding for row in got for finding in judge_row(row, board, where)),
    ]
    yield from found or [Finding("window", _unlike(got, expected, where))]


def judge_row(row: Row, board: Board, where: str) -> Iterator[Finding]:
    """Return what is wrong with one row by itself."""
    rank, player, score = row
    if board.score(player) != score:
        yield judge_score(player, score, board, where)
    elif rank != board.standings.rank(score):
        yield Finding(
            "rank",
            f"{where}: {player} with {score} has rank {rank}, and "
            f"{board.standings.rank(score) - 1} players have more",
        )


def judge_score(player: str, score: int | None, board: Board, where: str) -> Finding:
    """
    Return the kind of a score (None: not shown) that the player does not have at this version.

    Before an accepted event is a lost event, before a move a lost move; after one to come is a
    later version. Somebody who plays for another region is on its board.
    """
    true, last = board.score(player), board.last_change(player)
    for later in board.later_changes(player):
        if later.after(board.region) == score:
            text = f"{where}: {player} has {score}, which {later.event_id} makes later only"
            return Finding("later_version", text)
    if last is not None and last.before(board.region) == score:
        text = (
            f"{where}: {player} is shown with {score}, but {last.event_id} made it "
            f"{last.after(board.region)}, visible from {last.version} on"
        )
        return Finding("lost_move" if last.is_move else "lost_event", text)
    if score is not None and (elsewhere := board.elsewhere(player)):
        text = f"{where}: {player} is shown with {score}, and on the board of {elsewhere}"
        return Finding("two_regions", text)
    kind = "missing_player" if score is None else "extra_player" if true is None else "score"
    return Finding(kind, f"{where}: {player} is shown with {score} and has {true}")


def compare_positions(
    entries: Sequence[Json], start: int, where: str, *, counted: bool | None
) -> Iterator[Finding]:
    """
    Return a finding for the first position that is wrong.

    `counted` None allows null, False demands it.
    """
    for place, entry in enumerate(entries, start + 1):
        position = entry["position"]
        if position is None and counted is not True:
            continue
        if position != place or counted is False:
            yield Finding("position", f"{where}: {entry['player_id']} has {position}, is {place}")
            return


def _repeated(got: list[Row], where: str) -> Iterator[Finding]:
    for player, count in Counter(row[1] for row in got).items():
        if count > 1:
            yield Finding("duplicated_row", f"{where}: {player} occurs {count} times")


def _torn_ties(got: list[Row], where: str) -> Iterator[Finding]:
    for above, below in pairwise(got):
        if above[2] == below[2] and above[0] != below[0]:
            yield Finding(
                "tie_rank",
                f"{where}: {above[1]} and {below[1]} both have {above[2]}, ranks {above[0]} "
                f"and {below[0]}",
            )
            return


def _unlike(got: list[Row], expected: list[Row], where: str) -> str:
    missing = [row[1] for row in expected if row not in got]
    more = [row[1] for row in got if row not in expected]
    if not missing and not more:
        return f"{where}: the right rows in another order"
    return f"{where}: rows of {missing[:3]} missing, of {more[:3]} too many"
