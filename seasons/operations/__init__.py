"""What can be done to a season."""

from seasons.operations.seal_epoch import seal_epoch

__all__ = ["seal_epoch"]
