"""What can be done to boards."""

from leaderboard.operations.create_season import create_season
from leaderboard.operations.publish_version import Publication, publish_version

__all__ = ["Publication", "create_season", "publish_version"]
