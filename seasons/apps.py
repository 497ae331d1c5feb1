"""Django's name for this app."""

from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    """Registers the app."""

    name = "seasons"
