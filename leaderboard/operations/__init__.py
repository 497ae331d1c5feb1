"""What can be done to boards."""

from leaderboard.operations.create_season import create_season
from leaderboard.operations.finalize_season import Finalization, finalize_season
from leaderboard.operations.make_windows import make_windows
from leaderboard.operations.publish_version import Publication, publish_version
from leaderboard.operations.purge_versions import purge_versions
from leaderboard.operations.seal_and_publish import seal_and_publish
from leaderboard.operations.verify_season import verify_season

__all__ = [
    "Finalization",
    "Publication",
    "create_season",
    "finalize_season",
    "make_windows",
    "publish_version",
    "purge_versions",
    "seal_and_publish",
    "verify_season",
]
