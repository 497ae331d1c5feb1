"""The first phases: the bests are filled, indexed and attached, and the first versions counted."""

from leaderboard.models import Current
from leaderboard.operations.rebuild.refusals import CannotRebuild
from leaderboard.operations.rebuild.work import Work, seal, sealed_through
from leaderboard.queries.publication import boards_present
from leaderboard.queries.rebuilt import kept_versions
from leaderboard.steps import boards
from leaderboard.steps.rebuilding import make_versions
from scores.steps.rebuilding import (
    Refill,
    attach_bests,
    changed_players,
    copy_bests,
    create_bests,
    fold_listed,
    fold_results,
    refilling,
)
from seasons.steps import next_namespace

ROWS_A_PART = 3_000_000
MOST_PARTS = 16


def fill(work: Work) -> None:
    """Make tables for bests and undo, and fill the bests up to a watermark."""
    seal(work)
    with refilling():
        through = sealed_through(work.season.id)
        namespace = next_namespace()
        create_bests(namespace)
        if work.rebuild.source == "ledger":
            _fold(work, work.refill_of(namespace), through)
        else:
            _copy(work, namespace)
        work.hold.finish(phase="folded", namespace=namespace, through=through)


def attach(work: Work) -> None:
    """Build the indexes, and make the tables partitions; nobody reads them yet."""
    made = work.namespaces.made
    with refilling():
        attach_bests(made)
        boards.create_namespace(made)
        work.hold.finish(phase="indexed")


def count(work: Work) -> None:
    """Fold what needs the whole rule or undo, and count the versions that are kept."""
    # Asked before: another version may be published meanwhile, and is then the last one kept.
    current = Current.objects.get(season_id=work.season.id).number
    kept = kept_versions(work.season.id, work.rebuild.replaces)
    if not kept or kept[-1].number < current:
        raise CannotRebuild(f"The row of version {current} is lost: nothing says what it was.")
    work.hold.lease(work.season.id, kept[-1].number)
    seal(work)
    base = kept[0].number
    refill = work.refill._replace(base=base)
    decided = work.rebuild.source == "ledger"
    with refilling():
        through = sealed_through(work.season.id)
        after_epoch = min(base, work.through)
        with changed_players(refill, after_epoch=after_epoch, through=through, decided=decided):
            fold_listed(refill, through)
        make_versions(work.namespaces, kept)
        work.hold.finish(phase="counted", through=through, base=base)


def _fold(work: Work, refill: Refill, through: int) -> None:
    rows = Current.objects.get(season_id=work.season.id).ledger_rows
    parts = _parts(rows)
    for part in range(parts):
        work.hold.tell("fill", part, parts)
        fold_results(refill, through, part=part, parts=parts)


def _copy(work: Work, namespace: int) -> None:
    if not boards_present(work.rebuild.replaces, version=0).bests:
        raise CannotRebuild("The bests are lost: rebuild from the ledger.")
    copy_bests(namespace, work.rebuild.replaces)


def _parts(rows: int) -> int:
    """Return how many parts keep each small enough for the server's memory: a power of two."""
    parts = 1
    while parts < MOST_PARTS and parts * ROWS_A_PART < rows:
        parts *= 2
    return parts
