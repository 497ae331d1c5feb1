"""What is accepted but not published yet, as its player sees it."""

from tests.api import PLAYERS, get, problem
from tests.factories import apply, board, correct, event


def test_an_accepted_score_is_pending_until_it_is_published(season: str) -> None:
    number = board(season, ann=10, bob=7).number
    (receipt,) = apply(season, event("ann", 50, 4))
    body = get(f"{PLAYERS}/ann/rank").json()
    assert (body["score"], body["leaderboard_version"]) == (10, number)
    assert body["pending"] == {
        "score": 50,
        "score_version": 4,
        "visible_in_version": receipt.visible_in_version,
    }
    assert get(f"{PLAYERS}/ann/rank?version={number}").json()["pending"] is None
    board(season)
    body = get(f"{PLAYERS}/ann/rank?min_version={receipt.visible_in_version}").json()
    assert (body["score"], body["pending"]) == (50, None)


def test_a_newcomer_is_not_ranked_but_pending(season: str) -> None:
    number = board(season, ann=10).number
    apply(season, event("bob", 7))
    body = problem(get(f"{PLAYERS}/bob/rank"), 404, "player_not_ranked")
    assert body["pending"]["score"] == 7
    pinned = problem(get(f"{PLAYERS}/bob/rank?version={number}"), 404, "player_not_ranked")
    assert pinned["pending"] is None
    assert problem(get(f"{PLAYERS}/nobody/rank"), 404, "player_not_ranked")["pending"] is None


def test_a_result_that_improves_nothing_is_not_pending(season: str) -> None:
    board(season, ann=10)
    apply(season, event("ann", 5, 2))
    assert get(f"{PLAYERS}/ann/rank").json()["pending"] is None


def test_a_removal_is_pending_as_a_null_score(season: str) -> None:
    board(season, ann=10)
    receipt = correct(season, "ann", 2)
    body = get(f"{PLAYERS}/ann/rank").json()
    assert (body["score"], body["pending"]["score"]) == (10, None)
    assert body["pending"]["visible_in_version"] == receipt.visible_in_version
    board(season)
    assert problem(get(f"{PLAYERS}/ann/rank"), 404, "player_not_ranked")["pending"] is None
    correct(season, "ann", 3, corrected_score=8)
    body = problem(get(f"{PLAYERS}/ann/rank"), 404, "player_not_ranked")
    assert body["pending"]["score"] == 8


def test_of_a_removed_player_who_was_not_on_the_board_nothing_is_pending(season: str) -> None:
    board(season, ann=10)
    assert correct(season, "bob", 1).visible_in_version is None
    assert problem(get(f"{PLAYERS}/bob/rank"), 404, "player_not_ranked")["pending"] is None
    correct(season, "bob", 2, corrected_score=8)
    body = problem(get(f"{PLAYERS}/bob/rank"), 404, "player_not_ranked")
    assert body["pending"]["score"] == 8
