"""What can be done to scores."""

from scores.operations.apply_correction import apply_correction
from scores.operations.apply_events import Applied, apply_events

__all__ = ["Applied", "apply_correction", "apply_events"]
