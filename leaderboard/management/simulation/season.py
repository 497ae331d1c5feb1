"""What a season's detail says, as far as results depend on it."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from leaderboard.management.simulation.connection import (
    CannotRun,
    Connection,
    Json,
    Unreachable,
)

LATE = {"reject": "late_rejected", "review": "late_held"}
LATE_FOR_GOOD = {**LATE, "next": "late_rejected"}
SUPPORTED = {"tie_rule": "shared", "order": "desc", "keep": "best"}
PLAYABLE = frozenset({"open", "closing"})
FIRST_TIME = datetime(1970, 1, 1, tzinfo=UTC)
# By how much the clocks of this machine and of the database may differ.
SKEW = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Season:
    """The rules of a season and its current version; `window` names the rule that made it."""

    season_id: str
    score_min: int
    score_max: int
    starts_at: datetime | None
    cutoff_at: datetime | None
    grace_seconds: float
    late_policy: str
    version: int
    as_of: str
    regions: tuple[str, ...] = ()
    window: str = ""

    def ruled_out(self, completed_at: datetime) -> str | None:
        """Return the outcome of a result completed before the start or after the cutoff."""
        if self.starts_at is not None and completed_at < self.starts_at:
            return "before_start"
        if self.cutoff_at is not None and completed_at >= self.cutoff_at:
            return LATE.get(self.late_policy)
        return None

    def contains(self, completed_at: datetime) -> bool:
        """Return whether a result completed then belongs to this season of a series."""
        return not self.is_before(completed_at) and not self.is_past(completed_at)

    def is_before(self, moment: datetime) -> bool:
        """Return whether the season has not begun at this moment."""
        return self.starts_at is not None and moment < self.starts_at

    def is_past(self, moment: datetime) -> bool:
        """Return whether the cutoff is over at this moment."""
        return self.cutoff_at is not None and moment >= self.cutoff_at

    def takes_until(self) -> datetime | None:
        """Return when the grace time ends; None: never."""
        return self.cutoff_at and self.cutoff_at + timedelta(seconds=self.grace_seconds)

    def may_take(self, sent: datetime) -> bool:
        """Return whether something sent then may still be in time by the server's clock."""
        until = self.takes_until()
        return until is None or sent < until + SKEW

    def may_refuse(self, answered: datetime) -> bool:
        """Return whether something answered then may have come too late, or after the end."""
        until = self.takes_until()
        return until is not None and answered > until - SKEW

    def board_of(self, region: str | None) -> str | None:
        """Return the regional board of players whose profile has this region."""
        return region if region in self.regions else None

    def early(self) -> datetime | None:
        """Return a time before the start, if there is one that a result may bear."""
        if self.starts_at is None or self.starts_at <= FIRST_TIME:
            return None
        return self.starts_at - timedelta(seconds=1)

    def late(self, now: datetime) -> datetime | None:
        """Return a time after the cutoff, if a result may already bear one and is not moved."""
        soon = self.cutoff_at is not None and self.cutoff_at < now + timedelta(seconds=50)
        return self.cutoff_at if soon and self.late_policy in LATE else None


def learn_season(
    connection: Connection, season_id: str, playable: Collection[str] = PLAYABLE
) -> Season:
    """Return the season, or raise CannotRun if nobody can write results into it."""
    try:
        reply = connection.ask("GET", f"/v1/seasons/{season_id}")
    except Unreachable as failure:
        raise CannotRun(f"No server answers: {failure}. Is `make run` running?") from failure
    if reply.status != 200:
        raise CannotRun(f"The season {season_id} cannot be read: {reply.in_words()}")
    detail = reply.body
    if detail["status"] not in playable:
        raise CannotRun(f"The season {season_id} is {detail['status']}; it takes no results.")
    for rule, value in SUPPORTED.items():
        if detail[rule] != value:
            raise CannotRun(f"Only seasons with {rule} {value} can be simulated.")
    return _season(detail)


def moment_of(text: str | None) -> datetime | None:
    """Return the time that an RFC 3339 text names."""
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))


def text_of(moment: datetime) -> str:
    """Return a time as RFC 3339 in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _season(detail: Json) -> Season:
    if detail["current_version"] is None:
        raise CannotRun(f"The season {detail['season_id']} has no published version yet.")
    return Season(
        season_id=detail["season_id"],
        score_min=detail["score_min"],
        score_max=detail["score_max"],
        starts_at=moment_of(detail["starts_at"]),
        cutoff_at=moment_of(detail["cutoff_at"]),
        grace_seconds=detail["grace_seconds"],
        late_policy=detail["late_policy"],
        version=detail["current_version"],
        as_of=detail["as_of"],
        regions=tuple(detail["regions"]),
    )
