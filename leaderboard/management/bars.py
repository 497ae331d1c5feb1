"""Bars that show how far something long is."""

import sys
from typing import Any

from tqdm import tqdm


class Bars:
    """A bar for each phase, one after the other."""

    def __init__(self) -> None:
        """Show nothing yet."""
        self._bar: tqdm[Any] | None = None

    def tell(self, phase: str, done: int, total: int) -> None:
        """Show how far a phase is."""
        if self._bar is None or self._bar.desc != phase:
            self.close()
            self._bar = tqdm(total=total, desc=phase, file=sys.stderr)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Leave the last bar as it is."""
        if self._bar is not None:
            self._bar.close()
