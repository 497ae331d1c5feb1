"""
A season of any kind under what writes, publishes and purges, beside its oracle.

Few players, scores and times, so that ties, moves between buckets and returns happen; each
example has a season and players of its own in the database of the module.
"""

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from config import db
from leaderboard.models import Current, Lease, Version
from leaderboard.operations import publish_version, purge_versions, verify_season
from leaderboard.operations.rebuild import drop_replaced
from leaderboard.queries import Position, Published, changes, published
from leaderboard.queries.changes import ChangeRow
from scores.models import Undo
from scores.rules import Event
from seasons.models import Seal, Season
from tests.api import token
from tests.factories import make_season, unused_slug
from tests.leaderboard.agreement import require_gone, require_version
from tests.leaderboard.rebuild.seasons_to_rebuild import bests_of, namespace_of, rebuild, undo_of
from tests.leaderboard.replies import Reader, changes_of
from tests.oracle import Change
from tests.play import Play, Wanted

LETTERS = "aBcDeFgh"
NAMES = [*LETTERS, "nobody"]
BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
LONG_GRACE = 30 * 86_400
# What scores there are, and which of them are played.
SCORES: dict[tuple[int, int], list[int]] = {
    (0, 600): [0, 1, 249, 250, 251, 499, 500, 600],
    (0, 42): [0, 1, 2, 41, 42],
    (100, 900): [100, 349, 350, 351, 600, 899, 900],
    (0, 1_000_000_000): [0, 1, 2, 3, 500_000_000, 999_999_999, 1_000_000_000],
}
REGIONS = ("EU", "NA")
SHOWN_AS = {"set": "correction", "remove": "correction", "release": "result"}

REPLACED_BUCKETS = db.Statement("""
    SELECT older.bucket
    FROM leaderboard_bucket AS older
    INNER JOIN leaderboard_bucket AS newer USING (namespace, board, bucket)
    WHERE namespace = %(space)s AND older.version < newer.version AND newer.version <= %(oldest)s
""")
NUMBERS_OF_TOPS = db.Statement(
    "SELECT DISTINCT version FROM leaderboard_top WHERE namespace = %(space)s ORDER BY version"
)
NUMBERS_OF_PREFIXES = db.Statement(
    "SELECT DISTINCT version FROM leaderboard_prefix WHERE namespace = %(space)s ORDER BY version"
)

seasons = st.fixed_dictionaries(
    {
        "tie_rule": st.sampled_from(["shared", "earliest"]),
        "order": st.sampled_from(["desc", "asc"]),
        "keep": st.sampled_from(["best", "latest"]),
        "regions": st.sampled_from([REGIONS, (), REGIONS[:1]]),
    }
)
ranges = st.sampled_from(sorted(SCORES))
players = st.sampled_from(LETTERS)
ahead = st.sampled_from([1, 1, 1, 1, 2, 3, 0, -1])
picked = st.integers(0, 30)
seconds = st.integers(0, 2)
wanted = st.tuples(players, picked, ahead, seconds)
# Of what was sent or is being sent, one more time, perhaps with another score.
echoes = st.tuples(picked, st.one_of(st.none(), picked))
kinds = st.sampled_from(["set", "set", "remove", "void"])
times = st.sampled_from(["kept", "kept", "cleared", "cleared", 0, 1, 2])
decisions = st.tuples(kinds, players, picked, ahead, times)
moves = st.tuples(
    players,
    st.sampled_from([*REGIONS, *REGIONS, "elsewhere", None]),
    st.sampled_from([1, 1, 2, 0, -1]),
)


class BoardsMachine(RuleBasedStateMachine):
    """A season that is played, published, purged, rebuilt, proved and read."""

    def begin(self, rules: dict[str, Any]) -> None:
        """Make the season."""
        times = {"starts_at": BEGAN - timedelta(days=1), "grace_seconds": LONG_GRACE}
        season = make_season(unused_slug(), **times, **rules)
        self.play = Play(season)
        self.slug = season.slug
        # Profiles and friends are those of all seasons.
        self.players = [f"{self.slug}-{name}" for name in NAMES]
        self.regions = [None, *season.regions]
        self.scores = SCORES[season.score_min, season.score_max]
        self.numbers = [1]
        self.gone: set[int] = set()
        self.unpublished: list[int] = []
        self.position = Position()
        self.walked: list[ChangeRow] = []

    @rule(
        batch=st.lists(wanted, min_size=3, max_size=10),
        again=st.lists(echoes, max_size=3),
        shown=st.booleans(),
    )
    def results(
        self,
        batch: list[tuple[str, int, int, int]],
        again: list[tuple[int, int | None]],
        *,
        shown: bool,
    ) -> None:
        events = [
            self.play.result(Wanted(self.id(who), self.score(which), by, self.at(second)))
            for who, which, by, second in batch
        ]
        sent = [one for one in self.play.sent if isinstance(one, Event)] + events
        for which, other in again:
            repeated = sent[which % len(sent)]
            if other is not None:
                repeated = repeated._replace(best_score=self.score(other))
            events.insert(which % len(events), repeated)
        self.play.send(*events)
        if shown:
            self.seal_and_publish()

    @rule(decisions=st.lists(decisions, min_size=2, max_size=5), shown=st.booleans())
    def correct(
        self, decisions: list[tuple[str, str, int, int, int | str]], *, shown: bool
    ) -> None:
        for kind, who, which, by, time in decisions:
            if kind == "void":
                self.play.void(self.id(who), which, by)
            elif kind == "remove":
                self.play.correct(self.id(who), by)
            else:
                self._set(who, which, by, time)
        if shown:
            self.seal_and_publish()

    @rule(batch=st.lists(moves, min_size=1, max_size=6), shown=st.booleans())
    def profiles(self, batch: list[tuple[str, str | None, int]], *, shown: bool) -> None:
        self.play.profiles(*((self.id(who), region, by) for who, region, by in batch))
        if shown:
            self.seal_and_publish()

    @rule(who=players, named=st.lists(st.sampled_from(NAMES), max_size=5), by=ahead)
    def befriend(self, who: str, named: list[str], by: int) -> None:
        self.play.befriend(self.id(who), list(map(self.id, named)), by)

    @rule(batches=st.lists(st.lists(wanted, min_size=1, max_size=4), min_size=2, max_size=4))
    def live(self, batches: list[list[tuple[str, int, int, int]]]) -> None:
        for batch in batches:
            self.results(batch, [], shown=True)

    @rule(times=st.sampled_from([1, 1, 1, 3, 31]))
    def seal(self, times: int) -> None:
        for _ in range(times):
            self.unpublished.append(self.play.oracle.epoch)
            self.play.seal()

    @rule()
    def publish(self) -> None:
        taken = self.unpublished[:30]
        changed = any(c.visible and c.epoch in taken for c in self.play.oracle.changes)
        done = publish_version(self.play.season_id)
        self.unpublished = self.unpublished[30:]
        assert done.more == bool(self.unpublished)
        if not taken:
            assert (done.outcome, done.version) == ("idle", self.numbers[-1])
        elif not changed:
            assert (done.outcome, done.version) == ("unchanged", self.numbers[-1])
        else:
            assert done.outcome == "published"
            assert done.version is not None
            assert done.version >= max(taken)
            assert done.version > self.numbers[-1]
            self.numbers.append(done.version)

    def seal_and_publish(self) -> None:
        self.seal(1)
        self.publish()

    @rule(which=picked)
    def purge(self, which: int) -> None:
        if len(self.readable) < 2:
            return
        last = self.readable[which % (len(self.readable) - 1)]
        stay = self._leased() | self.kept_for_ever
        can_go = [number for number in self.readable[:-1] if number not in stay]
        purged = purge_versions(self.play.season_id, version_kept_seconds=self._age_of(last))
        # Those replaced just after the last one are old enough too, if the purge began late.
        at_least = min(20, sum(number <= last for number in can_go))
        assert len(purged) >= at_least
        assert purged == can_go[: len(purged)]
        self.gone.update(purged)
        self.read_version(self.readable[0], 3)
        self._require_nothing_kept_in_vain()

    @rule(source=st.sampled_from(["ledger", "bests"]), dropped=st.booleans())
    def rebuild(self, source: str, *, dropped: bool) -> None:
        old = namespace_of(self.play)
        rebuild(self.play, source)
        new = namespace_of(self.play)
        self.play.namespace = new
        self.unpublished = self.sealed_but_unpublished()
        still = {self.numbers[-1], *self.kept_for_ever}
        self.gone.update(number for number in self.readable if number not in still)
        versions = Version.objects.filter(namespace=new).values_list("number", flat=True)
        assert sorted(versions) == self.readable
        assert self.published().number == self.numbers[-1]
        assert bests_of(new) == bests_of(old)
        assert undo_of(new, after=0) == undo_of(old, after=self.readable[0])
        self._require_nothing_kept_in_vain()
        if dropped:
            assert drop_replaced(self.slug)

    @rule(which=picked)
    def verify(self, which: int) -> None:
        number = self.readable[which % len(self.readable)]
        verification = verify_season(self.slug, version=number)
        assert verification.agrees, verification.report

    @rule(which=picked, limit=st.sampled_from([1, 2, 3, 50]))
    def read(self, which: int, limit: int) -> None:
        self.read_version(self.numbers[which % len(self.numbers)], limit)

    @rule(
        board=picked,
        which=st.one_of(st.none(), picked),
        limit=st.sampled_from([1, 2, 3, 50]),
        who=players,
        score=picked,
    )
    def ask(self, board: int, which: int | None, limit: int, who: str, score: int) -> None:
        region = self.regions[board % len(self.regions)]
        number = self.numbers[-1] if which is None else self.readable[which % len(self.readable)]
        pinned = which is not None
        reader = Reader(self.slug, self.play.oracle, number, region=region, pinned=pinned)
        some = [self.id(who), *self.players[score % 3 :: 3]]
        reader.require_all(sorted({*some}), [self.score(score)], limit)

    @rule(limit=st.integers(1, 5))
    def walk(self, limit: int) -> None:
        found = changes(self.published(), self.position, limit=limit)
        self.walked.extend(found.rows)
        self.position = found.next

    @property
    def readable(self) -> list[int]:
        """Return the numbers of the versions that can be read, oldest first."""
        return [number for number in self.numbers if number not in self.gone]

    @property
    def kept_for_ever(self) -> set[int]:
        """Return the numbers of the versions that no purge takes."""
        return set()

    def teardown(self) -> None:
        if not hasattr(self, "walked"):
            return
        try:
            self.end()
        finally:
            # Nobody moves its players any more.
            Season.objects.filter(slug=self.slug).update(regions=[])

    def end(self) -> None:
        """Look at what is pending, publish it, and look at everything once more."""
        for board, who in enumerate(LETTERS[: len(self.regions)]):
            self.ask(board, None, 2, who, board)
        self.seal_and_publish()
        while self.unpublished:
            self.publish()
        for number in self.numbers:
            self.read_version(number, 2)
        self.ask(self.numbers[-1], self.numbers[-1], 2, LETTERS[0], self.numbers[-1])
        self.verify(len(self.readable) - 1)
        self.play.require_same_bests()
        self._require_whole_walk()

    def read_version(self, number: int, limit: int) -> None:
        season = self.published()
        assert season.number == self.numbers[-1]
        if number in self.gone:
            require_gone(season, number, self.players[0])
        else:
            require_version(season, number, self.play.oracle, self.players, [limit])

    def published(self) -> Published:
        """Return the season as its readers know it."""
        return published(self.slug)

    def note_versions(self) -> None:
        """Note which versions were published by other ways than the publisher's."""
        newer = Version.objects.filter(namespace=self.play.namespace, number__gt=self.numbers[-1])
        self.numbers.extend(newer.order_by("number").values_list("number", flat=True))
        self.unpublished = self.sealed_but_unpublished()
        self.play.oracle.epoch = self.play.open_epoch

    def id(self, name: str) -> str:
        return f"{self.slug}-{name}"

    def score(self, which: int) -> int:
        return self.scores[which % len(self.scores)]

    def at(self, second: int) -> datetime:
        return BEGAN + timedelta(seconds=second)

    def _set(self, who: str, which: int, by: int, time: int | str) -> None:
        at: dict[str, Any] = {} if time == "kept" else {"keeps_time": False}
        if isinstance(time, int):
            at["achieved_at"] = self.at(time)
        self.play.correct(self.id(who), by, corrected_score=self.score(which), **at)

    def _require_whole_walk(self) -> None:
        while True:
            before = len(self.walked)
            self.walk(2)
            if len(self.walked) == before:
                break
        assert [row.version for row in self.walked] == sorted(row.version for row in self.walked)
        merit, region = self.play.merit, self.regions
        self._require_changes(
            [
                (
                    row.player_id,
                    merit(row.old_score),
                    merit(row.new_score),
                    row.score_version,
                    "result" if row.kind == "release" else row.kind,
                    region[row.region or 0],
                    row.version,
                    None if row.kind == "region" else row.event_id,
                )
                for row in self.walked
            ]
        )
        told = changes_of(self.slug, token("changes:read"), 50)
        assert [one["event_id"] for one in told] == [row.event_id for row in self.walked]
        self._require_changes(
            [
                (
                    *(one[name] for name in ("player_id", "old_score", "new_score")),
                    *(one[name] for name in ("score_version", "kind", "region", "version")),
                    None if one["kind"] == "region" else one["event_id"],
                )
                for one in told
            ]
        )

    def _require_changes(self, found: list[tuple[Any, ...]]) -> None:
        """The changes of each player are the oracle's, in the order of their application."""
        expected = [
            self._told(change)
            for player in self.play.oracle.players.values()
            for change in player.changes
            if change.visible
        ]
        by_player = {
            name: [row for row in found if row[0] == name] for name in self.play.oracle.players
        }
        assert list(itertools.chain(*by_player.values())) == expected
        assert len(found) == len(expected)

    def _told(self, change: Change) -> tuple[Any, ...]:
        return (
            change.player_id,
            *change.scores,
            change.score_version,
            SHOWN_AS.get(change.kind, change.kind),
            change.region,
            min(number for number in self.numbers if number >= change.epoch),
            change.event_id,
        )

    def _require_nothing_kept_in_vain(self) -> None:
        play, oldest = self.play, self.readable[0]
        assert not Undo.objects.filter(namespace=play.namespace, to_epoch__lte=oldest).exists()
        assert not Seal.objects.filter(season_id=play.season_id, epoch__lte=oldest).exists()
        replaced = db.fetch_all(int, REPLACED_BUCKETS, space=play.namespace, oldest=oldest)
        assert replaced == []
        for stored in (NUMBERS_OF_TOPS, NUMBERS_OF_PREFIXES):
            assert db.fetch_all(int, stored, space=play.namespace) == self.readable

    def sealed_but_unpublished(self) -> list[int]:
        through = Current.objects.get(season_id=self.play.season_id).through
        seals = Seal.objects.filter(season_id=self.play.season_id, epoch__gt=through)
        return list(seals.order_by("epoch").values_list("epoch", flat=True))

    def _leased(self) -> set[int]:
        leases = Lease.objects.filter(
            season_id=self.play.season_id, expires_at__gt=datetime.now(UTC)
        )
        return set(leases.values_list("version", flat=True))

    def _age_of(self, number: int) -> float:
        version = Version.objects.get(namespace=self.play.namespace, number=number)
        assert version.replaced_at is not None
        return (datetime.now(UTC) - version.replaced_at).total_seconds()
