"""What a check before the flip says when it fails."""


class CheckFailed(Exception):
    """A version that was about to be published disagrees with itself."""

    def __init__(self, check: str, detail: str, *, bests_damaged: bool = False) -> None:
        """Take the name of the check, what disagreed, and whether the bests are to blame."""
        super().__init__(f"{check}: {detail}")
        self.check = check
        self.detail = detail
        self.bests_damaged = bests_damaged
