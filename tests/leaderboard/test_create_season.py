"""create_season: what can be made, what cannot, and whom it makes wait."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from config.errors import SeasonExists, ValidationFailed
from leaderboard.models import Layout
from leaderboard.queries import published
from seasons.models import Epoch, Season
from tests.factories import apply, board, event, make_season, unused_slug
from tests.own_database import connect
from tests.races.harness import outcome, stopped, together, uncommitted

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ({"slug": "Upper"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"slug": "-first"}, "slug"),
        ({"slug": "a" * 64}, "slug"),
        ({"slug": "new\n"}, "slug"),
        ({"name": ""}, "name"),
        ({"name": "a" * 201}, "name"),
        ({"name": "nul\0"}, "NUL"),
        ({"starts_at": NOW, "cutoff_at": NOW}, "start before its cutoff"),
        ({"grace_seconds": -1}, "grace"),
        ({"score_min": -1}, "within"),
        ({"score_min": 5, "score_max": 5}, "below the highest"),
        ({"score_min": 0, "score_max": 2**31}, "within"),
        ({"late_policy": "next"}, "next is for the seasons of a series"),
        ({"tie_rule": "latest"}, "must be shared or earliest"),
        ({"order": "up"}, "must be desc or asc"),
        ({"keep": "first"}, "must be best or latest"),
        ({"regions": ("EU", "-")}, "Each region must match"),
        ({"regions": ("EU", "NA", "EU")}, "named twice"),
        ({"regions": tuple(f"R{number}" for number in range(33))}, "at most 32 regions"),
    ],
    ids=str,
)
def test_rules_that_cannot_be_are_refused_with_a_sentence(
    shared: str, rules: dict[str, Any], says: str
) -> None:
    seasons = Season.objects.count()
    with pytest.raises(ValidationFailed) as refusal:
        make_season(**{"slug": unused_slug(), **rules})
    assert says in refusal.value.faults[0].detail
    assert Season.objects.count() == seasons


def test_all_faults_are_said_at_once(shared: str) -> None:
    with pytest.raises(ValidationFailed) as refusal:
        make_season("Bad Slug", name="", score_min=9, score_max=1)
    assert len(refusal.value.faults) == 3


def test_a_slug_is_given_once(slug: str) -> None:
    with pytest.raises(SeasonExists):
        make_season(slug)


def test_a_season_begins_with_an_empty_version_and_the_epoch_after_it(shared: str) -> None:
    slug = make_season(unused_slug(), score_min=100, score_max=900).slug
    season = published(slug)
    assert (season.number, season.members, season.score_min) == (1, [0], 100)
    assert Epoch.objects.get(season_id=season.season_id).open_epoch == 2
    layout = Layout.objects.get(season_id=season.season_id)
    assert (layout.lower_score, layout.bucket_width, layout.buckets) == (100, 250, 4)


def test_every_season_has_a_namespace_of_its_own(shared: str) -> None:
    namespaces = [make_season(unused_slug()).namespace for _ in range(3)]
    assert len(set(namespaces)) == 3


@pytest.mark.race
def test_of_two_that_want_one_slug_at_once_one_is_told_that_it_exists(shared: str) -> None:
    for _ in range(3):
        slug = unused_slug()
        done = together(*[lambda slug=slug: make_season(slug)] * 2)
        assert sorted(type(one).__name__ for one in done) == ["Season", "SeasonExists"]


@pytest.mark.race
def test_a_season_is_made_while_others_are_read_and_written(slug: str, shared: str) -> None:
    board(slug, ann=10)
    with connect(shared) as reader, reader.transaction():
        reader.execute("SELECT count(*) FROM scores_best, scores_ledger, leaderboard_bucket")
        with uncommitted(lambda: apply(slug, event("ann", 20, 2))):
            assert make_season(unused_slug()).id


@pytest.mark.race
def test_others_are_read_and_written_while_a_season_is_made(slug: str) -> None:
    def after_its_partitions(_: int, statement: str) -> bool:
        return statement.startswith("INSERT INTO leaderboard_version")

    with stopped(lambda: make_season(unused_slug()), after_its_partitions) as made:
        season = board(slug, ann=10)
        assert season.members == [1]
        assert apply(slug, event("ann", 20, 2))[0].outcome == "improved"
        assert not isinstance(made.go_on(), Exception)
    assert outcome(made.future).id


def test_the_rules_end_where_they_say(shared: str) -> None:
    made = make_season(
        "a" * 63,
        name="n" * 200,
        score_max=3_999_999,
        grace_seconds=2_592_000,
        starts_at=NOW,
        cutoff_at=NOW + timedelta(microseconds=1),
    )
    assert published(made.slug).name == "n" * 200
