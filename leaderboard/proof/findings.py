"""What a proof found: for each kind of comparison how much was compared, and what differs."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from config import db

MOST_NAMED = 20


class Difference(NamedTuple):
    """One thing that is not what the ledger says: a player, a bucket, a range of epochs."""

    place: str
    expected: str
    found: str


class Check(NamedTuple):
    """A kind of comparison, how many things it compared, and those that differ first."""

    kind: str
    compared: int
    differing: int = 0
    first: Sequence[Difference] = ()


class BucketCount(NamedTuple):
    """How many players a bucket has, and a hash over who has which score."""

    bucket: int
    players: int
    hash: Decimal


class Phase(NamedTuple):
    """A part of the work, and how long it took."""

    name: str
    seconds: float


class Proof(NamedTuple):
    """All checks of a version, and what the ledger says of it in total."""

    checks: Sequence[Check]
    phases: Sequence[Phase]
    totals: dict[str, Any]

    @property
    def agrees(self) -> bool:
        """Return whether everything is what the ledger says."""
        return not any(check.differing for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        """Return the report that is stored."""
        return {
            "totals": self.totals,
            "phases": [phase._asdict() for phase in self.phases],
            "checks": [
                {**check._asdict(), "first": [one._asdict() for one in check.first]}
                for check in self.checks
            ],
        }


class _Row(NamedTuple):
    place: str
    expected: str
    found: str
    differing: int


def compared(kind: str, how_many: int, statement: db.Statement, **params: Any) -> Check:
    """Run a statement that returns what differs, the first of it, and say how much that is."""
    rows = db.fetch_all(_Row, statement, using="proof", most=MOST_NAMED, **params)
    differing = rows[0].differing if rows else 0
    return Check(kind, how_many, differing, [Difference(*row[:3]) for row in rows])


def on_board(name: str, checks: Iterable[Check]) -> list[Check]:
    """Return the checks of a board with its name before each place; none for the global one."""
    if not name:
        return list(checks)
    return [
        check._replace(first=[one._replace(place=f"{name}: {one.place}") for one in check.first])
        for check in checks
    ]


def merged(checks: Iterable[Check]) -> list[Check]:
    """Return one check a kind, in the order in which kinds occur first."""
    by_kind: dict[str, Check] = {}
    for check in checks:
        known = by_kind.get(check.kind, Check(check.kind, 0))
        by_kind[check.kind] = Check(
            check.kind,
            known.compared + check.compared,
            known.differing + check.differing,
            [*known.first, *check.first][:MOST_NAMED],
        )
    return list(by_kind.values())


def equal(kind: str, expected: object, found: object) -> Check:
    """Compare two values of the version as a whole."""
    if expected == found:
        return Check(kind, 1)
    return Check(kind, 1, 1, [Difference("version", str(expected), str(found))])
