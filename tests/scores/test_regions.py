"""A player's region: which board the bests are on, and how they follow a change of it."""

from typing import Any

import pytest

from leaderboard import queries
from leaderboard.queries import Position, published
from scores.models import Best, Ledger, Undo
from scores.operations import set_profiles
from scores.rules import Profile
from seasons.models import Season
from seasons.operations import close_season
from tests.boards import boards_of
from tests.factories import (
    apply,
    board,
    correct,
    event,
    make_final,
    make_season,
    move,
    publish,
)

REGIONS = ("EU", "NA")


@pytest.fixture
def regional(database: str) -> str:
    """Give the test a season with boards of two regions."""
    return make_season("season", regions=REGIONS).slug


def now(slug: str) -> dict[str | None, dict[str, int]]:
    publish(slug)
    return boards_of(slug)


def moves_of(slug: str) -> list[tuple[Any, ...]]:
    """Return the changes of region that the ledger has: player, from, to, and visible."""
    rows = Ledger.objects.filter(
        namespace=Season.objects.get(slug=slug).ledger_namespace, kind="region"
    )
    return [
        (row.player_id, row.old_region, row.new_region, row.visible_in_version is not None)
        for row in rows.order_by("id")
    ]


def test_a_first_result_is_stamped_with_the_region_of_the_profile(regional: str) -> None:
    move(ann="EU", bob="NA", cid=None, dan="AS")
    apply(regional, *(event(player, 5) for player in ("ann", "bob", "cid", "dan", "eve")))
    everybody = dict.fromkeys(["ann", "bob", "cid", "dan", "eve"], 5)
    assert now(regional) == {None: everybody, "EU": {"ann": 5}, "NA": {"bob": 5}}
    assert moves_of(regional) == []


def test_a_move_reaches_both_boards_in_one_version(regional: str) -> None:
    move(ann="EU", bob="EU")
    before = board(regional, ann=5, bob=7)
    move(ann="NA")
    assert boards_of(regional) == boards_of(regional, before.current)
    assert now(regional) == {None: {"ann": 5, "bob": 7}, "EU": {"bob": 7}, "NA": {"ann": 5}}
    assert boards_of(regional, before.current) == {
        None: {"ann": 5, "bob": 7},
        "EU": {"ann": 5, "bob": 7},
        "NA": {},
    }


@pytest.mark.parametrize("region", [None, "AS"])
def test_without_a_region_of_the_season_one_is_on_the_global_board_only(
    regional: str, region: str | None
) -> None:
    move(ann="EU")
    board(regional, ann=5)
    move(ann=region)
    assert now(regional) == {None: {"ann": 5}, "EU": {}, "NA": {}}
    move(ann="NA")
    assert now(regional) == {None: {"ann": 5}, "EU": {}, "NA": {"ann": 5}}
    assert moves_of(regional) == [("ann", 1, None, True), ("ann", None, 2, True)]


def test_moves_within_one_epoch_leave_the_last_one(regional: str) -> None:
    move(ann="EU")
    before = board(regional, ann=5)
    for region in ("NA", None, "AS", "EU", "NA"):
        move(ann=region)
    assert now(regional) == {None: {"ann": 5}, "EU": {}, "NA": {"ann": 5}}
    assert boards_of(regional, before.current)["EU"] == {"ann": 5}
    assert Undo.objects.filter(player_id="ann").count() == 1


def test_the_same_region_again_is_no_move(regional: str) -> None:
    move(ann="EU")
    board(regional, ann=5)
    move(ann="EU")
    set_profiles([Profile("ann", "NA", 1)])
    assert moves_of(regional) == []
    assert publish(regional).outcome == "unchanged"


def test_a_batch_moves_everybody_in_it(regional: str) -> None:
    move(ann="EU", bob="NA", cid="EU")
    board(regional, ann=5, bob=6, cid=7)
    move(ann="NA", bob="EU", cid=None, stranger="EU")
    everybody = {"ann": 5, "bob": 6, "cid": 7}
    assert now(regional) == {None: everybody, "EU": {"bob": 6}, "NA": {"ann": 5}}


def test_the_change_stream_tells_of_moves(regional: str) -> None:
    move(ann="EU")
    board(regional, ann=5)
    move(ann="NA")
    number = board(regional).current
    move(ann=None)
    apply(regional, event("ann", 9, 2))
    last = board(regional)
    changes = queries.changes(last, Position(), limit=10).rows
    assert [
        (row.kind, row.old_score, row.new_score, row.score_version, row.region, row.version)
        for row in changes
    ] == [
        ("result", None, 5, 1, 1, 2),
        ("region", 5, 5, 1, 2, number),
        ("region", 5, 5, 1, None, last.current),
        ("result", 5, 9, 2, None, last.current),
    ]


def test_moving_does_not_swallow_the_next_honest_result(regional: str) -> None:
    move(ann="EU")
    apply(regional, event("ann", 5, 1))
    for region in ("NA", "EU", None, "NA"):
        move(ann=region)
    (receipt,) = apply(regional, event("ann", 6, 2))
    assert (receipt.outcome, receipt.best_score) == ("improved", 6)
    assert apply(regional, event("ann", 7, 2))[0].outcome == "stale_version"
    best = Best.objects.get(player_id="ann")
    assert (best.score_version, best.revision, best.region) == (2, 0, 2)


def test_two_thousand_moves_change_no_order_and_swallow_nothing(regional: str) -> None:
    players = [f"player-{number:04}" for number in range(2_000)]
    move(**dict.fromkeys(players[:1_000], "EU"))
    move(**dict.fromkeys(players[1_000:], "NA"))
    scores = {player: number * 7919 % 1_000 for number, player in enumerate(players)}
    for part in (players[:1_000], players[1_000:]):
        apply(regional, *(event(player, scores[player]) for player in part))
    before = now(regional)
    version = published(regional).current
    assert list(before[None].items()) == sorted(
        scores.items(), key=lambda item: (-item[1], item[0])
    )
    move(**dict.fromkeys(players[:1_000], "NA"))
    move(**dict.fromkeys(players[1_000:], "EU"))
    after = now(regional)
    assert list(after[None].items()) == list(before[None].items())
    assert list(after["EU"].items()) == list(before["NA"].items())
    assert list(after["NA"].items()) == list(before["EU"].items())
    assert boards_of(regional, version) == before
    for part in (players[:1_000], players[1_000:]):
        receipts = apply(regional, *(event(player, 1_000, 2) for player in part))
        assert {receipt.outcome for receipt in receipts} == {"improved"}


def test_a_hidden_best_moves_unseen_and_returns_to_the_new_board(regional: str) -> None:
    move(ann="EU")
    board(regional, ann=5)
    removal = correct(regional, "ann", 2)
    assert now(regional) == {None: {}, "EU": {}, "NA": {}}
    move(ann="NA")
    assert moves_of(regional) == [("ann", 1, 2, False)]
    assert publish(regional).outcome == "unchanged"
    apply(regional, event("ann", 8, 3))
    correct(regional, "ann", 4, void_event_id=removal.event_id)
    assert now(regional) == {None: {"ann": 8}, "EU": {}, "NA": {"ann": 8}}


def test_corrections_and_voids_stay_on_the_board_of_the_region(regional: str) -> None:
    move(ann="EU", bob="EU")
    board(regional, bob=1)
    apply(regional, event("ann", 5, 1), event("ann", 9, 2, event_id="nine"))
    move(ann="NA")
    correct(regional, "ann", 3, corrected_score=3)
    assert now(regional)["NA"] == {"ann": 3}
    correct(regional, "ann", 4, void_event_id="nine")
    assert now(regional)["NA"] == {"ann": 3}
    correct(regional, "new", 1, corrected_score=4)
    assert now(regional) == {
        None: {"ann": 3, "bob": 1, "new": 4},
        "EU": {"bob": 1},
        "NA": {"ann": 3},
    }


def test_a_first_correction_is_stamped_like_a_first_result(regional: str) -> None:
    move(ann="NA")
    correct(regional, "ann", 1, corrected_score=4)
    assert now(regional)["NA"] == {"ann": 4}


def test_the_boards_of_a_closing_season_still_follow(regional: str) -> None:
    move(ann="EU")
    board(regional, ann=5)
    close_season(regional, actor="eve", reason="over")
    move(ann="NA")
    assert now(regional)["NA"] == {"ann": 5}


def test_who_moves_after_the_grace_time_keeps_no_season_from_becoming_final(
    regional: str,
) -> None:
    move(ann="EU")
    board(regional, ann=5)
    close_season(regional, actor="eve", reason="over")
    Season.objects.filter(slug=regional).update(grace_seconds=0)
    move(ann="NA")
    assert moves_of(regional) == []
    assert now(regional)["EU"] == {"ann": 5}
    correct(regional, "ann", 2, corrected_score=6)
    assert now(regional)["EU"] == {"ann": 6}


def test_the_regions_of_a_final_season_are_frozen(regional: str) -> None:
    move(ann="EU", bob="EU")
    board(regional, ann=5, bob=7)
    make_final(regional)
    move(ann="NA")
    assert moves_of(regional) == []
    correct(regional, "bob", 2, corrected_score=6)
    corrected = now(regional)
    assert corrected == {None: {"ann": 5, "bob": 6}, "EU": {"ann": 5, "bob": 6}, "NA": {}}


def test_each_season_has_its_own_regions(regional: str) -> None:
    make_season("other", regions=("AS", "NA"))
    make_season("plain")
    move(ann="EU")
    for slug in (regional, "other", "plain"):
        board(slug, ann=5)
    assert now("other") == {None: {"ann": 5}, "AS": {}, "NA": {}}
    move(ann="NA")
    assert now(regional)["NA"] == now("other")["NA"] == {"ann": 5}
    move(ann="AS")
    assert now(regional) == {None: {"ann": 5}, "EU": {}, "NA": {}}
    assert now("other") == {None: {"ann": 5}, "AS": {"ann": 5}, "NA": {}}
    assert moves_of("plain") == []
    assert publish("plain").outcome == "unchanged"


def test_a_player_whom_a_season_does_not_know_leaves_no_trace_there(regional: str) -> None:
    board(regional, bob=5)
    move(ann="EU")
    assert not Best.objects.filter(player_id="ann").exists()
    assert moves_of(regional) == []
