"""Players who move: on one board in any version, and each move once in the feed, in time."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.management.simulation.feed import Due, Feed, due_of
from leaderboard.management.simulation.model import Board, Change, Model
from leaderboard.management.simulation.moves import Move, Promises
from leaderboard.management.simulation.rows import judge_score
from leaderboard.management.simulation.sightings import Sightings
from leaderboard.management.simulation.timelines import Moment, Pending, pending_at
from tests.leaderboard.simulation.test_simulated_feed import Json, change

REGIONS = ("EU", "US")
NAMES = ("a", "b", "c")
# Who, the new score (None: off the board; MOVES: as it is), the region, and how many epochs later.
MOVES = -1
STEPS = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from((MOVES, MOVES, None, 1, 2, 3)),
    st.sampled_from((None, *REGIONS)),
    st.integers(0, 1),
)


def boards(model: Model) -> dict[str | None, dict[str, int]]:
    return {region: dict(board.standings.scores) for region, board in model.boards.items()}


@given(st.lists(STEPS, max_size=30), st.integers(1, 3))
def test_a_version_has_the_changes_up_to_it_on_the_boards_that_they_belong_to(
    steps: list[tuple[str, int | None, str | None, int]], every: int
) -> None:
    model = Model(0, (), dict.fromkeys(REGIONS, ()))
    scores: dict[str, int | None] = dict.fromkeys(NAMES)
    regions: dict[str, str | None] = dict.fromkeys(NAMES)
    states = {0: (dict(scores), dict(regions))}
    epoch = 1
    for name, score, region, later in steps:
        epoch += later
        version = -(-epoch // every) * every
        if score == MOVES:
            if scores[name] is not None:
                shown = (scores[name], scores[name], "a move", regions[name], region)
                model.place(model.announce(Change(0, name, *shown)), version)
                regions[name] = region
        else:
            if scores[name] is None:
                regions[name] = region
            here = regions[name]
            model.record(Change(epoch, name, scores[name], score, "e", here, here))
            scores[name] = score
        states[version] = (dict(scores), dict(regions))
    for version in sorted(states):
        model.advance(version)
        at, played_for = states[version]
        assert boards(model) == expected(at, played_for)
        for name in NAMES:
            on_board = at[name] is not None
            assert model.region_of(name) == (played_for[name] if on_board else None)


def expected(
    scores: dict[str, int | None], regions: dict[str, str | None]
) -> dict[str | None, dict[str, int]]:
    """Return all boards of players with these scores and regions."""
    shown = {name: score for name, score in scores.items() if score is not None}
    found: dict[str | None, dict[str, int]] = {None: shown}
    for region in REGIONS:
        found[region] = {name: shown[name] for name in shown if regions[name] == region}
    return found


def moved(**other: Any) -> Move:
    return Move("a", 5, 1, "EU", "US", newest=10, answered=1.0, **other)


def kinds(changes: list[Json], move: Move) -> list[str]:
    feed = Feed(10, "e")
    feed.expect(due_of(move))
    found = [*feed.read(changes, Sightings(10, 0.0)), *feed.missing()]
    return [finding.kind for finding in found]


def told(version: int, **other: Any) -> Json:
    return change(due_of(moved()), version, event_id="the-servers-own", region="US") | other


def test_a_move_comes_once_in_a_version_from_after_it() -> None:
    assert kinds([told(11)], moved()) == []
    assert kinds([told(11), told(11)], moved()) == ["change_repeated"]
    assert kinds([told(11), told(12, event_id="another")], moved()) == ["foreign_change"]
    assert kinds([], moved()) == ["lost_move"]
    assert kinds([], moved(open_ended=True)) == []


def test_a_move_in_a_version_from_before_it_or_after_its_promise_is_wrong() -> None:
    promised = moved(promised=11)
    feed = Feed(9, "e")
    feed.expect(due_of(moved()))
    (early,) = feed.read([told(10)], Sightings(10, 0.0))
    assert early.kind == "move_version"
    assert kinds([told(12)], promised) == ["move_version"]
    assert kinds([told(11)], moved(promised=11)) == []


def test_a_move_tells_the_score_and_the_region_as_they_are() -> None:
    assert kinds([told(11, new_score=6)], moved()) == ["change"]
    assert kinds([told(11, region="EU")], moved()) == ["foreign_change", "lost_move"]


def test_a_version_promises_what_was_answered_before_it_was_sealed() -> None:
    promises, early, late = Promises(), moved(), moved()
    late.answered = 3.0
    promises.wait_for(early)
    promises.wait_for(late)
    promises.sealed(11, sealed_after=2.0, arrived=2.5)
    assert (early.promised, late.promised) == (11, None)
    promises.sealed(12, sealed_after=3.5, arrived=4.0)
    assert (early.promised, late.promised) == (11, 12)


def test_a_move_that_a_feed_read_to_its_end_should_have_is_lost() -> None:
    feed = Feed(10, "e")
    feed.expect(due_of(moved(promised=11, promised_at=2.0)))
    assert [*feed.overdue(read_at=2.5)] == []
    assert [finding.kind for finding in feed.overdue(read_at=4.0)] == ["lost_move"]
    assert [*feed.missing()] == []


def kind_shown(region: str, score: int | None, *, placed: int | None) -> str:
    """Return the kind if a board shows this of somebody who moved from EU to US."""
    model = Model(10, [("a", 5)], {"EU": [("a", 5)], "US": []})
    number = model.announce(Change(0, "a", 5, 5, "a move", "EU", "US"))
    if placed is not None:
        model.place(number, placed)
    model.advance(11)
    board: Board = model.board(region)
    return judge_score("a", score, board, "").kind


def test_what_a_board_shows_of_somebody_who_moves() -> None:
    assert kind_shown("US", 5, placed=12) == "later_version"
    assert kind_shown("EU", None, placed=None) == "later_version"
    assert kind_shown("EU", 5, placed=11) == "lost_move"
    assert kind_shown("EU", 7, placed=11) == "two_regions"


def test_a_move_is_pending_until_the_version_that_the_feed_tells() -> None:
    moment = Moment(0.1, 0.2, 5, 1, 9, "US", moved())
    assert pending_at(10, moment, None, shown=True) == [None, Pending(5, 1, 11, None)]
    assert moment.move is not None
    moment.move.visible = 12
    assert pending_at(10, moment, "US", shown=False) == [Pending(5, 1, 11, 12)]
    assert pending_at(10, moment, "EU", shown=True) == [Pending(None, 1, 11, 12)]
    assert pending_at(10, moment, "APAC", shown=False) == [None]
    assert pending_at(12, moment, "US", shown=True) == [None]


def test_a_result_after_a_move_is_what_is_pending() -> None:
    due = Due("e1", "a", 5, 9, 2, "result", 12, "US")
    moment = Moment(0.1, 0.2, due.new, due.score_version, due.visible, "US")
    (pending,) = pending_at(10, moment, "US", shown=False)
    assert pending is not None
    assert pending.fits((9, 2, 12))
    assert not pending.fits((9, 2, 13))
