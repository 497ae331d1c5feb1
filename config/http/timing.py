"""How many requests there were and how long they took, for Prometheus."""

from prometheus_client import Histogram

SECONDS = Histogram(
    "laurel_request_seconds",
    "How long requests took until their reply was ready, by operation and status.",
    ["operation", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
)
_series: dict[tuple[str, int], Histogram] = {}


def note(operation: str, status: int, seconds: float) -> None:
    """Count a request that was answered, whichever way it came."""
    series = _series.get((operation, status))
    if series is None:
        series = _series[operation, status] = SECONDS.labels(operation, str(status))
    series.observe(seconds)
