"""Seasons with everything that a rebuild has to get right, and what is compared afterwards."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

from leaderboard.models import Rebuild, Version
from leaderboard.operations.rebuild import rebuild_season, season
from leaderboard.queries import published
from scores.models import Best, Undo
from seasons.models import Season
from tests.factories import make_season, unused_slug
from tests.leaderboard.agreement import require_gone, require_version
from tests.play import Play, Wanted

SCORES = {"score_min": 0, "score_max": 600}
COLUMNS = (
    "player_id", "score", "hidden_score", "removed", "tie_key", "hidden_tie_key", "region",
    "score_version", "revision", "epoch", "change_no",
)  # fmt: skip
PLAYERS = [f"player-{letter}" for letter in "abcdefgh"]


def play() -> Play:
    """Make a season without players, beside its oracle."""
    return Play(make_season(unused_slug(), **SCORES))


def everything_happens(played: Play) -> None:
    """Let players enter, tie, improve, be corrected, removed and returned; publish twice."""
    played.results(*(Wanted(who, 50 * number, 1) for number, who in enumerate(PLAYERS)))
    seal_and_publish(played)
    played.results(Wanted("player-a", 350, 1), Wanted("player-b", 0, 1))
    played.results(Wanted("player-a", 360, 1), Wanted("player-a", 100, 2))
    played.correct("player-c", 1, corrected_score=7)
    played.correct("player-d", 1)
    played.correct("player-e", 1)
    played.results(Wanted("player-e", 600, 1), Wanted("player-d", 20, 1))
    seal_and_publish(played)
    played.correct("player-e", 1, corrected_score=50)
    played.void("player-a", 1, 1)
    played.void("player-h", 0, 1)
    played.correct("player-new", 1)
    played.results(Wanted("player-f", 300, 1))


def seal_and_publish(played: Play) -> int:
    """Seal and publish, and return the new version's number."""
    played.seal()
    number = played.publish()
    assert number is not None
    return number


def rebuild(played: Play, source: str = "ledger") -> Rebuild:
    """Rebuild a season to its end; it seals the open epoch several times."""
    done = rebuild_season(played.slug, source)
    played.oracle.epoch = played.open_epoch
    return done


def require_right(played: Play, versions: list[int]) -> None:
    """These versions, and no others, can be read in every way, as the oracle says."""
    now = published(played.slug)
    stored = Version.objects.filter(namespace=now.namespace).order_by("number")
    assert list(stored.values_list("number", flat=True)) == versions
    for version in versions:
        require_version(now, version, played.oracle, PLAYERS)
    for number in {1, 2, 3} - set(versions):
        require_gone(now, number, "player-a")


def between(phase: str, happens: Callable[[], Any]) -> Any:
    """Let something happen, once, before the phase that follows this one."""
    follows = season.PHASES[phase]

    def then(work: Any) -> None:
        happens()
        follows(work)

    return patch.object(season, "PHASES", {**season.PHASES, phase: then})


def bests_of(namespace: int) -> set[tuple[Any, ...]]:
    """Return all rows of a namespace's bests, but for what the last upsert left in them."""
    return set(Best.objects.filter(namespace=namespace).values_list(*COLUMNS))


def undo_of(namespace: int, *, after: int) -> set[tuple[Any, ...]]:
    """Return the undo of a namespace that versions from one on need."""
    rows = Undo.objects.filter(namespace=namespace, to_epoch__gt=after)
    columns = ("player_id", "from_epoch", "to_epoch", "score", "tie_key", "region")
    return set(rows.values_list(*columns))


def namespace_of(played: Play) -> int:
    """Return the namespace in use."""
    return Season.objects.get(slug=played.slug).namespace
