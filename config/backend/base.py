"""
Django's PostgreSQL backend with room for every season's prepared statements.

Statements carry a season's integers as literals, so each season has its own; psycopg
keeps a hundred a connection and would prepare and forget them in turn.
"""

from typing import Any

from django.db.backends.postgresql import base

# A connection knows the types that were registered before it was opened.
from config import bits  # noqa: F401

PREPARED_STATEMENTS_KEPT = 2_000


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL whose new connections keep more prepared statements."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection from the pool, or a new one, with a larger statement cache."""
        connection = super().get_new_connection(conn_params)
        connection.prepared_max = PREPARED_STATEMENTS_KEPT
        return connection
