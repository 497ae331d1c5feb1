"""What a trusted service says of players beside their results: regions and friends."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from urllib.parse import quote

from leaderboard.management.simulation.attempt import Attempt
from leaderboard.management.simulation.book import Written
from leaderboard.management.simulation.delivery import Answer, Letter, NothingMoreToWrite
from leaderboard.management.simulation.desk import Desk
from leaderboard.management.simulation.friendships import (
    Befriending,
    friends_body,
    judge_list,
    says,
)
from leaderboard.management.simulation.moves import Move
from leaderboard.management.simulation.profiles import (
    Profile,
    judge_several,
    judge_single,
)
from leaderboard.management.simulation.season import Season

MOVING, BEFRIENDING, SEVERAL = 0.15, 0.1, 0.3
TOGETHER, INTRODUCED, KNOWN_BEFORE = 20, 200, 0.8
REFUSED = {401, 403}


class PlayerService:
    """Writes profiles and friend lists of the newcomers among a writer's players."""

    def __init__(self, desk: Desk, random: Random) -> None:
        """Write about the players of this desk."""
        self._desk, self._findings, self._tally = desk, desk.findings, desk.tally
        self._play, self._profiles, self._random = desk.play, desk.profiles, random
        self._befriending = Befriending(self._play.friendships, self._play.names, random)
        newcomers = set(self._play.newcomers)
        self._names = [name for name in desk.traffic.names if name in newcomers]
        self._refused = False

    def introduce(self) -> None:
        """Say of most players where they belong, before they play."""
        if not self._play.regions:
            return
        known = [name for name in self._names if self._random.random() < KNOWN_BEFORE]
        for at in range(0, len(known), INTRODUCED):
            self._say([self._profiles.first_of(name) for name in known[at : at + INTRODUCED]])

    def visit(self) -> None:
        """Say something now and then."""
        if self._refused or not self._names:
            return
        if self._play.regions and self._random.random() < MOVING:
            several = self._random.random() < SEVERAL
            count = self._random.randint(2, TOGETHER) if several else 1
            self._say([self._profiles.next_of(self._pick()) for _ in range(count)])
        if self._random.random() < BEFRIENDING:
            self._befriend(self._pick())

    def _say(self, sent: Sequence[Profile]) -> None:
        """Send profiles, one alone or several at once, and note who moves by them."""
        attempt = Attempt(self._desk.number, self._play.roster.stages)
        answer = self._ask(_letter_of(sent))
        if answer is None:
            attempt.end()
            return
        stored, reply = self._profiles.after(sent), answer.reply
        if len(sent) == 1:
            kept = stored[sent[0].player_id]
            self._findings.extend(judge_single(sent[0], kept, reply.status, reply.body))
        else:
            self._findings.extend(judge_several(sent, stored, reply.status, reply.body))
        attempt.end(self._moved(stored, attempt, reply.arrived))
        self._profiles.store(stored)
        self._tally.count("profiles", len(sent))

    def _moved(
        self, stored: Mapping[str, Profile], attempt: Attempt, answered: float
    ) -> dict[str, list[Written]]:
        """Return what new profiles do in each season whose grace time is not over."""
        answered_at = datetime.now(UTC)
        written: dict[str, list[Written]] = {}
        for stage, newest in attempt.newest.items():
            season = stage.season
            if not season.may_take(attempt.sent_at):
                continue
            moves = [
                move
                for profile in stored.values()
                if (move := self._move(season, profile, newest, answered))
            ]
            for move in moves:
                move.open_ended = season.may_refuse(answered_at)
            written[season.season_id] = [self._written(season, move) for move in moves]
            self._tally.count("moves", sum(move.score is not None for move in moves))
        return written

    def _move(self, season: Season, profile: Profile, newest: int, answered: float) -> Move | None:
        name = profile.player_id
        player = self._desk.traffic.player(season.season_id, name)
        old = season.board_of(self._profiles.of(name).region)
        new = season.board_of(profile.region)
        if old == new or player.version is None:
            return None
        return Move(name, player.standing.shown, player.version, old, new, newest, answered)

    def _written(self, season: Season, move: Move) -> Written:
        """Return what a move does: of somebody who is not shown, nothing that the feed tells."""
        state = (move.score, move.score, move.score_version)
        shown = None if move.score is None else move
        return Written(move.player_id, *state, (), move.region, shown)

    def _befriend(self, player: str) -> None:
        """Send a friend list."""
        given, stored = self._befriending.next_of(player), self._play.friendships.of(player)
        attempt = Attempt(self._desk.number, self._play.roster.stages)
        path = f"/internal/v1/players/{quote(player, safe='')}/friends"
        answer = self._ask(Letter(path, friends_body(given, self._random), "PUT"))
        if answer is not None:
            reply = answer.reply
            self._findings.extend(judge_list(given, stored, reply.status, reply.body))
            if says(stored, given):
                self._play.friendships.record(given, attempt.sent, reply.arrived)
            self._tally.count("friend lists")
        attempt.end()

    def _ask(self, letter: Letter) -> Answer | None:
        """Return the answer, None if this token may not say anything of players."""
        answers = self._desk.delivery.deliver(letter)
        if answers is None:
            self._findings.add("write_unanswered", letter.path)
            raise NothingMoreToWrite("The server no longer answers.")
        self._tally.took(f"write: {letter.path.rsplit('/', 1)[-1]}", answers[0].reply.seconds)
        self._refused = answers[0].reply.status in REFUSED
        return None if self._refused else answers[0]

    def _pick(self) -> str:
        return self._random.choice(self._names)


def _letter_of(sent: Sequence[Profile]) -> Letter:
    if len(sent) == 1:
        path = f"/internal/v1/players/{quote(sent[0].player_id, safe='')}/profile"
        return Letter(path, sent[0].body(), "PUT")
    profiles = [{"player_id": one.player_id, **one.body()} for one in sent]
    return Letter("/internal/v1/players/profiles", {"profiles": profiles})
