"""What a game needs, and the machines that it is planned with."""

from typing import NamedTuple


class Machine(NamedTuple):
    """A machine as it can be had: each of these is an assumption, and told as one."""

    cores: int = 32
    memory_gb: float = 256
    log_mb_a_second: float = 500
    recovery_seconds: float = 300

    @property
    def memory_bytes(self) -> float:
        """How many bytes of memory it has."""
        return self.memory_gb * 1e9


class Wanted(NamedTuple):
    """
    The load: players of a season, events and reads a second.

    `improve` is the share of events that change a board, `top_share` that of reads that ask for
    the top, `headroom` the part of each machine that is left free, `windows` the number of
    seasons that each event counts in.
    """

    players: float
    updates: float
    reads: float
    improve: float = 0.1
    top_share: float = 0.5
    headroom: float = 0.5
    windows: int = 1
    machine: Machine = Machine()

    @property
    def results(self) -> float:
        """How many results a second are applied: an event in each of its seasons."""
        return self.updates * self.windows

    @property
    def changes(self) -> float:
        """How many changes a second each season publishes."""
        return self.updates * self.improve

    def cores(self, seconds: float) -> float:
        """Return the cores for so many seconds of processors a second, with the headroom."""
        return seconds / (1 - self.headroom)
