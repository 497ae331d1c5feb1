"""Django's name for this app."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Registers the app."""

    name = "leaderboard"
