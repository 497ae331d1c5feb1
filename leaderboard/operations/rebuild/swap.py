"""The swap: the season's boards are from now on those that the rebuild made."""

from django.db.models.functions import Now

from config import db
from leaderboard.models import Version
from leaderboard.operations.rebuild.catch_up import catch_up_again, fold_changed
from leaderboard.operations.rebuild.refusals import CannotRebuild, Differs
from leaderboard.operations.rebuild.work import Work, old_is_trusted, sealed_through
from leaderboard.queries.rebuilt import kept_versions
from leaderboard.steps.rebuilding import expire_others, make_versions, match_versions
from seasons.models import Season
from seasons.steps import set_bests_damaged

REBUILD_OPEN_SWAP = db.statement(__file__, "rebuild_open_swap")
REBUILD_FENCE = db.statement(__file__, "rebuild_fence")
REBUILD_END_STOP = db.statement(__file__, "rebuild_end_stop")

FENCE_WAITS_MS = (250, 500, 1000, 1000, 1000)


def swap(work: Work) -> None:
    """
    Catch up to the last write, and let the season's row name the new namespace.

    One transaction with the publisher's lock and the fence, so that neither a version nor a
    write falls between the two. Others were in the way five times: CannotRebuild.
    """
    for wait in FENCE_WAITS_MS:
        catch_up_again(work)
        try:
            _swap(work, wait)
        except db.WORTH_REPEATING:
            continue
        return
    raise CannotRebuild("Writers or publishers were in the way five times.")


def _swap(work: Work, wait: int) -> None:
    season_id = work.season.id
    with db.transaction_opened_by(REBUILD_OPEN_SWAP.literal(season_id=season_id)):
        trusted = old_is_trusted(work)
        kept = kept_versions(season_id, work.rebuild.replaces)
        through = sealed_through(season_id)
        fold_changed(work, work.through, through, compared=trusted)
        make_versions(work.namespaces, kept)
        match_versions(work.namespaces)
        if trusted:
            require_same_totals(work)
        expire_others(work.namespaces, season_id)
        db.run_script(REBUILD_FENCE.literal(season_id=season_id, lock_milliseconds=wait))
        last = sealed_through(season_id) + 1
        fold_changed(work, through, last, compared=trusted)
        _flip(work)
        work.hold.finish(phase="swapped", swapped_at=Now(), through=last)


def require_same_totals(work: Work) -> None:
    """Raise Differs unless each version made has the players and sums that it has in use."""
    made, replaced, _ = work.namespaces
    totals = {
        namespace: {
            version.number: (version.kind, version.members, version.score_sums)
            for version in Version.objects.filter(namespace=namespace)
        }
        for namespace in (made, replaced)
    }
    for number, facts in totals[made].items():
        if totals[replaced].get(number, facts) != facts:
            raise Differs(
                f"Version {number} has {facts} where the one in use has "
                f"{totals[replaced][number]}."
            )


def _flip(work: Work) -> None:
    made, replaced, _ = work.namespaces
    missing = {version.number for version in kept_versions(work.season.id, replaced)} - set(
        Version.objects.filter(namespace=made).values_list("number", flat=True)
    )
    if missing:
        raise Differs(f"The versions {sorted(missing)} were not made.")
    flipped = Season.objects.filter(id=work.season.id, namespace=replaced).update(namespace=made)
    if not flipped:
        raise CannotRebuild("The season's boards were replaced meanwhile: begin anew.")
    db.execute(REBUILD_END_STOP.literal(season_id=work.season.id))
    set_bests_damaged(work.season.id, damaged=False)
