"""What can be done to scores."""

from scores.operations.apply_correction import apply_correction
from scores.operations.apply_events import Applied, apply_events
from scores.operations.apply_to_series import AppliedToSeries, apply_to_series
from scores.operations.decide_correction import approve_correction, reject_correction
from scores.operations.decide_held import refuse_held, release_held
from scores.operations.request_correction import WantedCorrection, request_correction
from scores.operations.set_friends import set_friends
from scores.operations.set_profiles import set_profiles

__all__ = [
    "Applied",
    "AppliedToSeries",
    "WantedCorrection",
    "apply_correction",
    "apply_events",
    "apply_to_series",
    "approve_correction",
    "refuse_held",
    "reject_correction",
    "release_held",
    "request_correction",
    "set_friends",
    "set_profiles",
]
