"""The same questions to the boards in use and to those that were made: the answers are equal."""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from config.errors import NoPublishedVersion
from leaderboard.models import Rebuild, Version
from leaderboard.operations.rebuild.catch_up import catch_up_again
from leaderboard.operations.rebuild.compare import seen_as
from leaderboard.operations.rebuild.refusals import Differs
from leaderboard.operations.rebuild.work import Work, old_is_trusted
from leaderboard.queries.neighbours import neighbours
from leaderboard.queries.published import Published, published
from leaderboard.queries.rank_of_player import rank_of_player
from leaderboard.queries.rebuilt import players_all_over
from leaderboard.rules import GLOBAL_BOARD
from scores.steps.rebuilding import refilling

# Each is asked about twice: the rank and the window around it.
PLAYERS = 5_000
PLAYERS_OF_REGIONS = 2_000
RADIUS = 10
TOLD_EVERY = 100
MOST_NAMED = 5
NOT_SHADOWED = "skipped: the boards in use are lost or known to be wrong"


class Answers(NamedTuple):
    """What the boards of one namespace say of a player."""

    score: object
    rank: object
    window: object


class Chosen(NamedTuple):
    """Who is asked about on which board, and how many of them were asked for lately."""

    players: list[tuple[int, str]]
    asked_lately: int


def shadow(work: Work) -> None:
    """
    Ask 10,000 questions of both, about 5,000 players, or about everybody where fewer are.

    Half of the players were asked for lately, as far as that is known; the others come from
    all over the board. The boards of regions are asked about 2,000 more. Raises Differs at any
    difference in score, rank or window.
    """
    catch_up_again(work)
    trusted = old_is_trusted(work)
    shadowed = _shadow(work) if trusted else {"skipped": NOT_SHADOWED}
    report = {**work.rebuild.report, "shadowed": shadowed}
    Rebuild.objects.filter(id=work.rebuild.id).update(report=report)
    if shadowed.get("first"):
        counted = ", ".join(f"{kind} {shadowed[kind]}" for kind in Answers._fields)
        named = ", ".join(shadowed["first"])
        raise Differs(f"The answers differ ({counted}), first for {named}.")
    with refilling():
        work.hold.finish(phase="shadowed")


def _shadow(work: Work) -> dict[str, Any]:
    made, replaced, _ = work.namespaces
    version = Version.objects.filter(namespace=made).latest("number")
    work.hold.lease(work.season.id, version.number)
    season = published(work.season.slug)
    ours, theirs = (seen_as(season, namespace, version) for namespace in (made, replaced))
    chosen = _chosen(work, version)
    differences = Counter(dict.fromkeys(Answers._fields, 0))
    first: list[str] = []
    for number, (board, player_id) in enumerate(chosen.players):
        if number % TOLD_EVERY == 0:
            work.hold.tell("shadow", number, len(chosen.players))
        answers = [_answers(season, board, player_id) for season in (ours, theirs)]
        wrong = list(_differing(*answers))
        differences.update(wrong)
        if wrong and len(first) < MOST_NAMED:
            first.append(player_id)
    return {
        "version": version.number,
        "questions": 2 * len(chosen.players),
        "players": len(chosen.players),
        "asked_lately": chosen.asked_lately,
        **differences,
        "first": first,
    }


def _chosen(work: Work, version: Version) -> Chosen:
    everybody = players_all_over(work.namespaces.made, version, GLOBAL_BOARD, PLAYERS)
    lately = list(dict.fromkeys(work.asked_lately))[: PLAYERS // 2]
    met = set(lately)
    others = [player_id for player_id in everybody if player_id not in met]
    players = [*lately, *_spread(others, PLAYERS - len(lately))]
    asked = [(GLOBAL_BOARD, player_id) for player_id in players]
    return Chosen([*asked, *_of_regions(work, version)], len(lately))


def _of_regions(work: Work, version: Version) -> Iterator[tuple[int, str]]:
    boards = range(GLOBAL_BOARD + 1, len(version.members))
    for board in boards:
        wanted = PLAYERS_OF_REGIONS // len(boards)
        everybody = players_all_over(work.namespaces.made, version, board, wanted)
        for player_id in _spread(everybody, wanted):
            yield board, player_id


def _spread(players: list[str], wanted: int) -> list[str]:
    """Choose so many players, evenly from the first to the last."""
    if len(players) <= wanted:
        return players
    return [players[turn * len(players) // wanted] for turn in range(wanted)]


def _answers(season: Published, board: int, player_id: str) -> Answers:
    assert season.number is not None
    at: dict[str, Any] = {"version": season.number, "board": board}
    try:
        found = rank_of_player(season, player_id, **at)
        window = neighbours(season, player_id, radius=RADIUS, **at)
    except NoPublishedVersion:
        return Answers("none", "none", "none")
    # When a version was replaced belongs to its namespace; all else must be equal.
    return Answers(
        found and (found.score, found.tie_key),
        found and (found.rank, found.members),
        window and window[1:],
    )


def _differing(ours: Answers, theirs: Answers) -> Iterator[str]:
    for kind in Answers._fields:
        if getattr(ours, kind) != getattr(theirs, kind):
            yield kind
