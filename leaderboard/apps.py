"""Django's name for this app."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Registers the app, and what Prometheus is told of it."""

    name = "leaderboard"

    def ready(self) -> None:
        """Register what needs the models."""
        from leaderboard.api.metrics import register  # the models are there only now

        register()
