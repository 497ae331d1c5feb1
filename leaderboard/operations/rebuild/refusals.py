"""Why a rebuild does not begin, or does not come to its end."""


class CannotRebuild(Exception):
    """The rebuild cannot be done now; what was done so far stays."""


class HoldLost(CannotRebuild):
    """Another run took the rebuild over while this one was frozen."""

    def __init__(self) -> None:
        """Say so in a sentence."""
        super().__init__("Another run has taken this rebuild over.")


class Differs(CannotRebuild):
    """What was made disagrees with what it was compared with; the boards in use stay."""
