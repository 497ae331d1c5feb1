"""What is written while a rebuild goes on is folded in, again and again, until little is left."""

from leaderboard.operations.rebuild.refusals import Differs
from leaderboard.operations.rebuild.work import Work, old_is_trusted, seal, sealed_through
from leaderboard.queries.rebuilt import kept_versions
from leaderboard.steps.rebuilding import make_versions, match_versions
from scores.queries.accepted_events import differing_bests
from scores.steps.rebuilding import changed_players, fold_listed, refilling

FEW = 2_000
MOST_ROUNDS = 20


def catch_up(work: Work) -> None:
    """Do rounds until few players changed in one, and note that the rest is little."""
    _rounds(work)
    with refilling():
        work.hold.finish(phase="caught_up")


def catch_up_again(work: Work) -> None:
    """Do rounds until few players changed in one."""
    _rounds(work)


def fold_changed(work: Work, after_epoch: int, through: int, *, compared: bool) -> int:
    """
    Fold anew who has events in (after, through], and return how many these are.

    Raises Differs if it is asked to compare, and the bests in use say something else of them.
    """
    made, replaced, _ = work.namespaces
    with changed_players(work.refill, after_epoch=after_epoch, through=through) as players:
        fold_listed(work.refill, through)
        if compared and (differing := differing_bests(made, replaced)):
            names = ", ".join(differing)
            raise Differs(f"The bests in use differ from what their events fold to: {names}.")
    return players


def _rounds(work: Work) -> None:
    for _ in range(MOST_ROUNDS):
        work.rebuild.refresh_from_db()
        if _round(work) <= FEW:
            break
    work.rebuild.refresh_from_db()


def _round(work: Work) -> int:
    # The version is read before the epoch is sealed: so it is included by what is folded.
    kept = kept_versions(work.season.id, work.rebuild.replaces)
    work.hold.lease(work.season.id, kept[-1].number)
    seal(work)
    with refilling():
        through = sealed_through(work.season.id)
        players = fold_changed(work, work.through, through, compared=old_is_trusted(work))
        make_versions(work.namespaces, kept)
        match_versions(work.namespaces)
        work.hold.finish(through=through)
    return players
