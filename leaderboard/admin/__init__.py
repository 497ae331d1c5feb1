"""Everything that is run in the admin: seasons, players, and what the machinery did."""

from leaderboard.admin.audit import AuditAdmin
from leaderboard.admin.jobs import JobAdmin
from leaderboard.admin.lists import (
    CandidateAdmin,
    RebuildAdmin,
    RetirementAdmin,
    SettlementAdmin,
    TransitionAdmin,
    VersionAdmin,
)
from leaderboard.admin.people import GroupAdmin, UserAdmin
from leaderboard.admin.players import BestAdmin
from leaderboard.admin.seasons import SeasonAdmin
from leaderboard.admin.series import SeriesAdmin
from leaderboard.admin.verifications import VerificationAdmin

__all__ = [
    "AuditAdmin",
    "BestAdmin",
    "CandidateAdmin",
    "GroupAdmin",
    "JobAdmin",
    "RebuildAdmin",
    "RetirementAdmin",
    "SeasonAdmin",
    "SeriesAdmin",
    "SettlementAdmin",
    "TransitionAdmin",
    "UserAdmin",
    "VerificationAdmin",
    "VersionAdmin",
]
