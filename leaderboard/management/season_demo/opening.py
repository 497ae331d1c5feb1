"""Steps 1 and 2: the season opens, and everybody plays."""

from collections import Counter

from leaderboard.management.season_demo import operator
from leaderboard.management.season_demo.client import Json
from leaderboard.management.season_demo.reading import check_reply
from leaderboard.management.season_demo.stage import Stage
from leaderboard.management.season_demo.traffic import Traffic
from leaderboard.management.simulation.connection import CannotRun
from leaderboard.management.simulation.season import moment_of

OPENS_IN = 2.0
SAID_EVERY = 50


def open_season(stage: Stage) -> None:
    """See the season scheduled and without players, and then open by itself."""
    operator.schedule_season(stage.slug, seconds=OPENS_IN, grace=stage.options.grace)
    detail = _scheduled(stage)
    starts_at = moment_of(detail["starts_at"])
    assert starts_at is not None
    stage.book.starts_at = detail["starts_at"]
    stage.traffic = Traffic(
        stage.random, f"{stage.random.getrandbits(32):08x}", stage.options.players, starts_at
    )
    stage.checks.equal("state before the start", "scheduled", detail["status"])
    stage.checks.saw(f"{stage.slug} is {detail['status']}, it starts at {detail['starts_at']}")
    stage.refused([stage.traffic.event(stage.traffic.names[0], 1)], "season_not_open")
    _see_empty_board(stage, detail["current_version"])
    _, seconds = stage.until(lambda season: season["status"] == "open", "the season is open")
    stage.checks.saw(f"open by itself after {seconds:.2f} s more")


def play(stage: Stage) -> None:
    """Deliver everybody's results, and check every receipt."""
    events = stage.traffic.season()
    outcomes: Counter[str] = Counter()
    sent = 0
    for number, batch in enumerate(stage.traffic.batches(events), 1):
        with stage.checks.timed("events", len(batch)):
            receipts = stage.send(batch)
        sent += len(batch)
        outcomes.update(
            "replayed" if receipt.replayed else receipt.outcome for receipt in receipts if receipt
        )
        if number % SAID_EVERY == 0:
            stage.checks.saw(f"{sent:,} of about {len(events):,} results")
            stage.detail()
    stage.checks.saw(", ".join(f"{number:,} {what}" for what, number in outcomes.most_common()))
    _see_lone_conflict(stage)
    sight = stage.settled()
    stage.checks.saw(f"{len(sight.board):,} players on the board")


def _scheduled(stage: Stage) -> Json:
    answer = stage.client.get(stage.public())
    if answer.status == 404:
        raise CannotRun(
            f"The server at {stage.options.base_url} does not have the season that was made in "
            "the database: give the DATA_DIR or DATABASE_URL that it was started with."
        )
    return stage.detail()


def _see_empty_board(stage: Stage, version: int) -> None:
    sight = stage.sight(version)
    answer = stage.client.get(stage.public("/leaderboard/top"), {"version": version})
    check_reply(stage.checks, "top of nobody", sight, answer.body, entries=[])


def _see_lone_conflict(stage: Stage) -> None:
    event, _ = next(iter(stage.book.first.values()))
    stage.refused([event._replace(match_id="another-match")], "event_conflict")
