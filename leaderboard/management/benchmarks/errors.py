"""Why a measurement cannot be made."""


class CannotMeasure(Exception):
    """What a measurement needs is missing or failed."""
