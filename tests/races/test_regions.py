"""A player moves while something else happens: it is one of the two orders, on every board."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from leaderboard.operations import (
    finalize_season,
    publish_version,
    seal_and_publish,
    verify_season,
)
from leaderboard.queries import published
from scores import models
from scores.operations import set_profiles
from scores.rules import Profile
from seasons.models import Season
from seasons.operations import close_season, seal_epoch
from tests.boards import boards_of
from tests.factories import apply, board, correct, event, make_final, make_season, move, publish
from tests.races.harness import (
    Failure,
    blocked,
    on_and_on,
    outcome,
    stopped,
    together,
    uncommitted,
)

pytestmark = pytest.mark.race

REGIONS = ("EU", "NA")
every_newcomer = pytest.mark.parametrize(
    "known", [[Profile("ann", "EU", 1)], []], ids=["of a region", "unknown"]
)
WRITING_A_VERSION = "INSERT INTO leaderboard_version"
WRITING_PROFILES = "INSERT INTO scores_profile AS profile"


@pytest.fixture
def regional(database: str) -> str:
    """Give the test a season with boards of two regions."""
    return make_season("season", regions=REGIONS).slug


def moving(player: str, region: str | None, version: int) -> Callable[[], Any]:
    return partial(set_profiles, [Profile(player, region, version)])


def region_of(slug: str, player: str) -> str | None:
    """Return the region that a best is stamped with."""
    season = Season.objects.get(slug=slug)
    best = models.Best.objects.get(namespace=season.namespace, player_id=player)
    return None if best.region is None else season.regions[best.region - 1]


def require_agreement(slug: str) -> None:
    """Each best is on the board of its profile's region, also as the ledger tells it."""
    publish(slug)
    boards = boards_of(slug)
    profiles = dict(models.Profile.objects.values_list("player_id", "region"))
    everybody = boards[None]
    for region in REGIONS:
        assert boards[region] == {
            player: score for player, score in everybody.items() if profiles.get(player) == region
        }


@every_newcomer
def test_a_move_waits_for_a_first_result_and_finds_it(regional: str, known: list[Profile]) -> None:
    set_profiles(known)
    with uncommitted(lambda: apply(regional, event("ann", 5))):
        second = blocked(moving("ann", "NA", 2))
    assert outcome(second)[0].outcome == "stored"
    assert region_of(regional, "ann") == "NA"
    require_agreement(regional)


@every_newcomer
def test_a_first_result_waits_for_a_move_and_follows_it(
    regional: str, known: list[Profile]
) -> None:
    set_profiles(known)
    with uncommitted(moving("ann", "NA", 2)):
        second = blocked(lambda: apply(regional, event("ann", 5)))
    assert outcome(second)[0].outcome == "improved"
    assert region_of(regional, "ann") == "NA"
    require_agreement(regional)


def test_first_results_of_a_player_in_two_seasons_do_not_wait_for_each_other(
    regional: str,
) -> None:
    make_season("other", regions=REGIONS)
    moving("ann", "EU", 1)()
    with uncommitted(lambda: apply(regional, event("ann", 5))):
        assert apply("other", event("ann", 7))[0].outcome == "improved"


def test_a_first_result_that_fails_holds_no_move_back(regional: str) -> None:
    moving("ann", "EU", 1)()
    with uncommitted(lambda: apply(regional, event("ann", 5))) as first:
        second = blocked(moving("ann", "NA", 2))
        assert isinstance(first.fail(), Failure)
    assert outcome(second)[0].outcome == "stored"
    assert apply(regional, event("ann", 5))[0].outcome == "improved"
    assert region_of(regional, "ann") == "NA"


CHANGES: dict[str, Callable[[str], Any]] = {
    "a better result": lambda slug: apply(slug, event("ann", 9, 2)),
    "a correction": lambda slug: correct(slug, "ann", 2, corrected_score=3),
    "a removal": lambda slug: correct(slug, "ann", 2),
    "a void": lambda slug: correct(slug, "ann", 2, void_event_id="first"),
    "a worse result": lambda slug: apply(slug, event("ann", 1, 2)),
}
EXPECTED = {
    "a better result": {"ann": 9},
    "a correction": {"ann": 3},
    "a removal": {},
    "a void": {},
    "a worse result": {"ann": 5},
}
every_change = pytest.mark.parametrize("name", CHANGES)


@pytest.fixture
def ann(regional: str) -> str:
    """Give the test that season with ann, whose best is on a published board."""
    moving("ann", "EU", 1)()
    apply(regional, event("ann", 5, event_id="first"))
    publish(regional)
    return regional


@every_change
def test_a_move_waits_for_a_change_of_the_best(ann: str, name: str) -> None:
    with uncommitted(lambda: CHANGES[name](ann)):
        second = blocked(moving("ann", "NA", 2))
    assert outcome(second)[0].outcome == "stored"
    publish(ann)
    assert boards_of(ann) == {None: EXPECTED[name], "EU": {}, "NA": EXPECTED[name]}


@every_change
def test_a_change_of_the_best_waits_for_a_move(ann: str, name: str) -> None:
    with uncommitted(moving("ann", "NA", 2)):
        second = blocked(lambda: CHANGES[name](ann))
    assert not isinstance(outcome(second), Exception)
    publish(ann)
    assert boards_of(ann) == {None: EXPECTED[name], "EU": {}, "NA": EXPECTED[name]}


def test_a_first_correction_and_a_move_come_one_after_the_other(regional: str) -> None:
    moving("ann", "EU", 1)()
    with uncommitted(lambda: correct(regional, "ann", 1, corrected_score=5)):
        second = blocked(moving("ann", "NA", 2))
    assert outcome(second)[0].outcome == "stored"
    assert region_of(regional, "ann") == "NA"
    moving("bob", "EU", 1)()
    with uncommitted(moving("bob", "NA", 2)):
        second = blocked(lambda: correct(regional, "bob", 1, corrected_score=5))
    assert outcome(second).outcome == "corrected"
    assert region_of(regional, "bob") == "NA"


def test_a_season_made_while_profiles_are_written_gets_their_players_right(
    database: str,
) -> None:
    moving("ann", "EU", 1)()

    def about_to_write(_: int, statement: str) -> bool:
        return statement.startswith(WRITING_PROFILES)

    with stopped(moving("ann", "NA", 2), about_to_write):
        slug = make_season("season", regions=REGIONS).slug
        apply(slug, event("ann", 5))
        assert region_of(slug, "ann") == "EU"
    assert region_of(slug, "ann") == "NA"
    require_agreement(slug)


def test_a_season_made_after_profiles_were_written_waits_with_first_results(
    database: str,
) -> None:
    moving("ann", "EU", 1)()
    with uncommitted(moving("ann", "NA", 2)):
        slug = make_season("season", regions=REGIONS).slug
        second = blocked(lambda: apply(slug, event("ann", 5)))
    assert outcome(second)[0].outcome == "improved"
    assert region_of(slug, "ann") == "NA"


def test_a_move_in_several_seasons_happens_in_all_or_in_none(regional: str) -> None:
    slugs = [regional, make_season("second", regions=REGIONS).slug]
    slugs.append(make_season("third", regions=("NA", "EU")).slug)
    moving("ann", "EU", 1)()
    for slug in slugs:
        board(slug, ann=5)
    with uncommitted(moving("ann", "NA", 2)) as first:
        assert {region_of(slug, "ann") for slug in slugs} == {"EU"}
        assert isinstance(first.fail(), Failure)
    assert {region_of(slug, "ann") for slug in slugs} == {"EU"}
    assert models.Profile.objects.get().region == "EU"
    for slug in slugs:
        assert publish(slug).outcome == "unchanged"
    with uncommitted(moving("ann", "NA", 2)):
        assert {region_of(slug, "ann") for slug in slugs} == {"EU"}
    assert {region_of(slug, "ann") for slug in slugs} == {"NA"}
    for slug in slugs:
        require_agreement(slug)


def test_a_move_while_a_version_is_made_is_in_the_next_one(ann: str) -> None:
    season_id = Season.objects.get(slug=ann).id
    apply(ann, event("bob", 7))
    seal_epoch(season_id)

    def about_to_flip(_: int, statement: str) -> bool:
        return statement.startswith(WRITING_A_VERSION)

    with stopped(lambda: publish_version(season_id), about_to_flip) as making:
        moving("ann", "NA", 2)()
        assert making.go_on().outcome == "published"
    version = published(ann).current
    assert boards_of(ann) == {None: {"ann": 5, "bob": 7}, "EU": {"ann": 5}, "NA": {}}
    publish(ann)
    assert boards_of(ann) == {None: {"ann": 5, "bob": 7}, "EU": {}, "NA": {"ann": 5}}
    assert boards_of(ann, version)["EU"] == {"ann": 5}


def test_an_open_move_appears_once_in_a_later_version(ann: str) -> None:
    season_id = Season.objects.get(slug=ann).id
    with uncommitted(moving("ann", "NA", 2)):
        apply(ann, event("bob", 7))
        sealed = blocked(lambda: seal_epoch(season_id))
        assert publish_version(season_id).outcome == "idle"
    assert outcome(sealed) is True
    publish_version(season_id)
    assert boards_of(ann) == {None: {"ann": 5, "bob": 7}, "EU": {}, "NA": {"ann": 5}}


def test_a_season_that_becomes_final_waits_for_a_move_or_goes_without(database: str) -> None:
    slug = make_season("season", regions=REGIONS, grace_seconds=3600).slug
    moving("ann", "EU", 1)()
    board(slug, ann=5)
    close_season(slug, actor="eve", reason="over")
    finalize = partial(finalize_season, slug, actor="eve", reason="over")
    with uncommitted(moving("ann", "NA", 2)):
        Season.objects.filter(slug=slug).update(grace_seconds=0)
        final = blocked(finalize)
    assert outcome(final).outcome == "final"
    assert boards_of(slug)["NA"] == {"ann": 5}
    moving("ann", "EU", 3)()
    assert region_of(slug, "ann") == "NA"


def test_a_season_that_became_final_meanwhile_is_left_alone(ann: str) -> None:
    def about_to_write(_: int, statement: str) -> bool:
        return statement.startswith("BEGIN")

    with stopped(moving("ann", "NA", 2), about_to_write):
        make_final(ann)
    assert region_of(ann, "ann") == "EU"
    assert models.Profile.objects.get(player_id="ann").region == "NA"


def test_fifty_newcomers_who_move_at_their_first_result(regional: str) -> None:
    for turn in range(4):
        players = [f"player-{turn}-{number:02}" for number in range(25)]
        move(**dict.fromkeys(players[::2], "EU"))
        results = [partial(apply, regional, event(player, 7)) for player in players]
        moves = [partial(move, **{player: random.choice(REGIONS)}) for player in players]
        calls: list[Callable[[], Any]] = [*results, *moves]
        random.shuffle(calls)
        assert not [done for done in together(*calls) if isinstance(done, Exception)]
        require_agreement(regional)
    assert len(boards_of(regional)[None]) == 100
    assert verify_season(regional).agrees


def test_one_newcomer_in_fifty_threads(regional: str) -> None:
    for turn in range(3):
        player = f"player-{turn}"
        versions = [*range(1, 26)]
        moves = [moving(player, random.choice(REGIONS), 100 + one) for one in versions]
        results = [partial(apply, regional, event(player, one, one)) for one in versions]
        calls: list[Callable[[], Any]] = [*results, *moves]
        random.shuffle(calls)
        assert not [done for done in together(*calls) if isinstance(done, Exception)]
        require_agreement(regional)
        assert boards_of(regional)[None][player] == 25


def test_batches_in_opposite_orders_never_wait_in_a_circle(regional: str) -> None:
    players = [f"player-{number:03}" for number in range(100)]
    for turn in range(1, 5):
        there = [Profile(player, random.choice(REGIONS), turn) for player in players]
        results = [event(player, turn, turn) for player in players]
        done = together(
            partial(set_profiles, there),
            partial(set_profiles, there[::-1]),
            partial(apply, regional, *results),
            partial(
                apply, regional, *(event(player, turn, 10 + turn) for player in players[::-1])
            ),
        )
        assert not [one for one in done if isinstance(one, Exception)]
        require_agreement(regional)


def test_readers_find_everybody_on_one_board_while_they_move(regional: str) -> None:
    players = [f"player-{number:02}" for number in range(30)]
    move(**dict.fromkeys(players, "EU"))
    board(regional, **{player: number for number, player in enumerate(players)})
    season_id = Season.objects.get(slug=regional).id
    seen: set[int] = set()

    def look() -> None:
        season = published(regional)
        boards = boards_of(regional, season.current)
        assert sorted([*boards["EU"], *boards["NA"]]) == players
        assert boards["EU"] | boards["NA"] == boards[None]
        seen.add(season.current)

    def wander() -> None:
        move(**{player: random.choice(REGIONS) for player in random.sample(players, 7)})

    with on_and_on(look, look, lambda: seal_and_publish(season_id), wander):
        for version in range(2, 60):
            apply(regional, event(random.choice(players), version * 10, version))
    assert len(seen) > 3
    require_agreement(regional)
    assert verify_season(regional).agrees
