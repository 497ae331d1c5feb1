"""Migrations written in SQL: several statements that go to the server as they stand."""

from typing import Any

from django.db import migrations


class RunScript(migrations.RunSQL):
    """RunSQL for connections that prepare statements, which only takes one at a time."""

    def _run_sql(self, schema_editor: Any, sqls: Any) -> None:
        if schema_editor.collect_sql:
            super()._run_sql(schema_editor, sqls)  # type: ignore[misc]
        elif sqls != migrations.RunSQL.noop:
            connection = schema_editor.connection
            connection.ensure_connection()
            connection.connection.cursor().execute(sqls, prepare=False)
