"""
Django's PostgreSQL backend with room for every season's prepared statements.

Statements carry a season's integers as literals, so each season has its own; psycopg
keeps a hundred a connection and would prepare and forget them in turn.
"""

from typing import Any

from django.db.backends.postgresql import base

# A connection knows the types that were registered before it was opened.
from config import bits  # noqa: F401
from config.prepared import STATEMENTS_KEPT


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL whose new connections keep more prepared statements."""

    def _configure_connection(self, connection: Any) -> bool:
        """Give a new connection, of the pool or not, a larger statement cache."""
        connection.prepared_max = STATEMENTS_KEPT
        commits: bool = super()._configure_connection(connection)  # type: ignore[misc]
        return commits
