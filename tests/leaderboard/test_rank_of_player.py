"""The rank of one player: by the short statement where that has the answer, else by the long."""

import pytest

from leaderboard.operations import purge_versions
from leaderboard.queries import Published, rank_of_player
from leaderboard.queries.rank_of_player import RankOfPlayer, _rank_unless_changed
from seasons.models import Season
from tests.factories import apply, board, correct, event, publish

PLAYERS = ("ann", "bob", "cid", "dan", "eve", "nobody")


@pytest.fixture
def now(season: str) -> Published:
    """Five players of whom three have changed since the version: better, gone, and new."""
    board(season, ann=30, bob=20, cid=20, dan=10)
    correct(season, "dan", 2, corrected_score=5)
    published = board(season)
    apply(season, event("bob", 40, 2), event("eve", 50))
    correct(season, "cid", 3)
    return published


def ranks(season: Published) -> dict[str, tuple[int | None, int | None, bool]]:
    found = {player: asked(season, player) for player in PLAYERS}
    return {player: (one.rank, one.score, one.is_pending) for player, one in found.items()}


def asked(season: Published, player: str) -> RankOfPlayer:
    found = rank_of_player(season, player, version=season.current)
    assert found is not None
    return found


def test_a_rank_is_that_of_the_version_whatever_happened_since(now: Published) -> None:
    assert ranks(now) == {
        "ann": (1, 30, False),
        "bob": (2, 20, True),
        "cid": (2, 20, True),
        "dan": (4, 5, False),
        "eve": (None, None, True),
        "nobody": (None, None, False),
    }


def test_both_statements_have_the_same_answer(now: Published) -> None:
    not_the_current_one = now._replace(number=0)
    for player in PLAYERS:
        long = rank_of_player(not_the_current_one, player, version=now.current)
        assert asked(now, player) == long


def test_the_short_statement_has_the_answer_however_old_the_bucket_s_row_is(
    season: str,
) -> None:
    board(season, ann=600, bob=300, cid=20, dan=10)
    for score in range(5):
        apply(season, event("ann", 601 + score, 2 + score))
        now = board(season)
        for player, rank in (("bob", 2), ("cid", 3), ("dan", 4)):
            short = _rank_unless_changed(now, player, 0, "reads")
            assert short is not None
            assert short.rank == rank


def test_a_version_that_was_purged_since_it_was_current_is_gone(now: Published) -> None:
    season = Season.objects.get(slug=now.slug)
    for score_version in (2, 3):
        apply(now.slug, event("ann", 30 + score_version, score_version))
        publish(now.slug)
    assert purge_versions(season.id, version_kept_seconds=0)
    for player in PLAYERS:
        assert rank_of_player(now, player, version=now.current) is None
