"""One line of a plan."""

from typing import NamedTuple

MEASURED, EXTRAPOLATED, ASSUMED = "measured", "extrapolated", "assumed"


class Row(NamedTuple):
    """A number, what it rests on, and the bound that no system goes below, if there is one."""

    name: str
    value: float
    unit: str
    assumption: str
    basis: str
    bound: str = ""
