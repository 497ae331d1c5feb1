"""Django's name for this app."""

from django.apps import AppConfig


class ScoresConfig(AppConfig):
    """Registers the app."""

    name = "scores"
