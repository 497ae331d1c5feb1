"""What `relayout` says of a board's layout."""

from collections.abc import Iterator, Sequence

from config.http.times import show_time
from leaderboard.management.layout_times import CALLS, Times
from leaderboard.operations.relayout import Relaid
from leaderboard.queries import Published
from leaderboard.queries.board_layout import BoardLayout, BucketFigures
from leaderboard.rules import END_OF_ALL, LOWEST_TIE_KEY, Key, LayoutFigures
from scores.rules import NO_TIME, time_of

Timed = Sequence[tuple[BucketFigures, Times]]


def layout_lines(season: Published, name: str, layout: BoardLayout) -> Iterator[str]:
    """Return what there is to say of a board as a whole."""
    kind = "ordered" if layout.costs else f"counted, each {season.bucket_width} scores wide"
    yield (
        f"{name}, version {layout.version}: {layout.buckets:,} buckets, {kind}; "
        f"{layout.members:,} players."
    )
    yield (
        f"{layout.changes_a_second:,.1f} changes/s in the last {layout.lately.versions} versions, "
        f"{layout.lately.seconds:,.1f} s."
    )
    if layout.costs:
        yield from cost_lines([("", layout.costs)])


def cost_lines(columns: Sequence[tuple[str, LayoutFigures]]) -> Iterator[str]:
    """Return what layouts cost, side by side."""
    if len(columns) > 1:
        yield f"{'':<32}" + "".join(f"{head:>14}" for head, _ in columns)
    figures = [costs for _, costs in columns]
    for words, values in (
        ("buckets", [f"{one.buckets:,}" for one in figures]),
        ("players of the fullest", [f"{one.fullest:,}" for one in figures]),
        ("counted for a rank, mean", [f"{one.mean_counted:,.1f}" for one in figures]),
        ("counted for a rank, at most", [f"{one.most_counted:,}" for one in figures]),
        ("bytes of prefixes a version", [f"{one.bytes_a_version:,}" for one in figures]),
    ):
        yield f"{words:<32}" + "".join(f"{value:>14}" for value in values)


def bucket_lines(season: Published, timed: Timed) -> Iterator[str]:
    """Return a table of buckets; where they begin and end are what players know as scores."""
    yield f"The fullest buckets; milliseconds of {CALLS} calls each at most, p50 and p99:"
    wide = 18 if season.tie_rule == "shared" else 39
    yield (
        f"{'bucket':>8}{'begins at':>{wide}}{'ends before':>{wide}}{'players':>12}"
        f"{'largest tie':>12}{'changes/s':>11}{'bytes/version':>14}{'rank':>16}{'neighbours':>16}"
    )
    for bucket, times in timed:
        begin, end = (key_text(season, key) for key in (bucket.begin, bucket.end))
        yield (
            f"{bucket.bucket:>8}{begin:>{wide}}{end:>{wide}}{bucket.members:>12,}"
            f"{bucket.largest_tie:>12,}{bucket.changes_a_second:>11,.1f}"
            f"{bucket.bytes_a_version:>14,.0f}"
            + "".join(f"{value:>8.2f}" for value in (*times.rank, *times.neighbours))
        )


def relaid_lines(relaid: Relaid) -> Iterator[str]:
    """Return what became of a wish for other buckets."""
    yield from cost_lines([("now", relaid.before), ("then", relaid.after)])
    if relaid.compared:
        members, buckets, ranks = relaid.compared
        yield (
            f"Version {relaid.version} has the new buckets. The old ones agree: {members:,} "
            f"players, {ranks} ranks; and the bests: {buckets} buckets."
        )


def key_text(season: Published, key: Key) -> str:
    """Return a key as `--boundaries` takes it: a score, or SCORE@TIME; or which it follows."""
    score, tie_key = key
    if key == END_OF_ALL:
        return "(the end)"
    shown = str(season.scores.turned(score))
    if tie_key == LOWEST_TIE_KEY:
        return shown
    if season.tie_rule == "shared":
        return shown if tie_key == 0 else f"(after {shown})"
    if tie_key > NO_TIME:
        return f"(after {shown})"
    at = time_of(tie_key)
    return f"{shown}@{show_time(at)}" if at else f"({shown} without a time)"
