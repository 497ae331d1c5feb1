"""After a rebuild every read of every version that is kept is what it was before."""

import pytest

from leaderboard.models import Version
from leaderboard.queries import published
from scores.models import Ledger
from tests.leaderboard.rebuild.seasons_to_rebuild import (
    bests_of,
    everything_happens,
    namespace_of,
    play,
    rebuild,
    require_right,
    seal_and_publish,
    undo_of,
)
from tests.play import Wanted

pytestmark = pytest.mark.usefixtures("shared")

every_source = pytest.mark.parametrize("source", ["ledger", "bests"])


@every_source
def test_the_current_version_is_read_as_before(source: str) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    rebuild(played, source)
    require_right(played, [current])


@every_source
def test_bests_and_undo_are_the_same_rows(source: str) -> None:
    played = play()
    everything_happens(played)
    before, current = namespace_of(played), published(played.slug).current
    rebuild(played, source)
    after = namespace_of(played)
    assert after != before
    assert bests_of(after) == bests_of(before)
    assert undo_of(after, after=0) == undo_of(before, after=current)


@every_source
def test_the_season_goes_on(source: str) -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    rebuild(played, source)
    played.results(Wanted("player-g", 355, 1), Wanted("player-late", 3, 1))
    played.correct("player-b", 1)
    following = seal_and_publish(played)
    require_right(played, [current, following])


def test_the_ledger_stays_where_it_is() -> None:
    played = play()
    everything_happens(played)
    rows = Ledger.objects.filter(namespace=played.namespace).count()
    rebuild(played)
    assert Ledger.objects.filter(namespace=played.namespace).count() == rows
    assert not Ledger.objects.filter(namespace=namespace_of(played)).exists()


def test_a_season_without_players_is_rebuilt() -> None:
    played = play()
    rebuild(played)
    require_right(played, [1])


def test_a_season_can_be_rebuilt_again_and_again() -> None:
    played = play()
    everything_happens(played)
    current = published(played.slug).current
    for source in ("ledger", "bests", "ledger"):
        rebuild(played, source)
        require_right(played, [current])


def test_final_and_corrected_versions_are_kept() -> None:
    played = play()
    everything_happens(played)
    first = seal_and_publish(played)
    Version.objects.filter(namespace=played.namespace, number=first).update(kind="final")
    played.correct("player-a", 1)
    second = seal_and_publish(played)
    Version.objects.filter(namespace=played.namespace, number=second).update(kind="corrected")
    played.correct("player-b", 1)
    third = seal_and_publish(played)
    played.correct("player-a", 1, corrected_score=9)
    rebuild(played)
    require_right(played, [first, second, third])
    kinds = Version.objects.filter(namespace=namespace_of(played)).order_by("number")
    assert list(kinds.values_list("kind", flat=True)) == ["final", "corrected", "regular"]
