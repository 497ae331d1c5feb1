"""Steps 5 and 6: the cutoff with its late results, and the final version."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from time import monotonic

from leaderboard.management.season_demo import operator
from leaderboard.management.season_demo.client import Json
from leaderboard.management.season_demo.looking import FEW, Look, look_everywhere, some_players
from leaderboard.management.season_demo.receipts import Receipt
from leaderboard.management.season_demo.stage import Stage
from leaderboard.management.season_demo.traffic import HIGHEST, Event
from leaderboard.management.simulation.connection import CannotRun
from leaderboard.management.simulation.season import moment_of, text_of

IN_TIME = 200
FOR_EVER = "public, max-age=31536000, immutable"
HELD_MEMBERS = (
    "event_id",
    "match_id",
    "player_id",
    "best_score",
    "score_version",
    "completed_at",
)


def close_season(stage: Stage) -> None:
    """Close the season, deliver what comes late, and decide on what is held."""
    operator.close(stage.slug)
    detail, _ = stage.until(lambda season: season["status"] == "closing", "the season is closing")
    stage.book.cutoff_at = detail["cutoff_at"]
    cutoff = moment_of(detail["cutoff_at"])
    assert cutoff is not None
    stage.checks.saw(f"closing, the cutoff was at {detail['cutoff_at']}")
    stage.send(_in_time(stage, cutoff))
    late = _late(stage, cutoff)
    stage.send(late)
    stage.send(late[:1])
    released, refused, *others = late
    _see_held(stage, late)
    _release(stage, released)
    _refuse(stage, refused)
    _see_held(stage, others)
    _require_closing(stage)
    sight = stage.settled()
    look_everywhere(Look(stage, sight), stage, [event.player_id for event in late])
    stage.follow()


def see_final(stage: Stage) -> None:
    """Wait until the worker has made the season final, and see what that means."""
    detail, seconds = stage.until(lambda season: season["status"] == "final", "it is final")
    stage.checks.saw(f"final by itself after {seconds:.2f} s more")
    stage.final = sight = stage.sight(detail["final_version"])
    sight.final, sight.corrects = True, None
    stage.checks.equal("current and final version", sight.version, detail["current_version"])
    _see_transitions(stage)
    _see_refusals(stage)
    look = Look(stage, sight, "final")
    look_everywhere(look, stage, some_players(stage, FEW))
    _see_kept_for_ever(stage)


def _in_time(stage: Stage, cutoff: datetime) -> list[Event]:
    """Return results completed up to the last microsecond before the cutoff."""
    players = some_players(stage, IN_TIME)
    return [
        stage.traffic.event(
            player,
            stage.random.randrange(HIGHEST * 9 // 10),
            text_of(cutoff - timedelta(microseconds=1 + 1000 * number)),
        )
        for number, player in enumerate(players)
    ]


def _late(stage: Stage, cutoff: datetime) -> list[Event]:
    """Return results completed from the cutoff on, each better than what the player has."""
    rows = stage.board().rows[1 :: len(stage.model.best) // 5]
    return [
        stage.traffic.event(
            row.player_id,
            min(HIGHEST, row.score + 1000 + number),
            text_of(cutoff + timedelta(microseconds=number)),
        )
        for number, row in enumerate(rows)
    ]


def _see_held(stage: Stage, events: Sequence[Event]) -> None:
    answer = stage.client.get(stage.internal("held"))
    stage.checks.equal("status of the held results", 200, answer.status)
    held: list[Json] = answer.body.get("held", [])
    found = [Event(*(result[member] for member in HELD_MEMBERS)) for result in held]
    stage.checks.equal("held results", sorted(events), sorted(found))
    stage.checks.saw(f"{len(found)} results are held")


def _release(stage: Stage, event: Event) -> None:
    """Let a held result in: it counts at its own version."""
    player = event.player_id
    outcome = stage.model.release(player, event.best_score)
    stored = stage.model.best[player], stage.model.version[player]
    wanted = Receipt(event.event_id, player, outcome, False, *stored, None)  # noqa: FBT003
    receipt = operator.release(stage.slug, event.event_id)
    found = Receipt(*receipt[:7])
    shown = found.visible_in_version is not None
    stage.checks.equal("receipt of a release", (wanted, True), (_without(found), shown))
    stage.written_at = monotonic()
    stage.promised(found, "result", event.score_version)
    stage.checks.saw(f"{player} gets {event.best_score:,} from a held result that is let in")


def _refuse(stage: Stage, event: Event) -> None:
    player = event.player_id
    stored = stage.model.best[player], stage.model.version[player]
    wanted = Receipt(event.event_id, player, "late_rejected", False, *stored, None)  # noqa: FBT003
    receipt = operator.refuse(stage.slug, event.event_id)
    stage.checks.equal("receipt of a refusal", wanted, receipt and Receipt(*receipt[:7]))
    again = operator.refuse(stage.slug, event.event_id)
    stage.checks.equal("a second decision", None, again)


def _without(receipt: Receipt) -> Receipt:
    return receipt._replace(visible_in_version=None)


def _require_closing(stage: Stage) -> None:
    if stage.detail()["status"] != "closing":
        raise CannotRun(
            f"The grace time of {stage.options.grace} s was over before the late results were "
            "decided on: the machine is too slow for it. Give a longer one with GRACE."
        )


def _see_transitions(stage: Stage) -> None:
    noted = operator.transitions(stage.slug)
    wanted = [("open", "clock"), ("closing", operator.ACTOR), ("final", "clock")]
    stage.checks.equal("recorded transitions", wanted, [(one.status, one.actor) for one in noted])
    for one in noted:
        stage.checks.saw(f"on record: {one.status} by {one.actor}: {one.reason}")


def _see_refusals(stage: Stage) -> None:
    """See that nothing new is taken, and that what is known keeps its first receipt."""
    new = stage.traffic.event(stage.traffic.names[0], HIGHEST, stage.book.starts_at)
    known = [event for event, _ in list(stage.book.first.values())[-FEW:]]
    stage.refused([new], "season_final")
    stage.refused([known[0], new], "season_final")
    stage.send(known)


def _see_kept_for_ever(stage: Stage) -> None:
    path, final = stage.public("/leaderboard/top"), {"version": "final"}
    answer = stage.client.get(path, final)
    kept = answer.headers.get("Cache-Control")
    stage.checks.equal("how long the final version may be kept", FOR_EVER, kept)
    tag = {"If-None-Match": answer.headers.get("ETag")}
    again = stage.client.get(path, final, tag)
    stage.checks.equal("the same asked for again", (304, b""), (again.status, again.content))
