"""Steps 8 and 9: a correction of a final season, and the proof of both versions."""

from leaderboard.management.season_demo import operator
from leaderboard.management.season_demo.correcting import correct
from leaderboard.management.season_demo.looking import FEW, Look, look_everywhere, some_players
from leaderboard.management.season_demo.model import moves
from leaderboard.management.season_demo.paying import (
    SETTLEMENT,
    compare_file,
    export,
    settlement_of,
    settlement_refused,
    walk_results,
)
from leaderboard.management.season_demo.reading import Sight, check_top
from leaderboard.management.season_demo.results import checksum, differences_file
from leaderboard.management.season_demo.stage import Stage


def correct_final(stage: Stage) -> None:
    """Correct the winner's score, and see a corrected version beside the final one."""
    final = stage.final_sight
    before = _final_bytes(stage)
    winner, middle = final.board.rows[0], final.board.rows[len(final.board) // 2]
    correct(stage, winner.player_id, middle.score)
    corrected = stage.settled()
    stage.corrected = corrected
    stage.checks.saw(
        f"{winner.player_id} goes from {winner.score:,} down to {middle.score:,} "
        f"in version {corrected.version}, which corrects {final.version}"
    )
    stage.checks.equal("bytes of the final version", before, _final_bytes(stage))
    _see_both(stage, final, corrected)
    look_everywhere(Look(stage, corrected), stage, [winner.player_id, *some_players(stage, FEW)])
    stage.follow()
    walk_results(stage, corrected, corrected.version)
    _export(stage, final, corrected)


def prove(stage: Stage) -> None:
    """Recompute both versions from the ledger."""
    for sight in (stage.final_sight, stage.corrected):
        assert sight is not None
        verified = operator.verify(stage.slug, sight.version)
        stage.checks.equal(f"verification of version {sight.version}", True, verified.agrees)  # noqa: FBT003
        stage.checks.saw(
            f"version {sight.version} is what the ledger says: "
            f"{verified.compared:,} comparisons of {verified.kinds} kinds"
        )


def _final_bytes(stage: Stage) -> list[bytes]:
    answers = [
        stage.client.get(stage.public("/leaderboard/top"), {"version": "final"}),
        stage.client.get(stage.public("/leaderboard/page"), {"version": "final"}),
        stage.client.get(stage.internal("results")),
    ]
    return [answer.content for answer in answers]


def _see_both(stage: Stage, final: Sight, corrected: Sight) -> None:
    """See which versions the season says it has, and which one is served unasked."""
    detail = stage.detail()
    found = (detail["status"], detail["final_version"], detail["corrected_versions"])
    stage.checks.equal("versions", ("final", final.version, [corrected.version]), found)
    body = stage.client.get(stage.public("/leaderboard/top")).body
    stage.checks.equal("staleness of a final season", False, body.get("stale"))  # noqa: FBT003
    pinned = {**body, "age_seconds": None, "stale": None, "as_of": corrected.as_of}
    if corrected.as_of is None:
        look = Look(stage, corrected)
        look.top()
        pinned["as_of"] = corrected.as_of
    check_top(stage.checks, corrected, pinned)


def _export(stage: Stage, final: Sight, corrected: Sight) -> None:
    path = stage.options.folder / "differences.csv"
    moved = moves(final.board, corrected.board)
    with stage.checks.timed("differences", len(moved)):
        operator.export_differences(stage.slug, corrected.version, path)
    compare_file(stage, path.name, differences_file(moved, [SETTLEMENT]))
    stage.checks.saw(f"{len(moved):,} players moved")
    export(stage, corrected, corrected.version)
    body = settlement_of(corrected, checksum(corrected.board))
    settlement_refused(stage, body, "that is on record with another version")
