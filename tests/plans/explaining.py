"""The plan of a statement as it runs: as the code under test prepares it, with its settings."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import psycopg
from django.db import connections, transaction
from psycopg import sql

from config import db
from tests.own_database import connect

Node = dict[str, Any]

AS_PREPARED = """
SELECT statement, parameter_types::text []
FROM pg_prepared_statements WHERE statement = %s ORDER BY prepare_time DESC LIMIT 1
"""
# A partition's index goes by the name of its parent's; of two on the same columns, the unique
# one counts: Django makes a second for LIKE.
NAMES = """
SELECT partition.relname, parent.relname
FROM pg_inherits
INNER JOIN pg_class AS partition ON pg_inherits.inhrelid = partition.oid
INNER JOIN pg_class AS parent ON pg_inherits.inhparent = parent.oid
UNION ALL
SELECT twin.indexrelid::regclass::text, pg_index.indexrelid::regclass::text
FROM pg_index
INNER JOIN pg_index AS twin USING (indrelid, indkey)
WHERE pg_index.indisunique AND NOT twin.indisunique
"""


class Plan(NamedTuple):
    """How a statement was executed."""

    root: Node
    names: Mapping[str, str]

    @property
    def nodes(self) -> list[Node]:
        return list(_walk(self.root))

    @property
    def scans(self) -> list[Node]:
        return [node for node in self.nodes if node["Node Type"].endswith("Scan")]

    @property
    def kinds(self) -> set[str]:
        return {node["Node Type"] for node in self.nodes}

    @property
    def tables(self) -> set[str]:
        """The tables and partitions that are read or written."""
        return {node["Relation Name"] for node in self.nodes if "Relation Name" in node}

    @property
    def namespaces(self) -> set[int]:
        """The namespaces whose partitions are read or written."""
        return {int(found[1]) for name in self.tables if (found := re.search(r"_n(\d+)$", name))}

    @property
    def read_from_end_to_end(self) -> set[str]:
        whole = [node for node in self.scans if node["Node Type"] == "Seq Scan"]
        return {self._name(node["Relation Name"]) for node in whole}

    @property
    def indexes(self) -> set[str]:
        """The indexes that are read, and those that decide whether a row is there already."""
        found = {node["Index Name"] for node in self.nodes if "Index Name" in node}
        deciding = [node.get("Conflict Arbiter Indexes", []) for node in self.nodes]
        return {self._name(name) for name in found.union(*deciding)}

    @property
    def rows_read(self) -> float:
        """How many rows of tables were looked at, those that did not fit included."""
        return sum(_rows_read(node) for node in self.scans if "Relation Name" in node)

    @property
    def rows_sorted(self) -> float:
        """How many rows the largest sort was given."""
        sorts = [node for node in self.nodes if node["Node Type"].endswith("Sort")]
        return max((_rows(child) for node in sorts for child in node["Plans"]), default=0)

    @property
    def blocks(self) -> int:
        """How many pages were asked for, those in memory included."""
        # What a WITH clause writes is not counted in the whole.
        apart = [node for node in self.nodes[1:] if node["Node Type"] == "ModifyTable"]
        return sum(map(_blocks, [self.root, *apart]))

    def _name(self, name: str) -> str:
        return self.names.get(name, name)


class Prepared(NamedTuple):
    """A statement as a connection of an alias prepares it: its text and its types."""

    text: str
    types: list[str]


class Explainer:
    """Executes statements as the connections of an alias would, and says how."""

    def __init__(self) -> None:
        self._prepared: dict[Any, Prepared] = {}
        self._sessions: dict[str, psycopg.Connection[Any]] = {}
        self._names: dict[str, str] = {}

    def close(self) -> None:
        for session in self._sessions.values():
            session.close()

    def plan(
        self, statement: db.Statement, params: Mapping[str, Any], *, using: str, mode: str = ""
    ) -> Plan:
        """Return a statement's plan; `mode` stands in the place of the alias's own."""
        session = self._session(using, mode)
        prepared = self._as_prepared(statement, params, using)
        values = [sql.Literal(params[name]) for name in db._native(statement).parameters]
        session.execute(_prepare(prepared))
        # The first time, a session also reads what the catalogue says of the tables.
        for _ in range(2):
            with session.transaction(force_rollback=True):
                found = session.execute(_explain(values)).fetchone()
        session.execute("DEALLOCATE explained")
        assert found is not None
        return Plan(found[0][0]["Plan"], self._names)

    def _session(self, using: str, mode: str) -> "psycopg.Connection[Any]":
        described = connections.settings[using]
        options = f"{described['OPTIONS']['options']} {mode}"
        if options not in self._sessions:
            session = connect(described["NAME"], options=options)
            self._names = dict(session.execute(NAMES).fetchall())
            self._sessions[options] = session
        return self._sessions[options]

    def _as_prepared(
        self, statement: db.Statement, params: Mapping[str, Any], using: str
    ) -> Prepared:
        key = (statement, using, str(params))
        if key not in self._prepared:
            self._prepared[key] = _as_prepared(statement, params, using)
        return self._prepared[key]


def _as_prepared(statement: db.Statement, params: Mapping[str, Any], using: str) -> Prepared:
    with transaction.atomic(using=using):
        connections[using].ensure_connection()
        raw = connections[using].connection.cursor()
        raw.execute("DEALLOCATE ALL", prepare=False)
        db.execute(statement, using=using, **params)
        text = db._native(statement).text.decode()
        found = raw.execute(AS_PREPARED, [text], prepare=False).fetchone()
        transaction.set_rollback(True, using=using)
    assert found is not None
    return Prepared(*found)


def _prepare(prepared: Prepared) -> sql.Composed:
    types = _in_brackets(map(sql.SQL, prepared.types))
    return sql.SQL("PREPARE explained {} AS {}").format(types, sql.SQL(prepared.text))


def _explain(values: list[sql.Literal]) -> sql.Composed:
    explained = sql.SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE explained {}")
    return explained.format(_in_brackets(values))


def _in_brackets(parts: Any) -> sql.Composable:
    listed = list(parts)
    return sql.SQL("({})").format(sql.SQL(", ").join(listed)) if listed else sql.SQL("")


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.get("Plans", []):
        yield from _walk(child)


def _rows(node: Node) -> float:
    return float(node["Actual Rows"] * node["Actual Loops"])


def _rows_read(node: Node) -> float:
    removed = sum(node[key] for key in node if key.startswith("Rows Removed by"))
    return _rows(node) + float(removed * node["Actual Loops"])


def _blocks(node: Node) -> int:
    return int(node["Shared Hit Blocks"] + node["Shared Read Blocks"])
