"""What can be done to scores."""

from scores.operations.apply_correction import apply_correction
from scores.operations.apply_events import Applied, apply_events
from scores.operations.decide_held import refuse_held, release_held

__all__ = ["Applied", "apply_correction", "apply_events", "refuse_held", "release_held"]
