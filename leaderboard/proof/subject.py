"""What is proved: a version of a season, in a namespace."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from config import db
from config.errors import NoPublishedVersion, VersionExpired, VersionUnknown
from leaderboard.models import Version

PROOF_SUBJECT = db.statement(__file__, "proof_subject")


EVERYTHING = 2**63 - 1


class Answer(NamedTuple):
    """What the read statement says of a player; neither score nor rank: not on the board."""

    score: int | None
    rank: int | None


RankAt = Callable[[str, int], Answer | None]


class Board(NamedTuple):
    """A board, and what the version's own row says of it; no name: the global one."""

    number: int
    name: str
    boundary_set: int
    members: int
    score_sum: int

    @property
    def is_counted(self) -> bool:
        """Return whether it has a count for each score; others have boundaries."""
        return self.boundary_set == 0

    @property
    def named(self) -> str:
        """Return the name as it ends what is told of the board."""
        return f" of {self.name}" if self.name else ""


class Subject(NamedTuple):
    """
    A version, what its own row says of its boards, and the layout of their buckets.

    `until` is the last epoch that the namespace knows of: all that there are for the one in
    use, which writers keep; a rebuild's is as far as it was caught up.
    """

    season_id: int
    slug: str
    namespace: int
    ledger_namespace: int
    current: int
    version: int
    through: int
    members: Sequence[int]
    score_sums: Sequence[int]
    ledger_rows: int
    lower_score: int
    bucket_width: int
    buckets: int
    boundary_sets: Sequence[int]
    tie_rule: str
    keep: str
    regions: Sequence[str]
    until: int = EVERYTHING

    @property
    def boards(self) -> list[Board]:
        """Return the boards, the global one first."""
        names = ["", *self.regions]
        told = zip(names, self.boundary_sets, self.members, self.score_sums, strict=True)
        return [Board(number, *facts) for number, facts in enumerate(told)]

    @property
    def counted(self) -> dict[str, int]:
        """Return the buckets of the counted board as statements name them."""
        return {"lower_score": self.lower_score, "bucket_width": self.bucket_width}

    @property
    def rules(self) -> dict[str, bool]:
        """Return what the fold of a player depends on."""
        return {"keeps_latest": self.keep == "latest", "has_times": self.tie_rule == "earliest"}

    @property
    def is_plain(self) -> bool:
        """Return whether a player's best is the highest of all results, and nothing else."""
        return not (any(self.rules.values()) or self.regions)


def subject_of(
    season_id: int,
    version: int | None,
    *,
    namespace: int | None = None,
    until: int = EVERYTHING,
) -> Subject:
    """
    Return a version that can be read, the current one without a number.

    It is sought in the season's namespace unless another is named, with the last epoch that was
    folded into it. Raises NoPublishedVersion,
    VersionUnknown and VersionExpired.
    """
    found = db.fetch_one(
        Subject,
        PROOF_SUBJECT.literal(season_id=season_id),
        version=version,
        other_namespace=namespace,
    )
    if found is None:
        raise NoPublishedVersion
    if found.members is None:
        raise _reason_of_absence(season_id, found)
    return found._replace(until=until)


def _reason_of_absence(season_id: int, asked: Subject) -> Exception:
    if asked.version >= asked.current:
        return VersionUnknown() if asked.version > asked.current else NoPublishedVersion()
    later = Version.objects.filter(season_id=season_id, number__lt=asked.version)
    return VersionUnknown() if later.exists() else VersionExpired()
