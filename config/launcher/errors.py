"""The two ways in which the launcher's work ends early."""


class CannotRun(Exception):
    """The launcher cannot go on; its text is the one sentence that the user reads."""


class StopRequested(Exception):
    """A signal asked the launcher to stop while it was still starting things."""
