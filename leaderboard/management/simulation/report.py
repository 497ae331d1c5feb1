"""The table at the end of a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from leaderboard.management.simulation.findings import MEANINGS, Findings
from leaderboard.management.simulation.tally import Tally

PERCENTILES = (50, 95, 99)
LAST_LOOK = "read: last look"
FOLLOWED = "foreign_change"


def percentile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` percent of the values do not exceed."""
    place = max(0, -(-len(ordered) * share // 100) - 1)
    return ordered[int(place)]


@dataclass(frozen=True, slots=True)
class Course:
    """What a run was: how long, how many replies were judged, which seasons were played."""

    seconds: float
    judged: int
    played: Sequence[str]


def table(
    course: Course, tally: Tally, delays: Sequence[float], findings: Findings
) -> Iterator[str]:
    """Return the lines of the report on a run."""
    yield ""
    yield f"seasons played: {', '.join(course.played)}"
    yield from _rates(tally, course.seconds, course.judged)
    yield from _outcomes(tally)
    yield from _latencies(tally, delays)
    yield from _mismatches(findings)


def _rates(tally: Tally, seconds: float, judged: int) -> Iterator[str]:
    events, reads = tally.counts["events"], reads_of(tally, without=LAST_LOOK)
    span = max(seconds, 0.001)
    yield ""
    yield f"{'seconds':<34}{seconds:>12,.1f}"
    yield f"{'events':<34}{events:>12,}{events / span:>12,.1f}/s"
    yield f"{'reads':<34}{reads:>12,}{reads / span:>12,.1f}/s"
    yield f"{'replies checked':<34}{judged:>12,}"
    for what in sorted(tally.counts.keys() - {"events"}):
        if tally.counts[what]:
            yield f"{what:<34}{tally.counts[what]:>12,}"


def reads_of(tally: Tally, without: str = "") -> int:
    """Return how many reads were answered, leaving one kind out."""
    kinds = [kind for kind in tally.seconds if kind.startswith("read") and kind != without]
    return sum(len(tally.seconds[kind]) for kind in kinds)


def _outcomes(tally: Tally) -> Iterator[str]:
    yield ""
    yield f"{'outcome':<34}{'events':>12}"
    for outcome, count in tally.outcomes.most_common():
        yield f"{outcome:<34}{count:>12,}"


def _latencies(tally: Tally, delays: Sequence[float]) -> Iterator[str]:
    yield ""
    yield f"{'milliseconds':<34}{'count':>12}" + "".join(f"{f'p{one}':>10}" for one in PERCENTILES)
    for kind in sorted(tally.seconds):
        yield _latency(kind, tally.seconds[kind])
    if delays:
        yield _latency("accepted -> visible", delays)


def _latency(kind: str, seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    figures = "".join(f"{percentile(ordered, one) * 1000:>10,.1f}" for one in PERCENTILES)
    return f"{kind:<34}{len(ordered):>12,}{figures}"


def _mismatches(findings: Findings) -> Iterator[str]:
    yield ""
    if not findings.counts:
        yield "no mismatch"
        return
    yield f"{'MISMATCHES':<34}{sum(findings.counts.values()):>12,}"
    if FOLLOWED in findings.counts:
        yield "Somebody else seems to write; other mismatches may follow from that."
    for kind, count in sorted(findings.counts.items(), key=lambda one: one[0] != FOLLOWED):
        yield f"{kind:<34}{count:>12,}  {MEANINGS[kind]}"
        for text in findings.examples[kind]:
            yield f"    {text}"
