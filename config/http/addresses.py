"""Parts of an address that its view checks by itself."""

from django.urls import register_converter


class Anything:
    """A part of an address that its view checks, line feeds in it too."""

    regex = r"[\s\S]+"

    def to_python(self, value: str) -> str:
        """Return it as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Return it as it is."""
        return value


register_converter(Anything, "anything")

PLAYER = "players/<anything:player_id>"
