"""What every phase of a rebuild works with."""

from collections.abc import Sequence
from typing import NamedTuple

from leaderboard.models import Rebuild, Stop, Version
from leaderboard.operations.rebuild.hold import Hold
from leaderboard.operations.rebuild.refusals import CannotRebuild
from leaderboard.queries.publication import boards_present
from leaderboard.steps.rebuilding import Namespaces
from scores.steps.rebuilding import Refill
from seasons.models import Epoch, Season
from seasons.operations import seal_epoch

SEALS_TRIED = 5


class Work(NamedTuple):
    """A rebuild as its last phase left it, its season, and the right to work at it."""

    rebuild: Rebuild
    season: Season
    hold: Hold
    asked_lately: Sequence[str] = ()

    @property
    def namespaces(self) -> Namespaces:
        """Return the namespace that is made, the one that it replaces, and the ledger's."""
        assert self.rebuild.namespace is not None
        return Namespaces(
            self.rebuild.namespace, self.rebuild.replaces, self.season.ledger_namespace
        )

    @property
    def refill(self) -> Refill:
        """Return where the bests are made, and which versions their undo has to serve."""
        return self.refill_of(self.namespaces.made)

    def refill_of(self, namespace: int) -> Refill:
        """Return how the bests of a namespace are made."""
        season = self.season
        return Refill(
            namespace,
            season.ledger_namespace,
            season.tie_rule,
            season.keep,
            season.regions,
            self.rebuild.base or 0,
        )

    @property
    def through(self) -> int:
        """Return the last epoch that is folded in."""
        assert self.rebuild.through is not None
        return self.rebuild.through


def old_is_trusted(work: Work) -> bool:
    """Return whether the boards in use are whole, as far as anybody knows."""
    season = Season.objects.get(id=work.season.id)
    made = Version.objects.filter(namespace=work.rebuild.replaces).latest("number")
    present = boards_present(work.rebuild.replaces, made.number)
    return (
        season.bests_damaged_at is None
        and not work.rebuild.report.get("old_is_wrong")
        and not Stop.objects.filter(season_id=season.id).exists()
        and present.bests
        and (present.buckets or not made.members[0])
    )


def seal(work: Work) -> None:
    """End the open epoch, so that more can be folded; CannotRebuild if its writers never end."""
    for _ in range(SEALS_TRIED):
        if seal_epoch(work.season.id):
            return
    raise CannotRebuild("The open epoch could not be sealed: its writers take too long.")


def sealed_through(season_id: int) -> int:
    """Return the last epoch whose writes are all committed or gone."""
    return Epoch.objects.get(season_id=season_id).open_epoch - 1
