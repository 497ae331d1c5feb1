"""A statement with what it is asked, and how much it may read for the answer."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from config.db import Statement
from tests.plans.big_season import BigSeason


class Case(NamedTuple):
    """
    The bounds: rows looked at, pages of 8 kB asked for, rows given to a sort.

    A statement that counts along an order has windows.
    """

    statement: Statement
    params: Mapping[str, Any]
    rows: int
    blocks: int
    sorted: int = 0
    windows: bool = False


Cases = Mapping[str, Mapping[str, Callable[[BigSeason], Case]]]
