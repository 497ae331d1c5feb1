"""The order of a run: load the seasons, then measure without and with the load of production."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from leaderboard.management.benchmarks.befriending import befriend
from leaderboard.management.benchmarks.bench import Bench, Options
from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.dropping import drop_all
from leaderboard.management.benchmarks.errors import CannotMeasure
from leaderboard.management.benchmarks.figures import Figure, table
from leaderboard.management.benchmarks.live import live
from leaderboard.management.benchmarks.loading import PREFIX, load_season
from leaderboard.management.benchmarks.measures.accepting import accepting
from leaderboard.management.benchmarks.measures.asking import asking
from leaderboard.management.benchmarks.measures.costs import costs
from leaderboard.management.benchmarks.measures.counting import counting
from leaderboard.management.benchmarks.measures.crowds import crowds
from leaderboard.management.benchmarks.measures.delay import delay
from leaderboard.management.benchmarks.measures.importing import importing
from leaderboard.management.benchmarks.measures.materialising import materialising
from leaderboard.management.benchmarks.measures.phases import phases
from leaderboard.management.benchmarks.measures.predicting import predicting
from leaderboard.management.benchmarks.measures.proving import proving
from leaderboard.management.benchmarks.measures.publishing import publishing
from leaderboard.management.benchmarks.measures.reading import STATEMENTS, reading
from leaderboard.management.benchmarks.measures.rebuilding import rebuilding
from leaderboard.management.benchmarks.measures.recovering import recovering
from leaderboard.management.benchmarks.measures.regions import regions
from leaderboard.management.benchmarks.measures.replicating import replicating
from leaderboard.management.benchmarks.measures.sealing import sealing
from leaderboard.management.benchmarks.measures.serving import serving
from leaderboard.management.benchmarks.measures.shaping import shaping
from leaderboard.management.benchmarks.measures.sorting import sorting
from leaderboard.management.benchmarks.measures.stepping import stepping
from leaderboard.management.benchmarks.players import MOST_PLAYERS
from leaderboard.management.benchmarks.plotting import require_plotting
from leaderboard.management.benchmarks.room import GIGABYTE, Room
from leaderboard.management.benchmarks.surroundings import surroundings
from leaderboard.management.capacity.kept import keep_costs
from leaderboard.operations import seal_and_publish
from leaderboard.queries import published
from seasons.models import Season

MEASURES = (
    "publish",
    "phases",
    "sealing",
    "rank",
    "neighbours",
    "friends",
    "asked",
    "visible",
    "http",
    "http-reads",
    "import",
    "costs",
    "predict",
    "recovery",
    "replication",
    "verify",
    "rebuild",
    "regions",
    "crowds",
    "shapes",
    "sorted-set",
    "count-star",
    "materialised-view",
    "load",
)
AFTERWARDS: Mapping[str, Callable[[Bench], Iterable[Figure]]] = {
    "phases": phases,
    "sealing": sealing,
    "http": accepting,
    "http-reads": serving,
    "import": importing,
    "costs": costs,
    "predict": predicting,
    "recovery": recovering,
    "replication": replicating,
    "verify": proving,
    "rebuild": rebuilding,
    "regions": regions,
    "crowds": crowds,
    "shapes": shaping,
    "sorted-set": sorting,
    "count-star": counting,
    "materialised-view": materialising,
    "load": stepping,
}
# Only when asked for: they take long, load seasons, copies or servers of their own, or need what
# was kept.
BY_NAME = frozenset(
    {
        "import",
        "regions",
        "crowds",
        "predict",
        "recovery",
        "replication",
        "shapes",
        "sorted-set",
        "count-star",
        "materialised-view",
        "load",
    }
)
PLAYERS_OF_SMALL_SEASONS = 1_000
Say = Callable[[str], None]


def benchmark(options: Options, say: Say) -> list[Figure]:
    """Load what is missing, measure what is asked for, and tell each figure as it is known."""
    _require_own_database()
    _require_a_plot(options)
    with connect() as connection:
        before = Room(connection).free()
    results = options.results_per_player
    seasons = {players: _season(players, results, say) for players in sorted(options.players)}
    _others(options.seasons - len(seasons))
    with connect() as connection:
        around = surroundings(connection)
        say(json.dumps(around, indent=2))
        figures: list[Figure] = []
        try:
            for figure in _measured(Bench(options, connection, seasons), say):
                figures.append(figure)
            figures += _on_disk(connection, before)
        finally:
            # What was measured before a failure is worth as much as ever.
            _tell(options, around, figures, say)
    if options.drop:
        drop_all()
    return figures


def _tell(options: Options, around: dict[str, Any], figures: list[Figure], say: Say) -> None:
    for line in table(figures):
        say(line)
    if options.costs is not None:
        keep_costs(options.costs, figures, max(options.players))
    if options.json is not None:
        options.json.write_text(_report(options, around, figures), "utf-8")


def _on_disk(connection: Connection, before: int | None) -> Iterator[Figure]:
    after = Room(connection).free()
    if before is not None and after is not None:
        yield Figure("free on the disk, before the run", "GB", [before / GIGABYTE])
        yield Figure("free on the disk, after it", "GB", [after / GIGABYTE])


def _require_own_database() -> None:
    foreign = Season.objects.exclude(slug__startswith=PREFIX).first()
    if foreign is not None:
        raise CannotMeasure(
            f"This database has the season {foreign.slug}, which is not the benchmark's: "
            "give it a database of its own, as `make benchmark` does."
        )


def _require_a_plot(options: Options) -> None:
    if options.plot is None:
        return
    if "load" not in options.only:
        raise CannotMeasure("What is plotted is latency against load: name `load` in --only.")
    require_plotting(options.plot)


def _season(players: int, results: int, say: Say) -> Season:
    slug = f"{PREFIX}{players}" + (f"-x{results}" if results > 1 else "")
    found = Season.objects.filter(slug=slug).first()
    if players > MOST_PLAYERS:
        raise CannotMeasure(f"Ids of the benchmark are for {MOST_PLAYERS:,} players at most.")
    if found is None:
        return load_season(slug, players, results)
    if published(slug).members != [players]:
        raise CannotMeasure(f"The season {slug} was not loaded whole: make the database anew.")
    say(f"The season {slug} is there already and is used again.")
    return found


def _others(wanted: int) -> None:
    for number in range(wanted):
        slug = f"{PREFIX}small-{number}"
        if not Season.objects.filter(slug=slug).exists():
            load_season(slug, PLAYERS_OF_SMALL_SEASONS)


def _measured(bench: Bench, say: Say) -> Iterator[Figure]:
    only = bench.options.only
    statements = tuple(name for name in STATEMENTS if name.split()[0] in only)
    bench.connection.execute("CHECKPOINT")
    if "publish" in only:
        yield from publishing(bench)
    if "friends" in only:
        befriend(max(bench.seasons))
    if statements:
        yield from reading(bench, statements, "idle")
    if "asked" in only:
        yield from asking(bench, "idle")
    if statements or only & {"asked", "visible"}:
        yield from _under_load(bench, statements, say)
    for name, measure in AFTERWARDS.items():
        if name in only:
            _settle(bench)
            yield from measure(bench)


def _settle(bench: Bench) -> None:
    """Publish and write to the disk what was left by another measure, or another run."""
    for season in bench.seasons.values():
        while seal_and_publish(season.id).more:
            pass
    bench.connection.execute("CHECKPOINT")


def _under_load(bench: Bench, statements: tuple[str, ...], say: Say) -> Iterator[Figure]:
    options = bench.options
    with live(bench.largest, options.rate) as load:
        say(f"Load is on; {options.warm_up} s until the undo is full.")
        time.sleep(options.warm_up)
        if "visible" in options.only:
            yield from delay(bench, options.seconds * options.repeat)
        if statements:
            yield from reading(bench, statements, "live")
        if "asked" in options.only:
            yield from asking(bench, "live")
    yield Figure("results applied while live", "1/s", [load.writer.report["rate"]])
    yield Figure("a round of publications while live", "s", load.publisher.report["seconds"])


def _report(options: Options, around: dict[str, Any], figures: list[Figure]) -> str:
    files = {name: str(getattr(options, name)) for name in ("json", "costs", "plot")}
    asked = {**options._asdict(), "only": sorted(options.only), **files}
    facts = {"options": asked, "surroundings": around}
    return json.dumps({**facts, "figures": [figure.as_json() for figure in figures]}, indent=2)
