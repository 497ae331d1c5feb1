"""Whether what was made is what the ledger says, and what the boards in use say."""

import itertools
from collections.abc import Callable
from typing import Any

from django.db.models.functions import Now

from leaderboard.models import Verification, Version
from leaderboard.operations.rebuild.catch_up import catch_up_again
from leaderboard.operations.rebuild.refusals import Differs
from leaderboard.operations.rebuild.swap import require_same_totals
from leaderboard.operations.rebuild.work import Work, old_is_trusted
from leaderboard.operations.verify_season import rank_at
from leaderboard.proof import Proof, prove, subject_of
from leaderboard.queries.published import Published, published
from leaderboard.queries.rebuilt import digests
from leaderboard.queries.stored_top import stored_top
from scores.steps.rebuilding import refilling

MOST_NAMED = 5
# A proof says a line when a phase of it begins and one when it ends: some for each board.
LINES_OF_PROOF = 14
LINES_OF_A_BOARD = 6


def compare(work: Work) -> None:
    """Compare the newest version made with the boards in use, and with the ledger."""
    catch_up_again(work)
    version = Version.objects.filter(namespace=work.namespaces.made).latest("number")
    work.hold.lease(work.season.id, version.number)
    report: dict[str, Any] = {"version": version.number, "players": version.members}
    with refilling():
        if old_is_trusted(work):
            require_same_totals(work)
            _require_same_boards(work, version)
            report["boards_in_use"] = "agree"
        else:
            report["boards_in_use"] = "not compared: they are lost or known to be wrong"
    report["ledger"] = _prove(work, version)
    with refilling():
        stored = {**work.rebuild.report, "compared": report}
        work.hold.finish(phase="compared", report=stored)


def seen_as(season: Published, namespace: int, version: Version) -> Published:
    """Return the season as a reader would know it with the version of a namespace as current."""
    return season._replace(
        namespace=namespace,
        number=version.number,
        members=version.members,
        sealed_at=version.sealed_at,
    )


def _require_same_boards(work: Work, version: Version) -> None:
    for board, name in enumerate(("", *(f" of {region}" for region in work.season.regions))):
        _require_same_board(work, version, board, f"version {version.number}{name}")


def _require_same_board(work: Work, version: Version, board: int, named: str) -> None:
    made, replaced, _ = work.namespaces
    tops = [stored_top(one, version.number, board) for one in (made, replaced)]
    if tops[0] != tops[1]:
        raise Differs(f"The top of {named} is another one than in use.")
    ours, theirs = (digests(one, version, board) for one in (made, replaced))
    differing = [
        bucket
        for bucket in sorted({*ours, *theirs}, reverse=True)
        if ours.get(bucket) != theirs.get(bucket)
    ]
    if differing:
        first = ", ".join(map(str, differing[:MOST_NAMED]))
        raise Differs(
            f"{len(differing)} buckets of {named} have other players or scores than in use, "
            f"first those with the numbers {first}."
        )


def _prove(work: Work, version: Version) -> dict[str, Any]:
    season_id, made = work.season.id, work.namespaces.made
    subject = subject_of(season_id, version.number, namespace=made, until=work.through)
    begun = Verification.objects.create(
        season_id=season_id, version=version.number, namespace=made, scope="whole"
    )
    season = seen_as(published(work.season.slug), made, version)
    proof = prove(subject, rank_at(season, version.number), _say(work))
    Verification.objects.filter(id=begun.id).update(
        finished_at=Now(), agrees=proof.agrees, report=proof.as_json()
    )
    if not proof.agrees:
        raise Differs(f"What was made is not what the ledger says: {_named(proof)}.")
    return {"verification": begun.id, **proof.totals}


def _say(work: Work) -> Callable[[str], None]:
    lines = itertools.count(1)
    total = LINES_OF_PROOF + LINES_OF_A_BOARD * (1 + len(work.season.regions))
    return lambda _: work.hold.tell("compare", next(lines), total)


def _named(proof: Proof) -> str:
    differing = [check for check in proof.checks if check.differing]
    return "; ".join(
        f"{check.kind}: {check.differing} differ, first {check.first[0].place}"
        for check in differing
        if check.first
    )
