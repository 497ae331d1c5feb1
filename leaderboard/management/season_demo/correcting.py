"""Steps 3 and 4: everybody's place, and the corrections of a season that is open."""

from time import monotonic, sleep
from typing import Any

from leaderboard.management.season_demo.client import in_path
from leaderboard.management.season_demo.looking import FEW, Look, look_everywhere, some_players
from leaderboard.management.season_demo.receipts import Receipt
from leaderboard.management.season_demo.stage import POLL, PROMISED, Stage
from leaderboard.management.season_demo.traffic import HIGHEST

REMOVAL_IS_SEEN = (404, "player_not_ranked")


def read_board(stage: Stage) -> None:
    """Look at the board at one version from all sides, and fold the feed to it."""
    sight = stage.sight(stage.book.newest)
    players = some_players(stage, stage.options.looked_at)
    look_everywhere(Look(stage, sight), stage, players)
    stage.checks.saw(f"top 100 and {len(players):,} players at version {sight.version}")
    stage.follow()


def correct_open_season(stage: Stage) -> None:
    """Take a cheater off, bring back who was taken off wrongly, and lower a score."""
    cheater = _cheat(stage)
    _remove_cheater(stage, cheater)
    _remove_wrongly(stage)
    _lower(stage)
    sight = stage.settled()
    look_everywhere(Look(stage, sight), stage, [cheater, *some_players(stage, FEW)])
    stage.follow()


def correct(stage: Stage, player: str, score: int | None) -> Receipt:
    """Set a player's score, or with None remove the player, and return the receipt."""
    before, version = stage.model.shown(player), stage.traffic.next_version(player)
    if score is None:
        stage.model.remove(player, version)
    else:
        stage.model.correct(player, score, version)
    return _decide(stage, player, before, "correction", corrected_score=score)


def bring_back(stage: Stage, player: str, removal: Receipt) -> Receipt:
    """Void the removal of a player, and return the receipt."""
    before = stage.model.shown(player)
    stage.model.bring_back(player, stage.traffic.next_version(player))
    return _decide(stage, player, before, "void", void_event_id=removal.event_id)


def _decide(stage: Stage, player: str, before: int | None, kind: str, **content: Any) -> Receipt:
    model, version = stage.model, stage.traffic.versions[player]
    event_id = f"{kind}-{version}-{stage.traffic.names.index(player)}-{stage.slug[-20:]}"
    body = {
        "event_id": event_id,
        "player_id": player,
        **content,
        "score_version": version,
        "reason": "A demonstration.",
        "evidence": "The demo's own model.",
        "approved_by": "season-demo",
    }
    after = model.shown(player)
    answer = stage.client.post(stage.internal("corrections"), body)
    receipt = Receipt(event_id, player, "corrected", False, after, version, None)  # noqa: FBT003
    return stage.decided(answer, receipt, moved=before != after, kind=kind)


def _cheat(stage: Stage) -> str:
    """Let somebody from the middle take the first place with the highest score there is."""
    cheater = stage.board().rows[len(stage.model.best) // 2].player_id
    stage.send([stage.traffic.event(cheater, HIGHEST)])
    first = stage.settled().board.rows[0]
    stage.checks.equal("who leads", (1, cheater), (first.rank, first.player_id))
    stage.checks.saw(f"{cheater} cheats and leads with {HIGHEST:,}")
    return cheater


def _remove_cheater(stage: Stage, cheater: str) -> None:
    removal = correct(stage, cheater, None)
    accepted_at = monotonic()
    path = stage.public(f"/players/{in_path(cheater)}/rank")
    while stage.client.get(path).code != REMOVAL_IS_SEEN:
        if monotonic() - accepted_at > PROMISED:
            break
        sleep(POLL)
    stage.checks.within(f"{cheater} is off the board", monotonic() - accepted_at, PROMISED)
    look = Look(stage, stage.settled())
    look.top()
    look.absent(cheater)
    look.group([cheater, *(row.player_id for row in look.sight.board.rows[:FEW])])
    stage.checks.saw(f"gone everywhere from version {removal.visible_in_version} on, ranks close")
    # A result alone never brings anybody back.
    stage.send([stage.traffic.event(cheater, HIGHEST)])


def _remove_wrongly(stage: Stage) -> None:
    """Remove two players, let them play meanwhile, and void the removals."""
    rows = stage.board().rows
    idle, busy = rows[len(rows) // 10], rows[len(rows) // 5]
    removals = [correct(stage, row.player_id, None) for row in (idle, busy)]
    away = Look(stage, stage.settled())
    for row in (idle, busy):
        away.absent(row.player_id)
    better = busy.score + 1
    stage.send(
        [stage.traffic.event(idle.player_id, 0), stage.traffic.event(busy.player_id, better)]
    )
    for row, removal in zip((idle, busy), removals, strict=True):
        bring_back(stage, row.player_id, removal)
    back = Look(stage, stage.settled())
    for row in (idle, busy):
        back.player(row.player_id)
    _compare_return(stage, back, idle.player_id, (idle.rank, idle.score))
    _compare_return(stage, back, busy.player_id, (None, better))


def _compare_return(stage: Stage, look: Look, player: str, wanted: tuple[int | None, int]) -> None:
    """Check rank and score of somebody who is back; a rank of None may have changed."""
    body = stage.client.get(
        stage.public(f"/players/{in_path(player)}/rank"), {"version": look.sight.version}
    ).body
    found = (body.get("rank") if wanted[0] else None, body.get("score"))
    stage.checks.equal(f"rank and score of {player} after the return", wanted, found)
    stage.checks.saw(f"{player} is back with {body.get('score'):,}, rank {body.get('rank'):,}")


def _lower(stage: Stage) -> None:
    """Lower a score; the next result counts from there."""
    row = stage.board().rows[len(stage.model.best) // 4]
    correct(stage, row.player_id, row.score // 2)
    stage.send([stage.traffic.event(row.player_id, row.score // 2 + 1)])
    now = stage.model.shown(row.player_id)
    stage.checks.saw(f"{row.player_id} goes from {row.score:,} down to {now:,}")
