"""What a season's detail says, as far as results depend on it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from leaderboard.management.simulation.connection import (
    CannotRun,
    Connection,
    Json,
    Unreachable,
)

LATE = {"reject": "late_rejected", "review": "late_held"}
SUPPORTED = {"tie_rule": "shared", "order": "desc", "keep": "best"}


@dataclass(frozen=True, slots=True)
class Season:
    """The rules of a season and its current version."""

    season_id: str
    score_min: int
    score_max: int
    starts_at: datetime | None
    cutoff_at: datetime | None
    grace_seconds: float
    late_policy: str
    version: int
    as_of: str

    def ruled_out(self, completed_at: datetime) -> str | None:
        """Return the outcome of a result completed before the start or after the cutoff."""
        if self.starts_at is not None and completed_at < self.starts_at:
            return "before_start"
        if self.cutoff_at is not None and completed_at >= self.cutoff_at:
            return LATE.get(self.late_policy)
        return None

    def early(self) -> datetime | None:
        """Return a time before the start, if there is one."""
        return self.starts_at and self.starts_at - timedelta(seconds=1)

    def late(self, now: datetime) -> datetime | None:
        """Return a time after the cutoff, if a result may already bear one and is not moved."""
        soon = self.cutoff_at is not None and self.cutoff_at < now + timedelta(seconds=50)
        return self.cutoff_at if soon and self.late_policy in LATE else None


def learn_season(connection: Connection, season_id: str) -> Season:
    """Return the season, or raise CannotRun if nobody can write results into it."""
    try:
        reply = connection.ask("GET", f"/v1/seasons/{season_id}")
    except Unreachable as failure:
        raise CannotRun(f"No server answers: {failure}. Is `make run` running?") from failure
    if reply.status != 200:
        raise CannotRun(f"The season {season_id} cannot be read: {reply.in_words()}")
    detail = reply.body
    if detail["status"] not in {"open", "closing"}:
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
    )
