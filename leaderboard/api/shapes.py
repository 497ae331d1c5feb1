"""The replies about boards, member by member."""

from typing import Annotated, Any

from msgspec import UNSET, Struct, UnsetType, field

from config.http.fields import FriendsVersion, Identifier, Time, VersionNumber, words

RankMethod = Annotated[str, words("competition", "competition_earliest")]
WindowKind = Annotated[str, words("daily", "weekly", "monthly", "all_time", "cron")]
SeasonStatus = Annotated[str, words("scheduled", "open", "closing", "final")]
# With the tie rule `earliest` only; null for a score whose time nobody knows.
AchievedAt = Time | UnsetType | None
# What the event that gave the score brought to be shown with it.
Shown = dict[str, Any] | UnsetType
ChangeKind = Annotated[str, words("result", "correction", "void", "region")]


class Board(Struct, forbid_unknown_fields=True, kw_only=True):
    """What every reply about a board begins with."""

    season_id: str
    region: str | None
    leaderboard_version: VersionNumber
    as_of: Time
    age_seconds: float | None
    stale: bool | None
    final: bool
    corrects: int | None
    rank_method: RankMethod
    total_players: int


class BoardEntry(Struct, forbid_unknown_fields=True):
    """A player on a board."""

    rank: int
    player_id: Identifier
    score: int
    achieved_at: AchievedAt = UNSET
    display: Shown = UNSET


class PlacedEntry(Struct, forbid_unknown_fields=True):
    """A player on a board, and the place in display order where that is known."""

    rank: int
    position: int | None
    player_id: Identifier
    score: int
    achieved_at: AchievedAt = UNSET
    display: Shown = UNSET


class GroupEntry(Struct, forbid_unknown_fields=True):
    """A player among those asked for."""

    rank: int
    group_rank: int
    player_id: Identifier
    score: int
    achieved_at: AchievedAt = UNSET


class Pending(Struct, forbid_unknown_fields=True):
    """An accepted score that is in no published version yet; null: off the boards."""

    score: int | None
    score_version: int
    visible_in_version: int


class TopReply(Board, forbid_unknown_fields=True, kw_only=True):
    """The first places of a board."""

    entries: list[PlacedEntry]


class PageReply(Board, forbid_unknown_fields=True, kw_only=True):
    """Consecutive entries of a board, and the cursors of the pages on either side."""

    entries: list[PlacedEntry]
    next: str | None
    previous: str | None


class RankReply(Board, forbid_unknown_fields=True, kw_only=True):
    """A player's rank."""

    rank: int
    player_id: Identifier
    score: int
    achieved_at: AchievedAt = UNSET
    pending: Pending | None


class NeighborsReply(Board, forbid_unknown_fields=True, kw_only=True):
    """A player and the players around, best first."""

    above: list[BoardEntry]
    player: BoardEntry
    below: list[BoardEntry]


class LookupReply(Board, forbid_unknown_fields=True, kw_only=True):
    """The players asked for, in display order, and those who are not on the board."""

    entries: list[GroupEntry]
    missing: list[Identifier]


class FriendsReply(LookupReply, forbid_unknown_fields=True, kw_only=True):
    """A player and the friends on the board, in display order; no version: there is no list."""

    friends_version: FriendsVersion | None


class RankOfReply(Board, forbid_unknown_fields=True, kw_only=True):
    """
    Where a score would stand; `below` are those ranked behind it, nobody (0) if it is empty.

    With the tie rule `earliest`: if it were achieved now, behind all who have it already and
    whose time is known.
    """

    score: int
    rank: int
    players_below: int
    share_below: float


class CountedRange(Struct, forbid_unknown_fields=True):
    """How many players have a score of a range with inclusive ends."""

    from_: int = field(name="from")
    to: int
    count: int


class Percentiles(Struct, forbid_unknown_fields=True):
    """The smallest score such that at least so many per cent of the players have it or less."""

    p1: int | None
    p5: int | None
    p10: int | None
    p25: int | None
    p50: int | None
    p75: int | None
    p90: int | None
    p95: int | None
    p99: int | None


class ScoreForPercentile(Struct, forbid_unknown_fields=True):
    """The score of the percentile that was asked for; null on an empty board."""

    percentile: int
    score: int | None


class DistributionReply(Board, forbid_unknown_fields=True, kw_only=True):
    """How the players of a board are spread over the scores of the season, lowest first."""

    buckets: list[CountedRange]
    percentiles: Percentiles
    score_for_percentile: ScoreForPercentile | UnsetType = UNSET


class Change(Struct, forbid_unknown_fields=True):
    """One published change; no old score: entered the board; no new one: left it."""

    season_id: str
    player_id: Identifier
    old_score: int | None
    new_score: int | None
    score_version: int
    event_id: str
    kind: ChangeKind
    region: str | None
    committed_at: Time
    version: VersionNumber


class ChangesReply(Struct, forbid_unknown_fields=True):
    """Published changes, and the cursor to go on from, now or later."""

    changes: list[Change]
    next: str


class Checksum(Struct, forbid_unknown_fields=True):
    """What a reward run compares to know that it got everything."""

    algorithm: str
    value: str


class ResultsReply(Board, forbid_unknown_fields=True, kw_only=True):
    """Players of a final or corrected version in display order."""

    checksum: Checksum
    entries: list[PlacedEntry]
    next: str | None


class SettlementReply(Struct, forbid_unknown_fields=True):
    """A reward run on record."""

    settlement_id: Identifier
    version: VersionNumber
    checksum: str
    recorded_at: Time


class SeasonReply(Struct, forbid_unknown_fields=True, kw_only=True):
    """A season: its rules, its state, its versions."""

    season_id: str
    name: str
    status: SeasonStatus
    starts_at: Time
    cutoff_at: Time
    grace_seconds: int
    late_policy: str
    tie_rule: str
    order: str
    keep: str
    score_min: int
    score_max: int
    regions: list[str]
    current_version: VersionNumber | None
    as_of: Time | None
    final_version: VersionNumber | None
    corrected_versions: list[VersionNumber]
    settlements: list[SettlementReply]
    promise_kept: bool


class SeasonsReply(Struct, forbid_unknown_fields=True):
    """Seasons in order of their ids, and the cursor of those after them."""

    seasons: list[SeasonReply]
    next: str | None


class WindowRuleReply(Struct, forbid_unknown_fields=True):
    """By which rule a series gets windows; by cron without a duration: until the next begins."""

    window: str
    kind: WindowKind
    cron: str | None
    duration_seconds: int | None


class SeasonOfSeries(Struct, forbid_unknown_fields=True):
    """A season of a series, with the offset from UTC that its zone had at the start."""

    season_id: str
    window: str
    status: SeasonStatus
    starts_at: Time
    cutoff_at: Time
    time_zone: str
    utc_offset: str
    final_version: VersionNumber | None
    retired_at: Time | None


class SeriesRulesReply(Struct, forbid_unknown_fields=True, kw_only=True):
    """A series: its windows, and the rules that each of its seasons gets."""

    series_id: str
    name: str
    time_zone: str
    starts_at: Time | None
    ended_at: Time | None
    windows: list[WindowRuleReply]
    grace_seconds: int
    late_policy: str
    tie_rule: str
    order: str
    keep: str
    score_min: int
    score_max: int
    regions: list[str]
    kept_days: int | None


class SeriesReply(SeriesRulesReply, forbid_unknown_fields=True, kw_only=True):
    """A series and its seasons: open, still to begin, and over, the newest of these first."""

    current: list[SeasonOfSeries]
    upcoming: list[SeasonOfSeries]
    past: list[SeasonOfSeries]
    next: str | None


class SeriesListReply(Struct, forbid_unknown_fields=True):
    """Series in order of their ids, and the cursor of those after them."""

    series: list[SeriesRulesReply]
    next: str | None


class Degraded(Struct, forbid_unknown_fields=True):
    """Something that does not work as it should while the rest does."""

    season_id: str | None
    problem: str
    detail: str


class ReadyReply(Struct, forbid_unknown_fields=True):
    """Whether the server can serve, and what is degraded."""

    status: str
    degraded: list[Degraded]
