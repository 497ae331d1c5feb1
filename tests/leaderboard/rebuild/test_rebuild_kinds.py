"""Seasons of every kind are rebuilt: all boards are read as before, and go on from there."""

from collections.abc import Iterator
from typing import Any

import pytest

from leaderboard.models import Rebuild, Version
from leaderboard.operations import finalize_season
from leaderboard.operations.rebuild import Differs, rebuild_season
from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published
from seasons.models import Season
from seasons.operations import close_season
from tests.leaderboard.kinds import KINDS, Model, play, require_version, small_buckets
from tests.leaderboard.rebuild.seasons_to_rebuild import bests_of, between, undo_of


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


@pytest.fixture
def model(kind: str, shared: str) -> Iterator[Model]:
    """Give the test a season of a kind, whose players nobody moves afterwards."""
    played = play(kind, rounds=2)
    yield played
    Season.objects.filter(slug=played.season.slug).update(regions=[])


def require_right(model: Model) -> None:
    """Every version that can be read is right on every board, and what its ledger says."""
    season = published(model.season.slug)
    versions = Version.objects.filter(namespace=season.namespace)
    numbers = sorted(versions.values_list("number", flat=True))
    assert season.current == numbers[-1]
    for number in numbers:
        require_version(model, number)
        assert verify_season(season.slug, version=number).agrees


@pytest.mark.parametrize(
    ("kind", "source"), [*((kind, "ledger") for kind in KINDS), ("earliest of regions", "bests")]
)
def test_every_board_is_read_as_before_and_the_season_goes_on(model: Model, source: str) -> None:
    before = published(model.season.slug)
    rebuild_season(before.slug, source)
    after = published(before.slug)
    assert after.namespace != before.namespace
    assert bests_of(after.namespace) == bests_of(before.namespace)
    assert undo_of(after.namespace, after=0) == undo_of(before.namespace, after=before.current)
    model.publish()
    require_right(model)


@pytest.mark.parametrize("kind", ["earliest of regions"])
def test_a_final_version_and_a_corrected_one_keep_their_boundaries(model: Model) -> None:
    slug = model.season.slug
    final = finalize(slug)
    for _ in range(2):
        for player in model.rng.sample(model.shown, 8):
            model.correct(player)
        model.publish()
    layouts = _layouts(published(slug).namespace)
    rebuild_season(slug)
    made = _layouts(published(slug).namespace)
    assert made == {number: layout for number, layout in layouts.items() if number >= final}
    assert len(set(made.values())) > 1
    require_right(model)


def finalize(slug: str) -> int:
    """Close a season and let it become final, and return its final version."""
    decided = {"actor": "eve", "reason": "it is over"}
    close_season(slug, **decided)
    Season.objects.filter(slug=slug).update(grace_seconds=0)
    done = finalize_season(slug, **decided)
    assert done.outcome == "final"
    assert done.version is not None
    return done.version


@pytest.mark.parametrize("phase", ["indexed", "counted", "shadowed"])
@pytest.mark.parametrize("kind", ["earliest of regions"])
def test_buckets_that_are_split_meanwhile_are_split_in_what_is_made(
    model: Model, phase: str
) -> None:
    def more() -> None:
        for _ in range(2):
            model.play()
            model.publish()

    with between(phase, more):
        rebuild_season(model.season.slug)
    model.play()
    model.publish()
    require_right(model)


def _layouts(namespace: int) -> dict[int, int]:
    found = Version.objects.filter(namespace=namespace)
    return dict(found.values_list("number", "layout_id"))


@pytest.mark.parametrize("kind", ["earliest of regions"])
@pytest.mark.parametrize(
    ("phase", "damage", "sentence"),
    [
        (
            "caught_up",
            "UPDATE leaderboard_top SET ranks[1] = 2 WHERE namespace = {} AND board = 2",
            "The top of version 3 of NA is another one",
        ),
        (
            "caught_up",
            "UPDATE scores_best SET tie_key = tie_key + 1 WHERE namespace = {} AND region = 1",
            "buckets of version 3 have other players",
        ),
        (
            "compared",
            "DELETE FROM leaderboard_prefix WHERE namespace = {} AND board = 1",
            "The answers differ",
        ),
    ],
)
def test_whatever_is_wrong_with_a_region_stops_the_swap(
    model: Model, superuser: Any, phase: str, damage: str, sentence: str
) -> None:
    before = published(model.season.slug)

    def alter() -> None:
        made = Rebuild.objects.get(season_id=before.season_id).namespace
        assert superuser.execute(damage.format(made)).rowcount

    with between(phase, alter), pytest.raises(Differs, match=sentence):
        rebuild_season(before.slug)
    assert published(before.slug).namespace == before.namespace
