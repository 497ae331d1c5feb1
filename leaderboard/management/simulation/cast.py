"""Who plays and writes: a season alone, and the seasons of a series."""

from collections.abc import Callable
from functools import partial
from threading import Event

from leaderboard.management.simulation.delivery import Delivery
from leaderboard.management.simulation.desk import Desk
from leaderboard.management.simulation.folding import Player, brought_in
from leaderboard.management.simulation.friendships import Friendships
from leaderboard.management.simulation.kit import Kit
from leaderboard.management.simulation.opening import open_stage, read_boards
from leaderboard.management.simulation.options import WRITERS
from leaderboard.management.simulation.play import Play, Players
from leaderboard.management.simulation.population import choose_players
from leaderboard.management.simulation.profiles import Profiles
from leaderboard.management.simulation.routes import SeasonRoute, SeriesRoute
from leaderboard.management.simulation.scoring import Scoring
from leaderboard.management.simulation.season import Season
from leaderboard.management.simulation.service import PlayerService
from leaderboard.management.simulation.stage import Roster
from leaderboard.management.simulation.steward import Steward
from leaderboard.management.simulation.traffic import Sender, Traffic
from leaderboard.management.simulation.writer import Writer

SERIES_MARK = "s"

Work = Callable[[Event], None]


def play_season(kit: Kit, season: Season) -> Play:
    """Return a season ready to be played, by players of its board and newcomers."""
    connection = kit.connect()
    season, boards = read_boards(connection, season, kit.findings, kit.say)
    connection.close()
    own, friendships = f"sim-{kit.run_id}-", Friendships()
    kit.say(
        f"Season {season.season_id}: {len(boards.everybody):,} players at version "
        f"{season.version}."
    )
    stage = open_stage(kit, season, boards, own, friendships)
    players = choose_players(boards.everybody, kit.options.players, kit.run_id, kit.random)
    newcomers = [name for name, score in players if score is None]
    route = SeasonRoute(season.season_id)
    roster = Roster([stage])
    return Play(season.season_id, own, route, roster, players, newcomers, (), friendships)


def play_series(kit: Kit, series_id: str) -> tuple[Play, Steward]:
    """Return a series ready to be played, by newcomers only, and who takes care of it."""
    run_id = kit.run_id + SERIES_MARK
    own, roster, friendships = f"sim-{run_id}-", Roster(), Friendships()
    steward = Steward(kit, series_id, own, roster, friendships)
    steward.open()
    players = choose_players([], kit.options.players, run_id, kit.random)
    newcomers = [name for name, _ in players]
    regions = sorted({region for one in roster.stages for region in one.season.regions})
    route = SeriesRoute(series_id)
    play = Play(series_id, own, route, roster, players, newcomers, regions, friendships)
    kit.say(f"Series {series_id}: seasons {', '.join(roster.played)}.")
    return play, steward


def writer_of(kit: Kit, play: Play, number: int, given_up: Event) -> Work:
    """Return the work of one writer of a play."""
    players, random = play.players[number::WRITERS], kit.chance()
    sender = Sender(
        [name for name, _ in players], f"{play.own}{number}", kit.options.largest_batch
    )
    states = {season.season_id: _found(players) for season in play.seasons}
    traffic = Traffic(sender, Scoring(play.seasons[0], random), states, random)
    profiles = Profiles(play.regions, random)
    delivery = Delivery(kit.connect, *kit.ears, given_up)
    desk = Desk(number, play, traffic, profiles, delivery, *kit.ears)
    rate = kit.options.rate_of_each / WRITERS
    return partial(_write, Writer(desk), PlayerService(desk, random), rate)


def _write(writer: Writer, service: PlayerService, rate: float, stop: Event) -> None:
    service.introduce()
    writer.run(stop, rate, service.visit)


def _found(players: Players) -> dict[str, Player]:
    """Return the players who were found on the board."""
    return {name: brought_in(score) for name, score in players if score is not None}
