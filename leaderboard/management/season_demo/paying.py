"""Step 7: the results of a version, who paid by it, and its file."""

from itertools import zip_longest

from leaderboard.management.season_demo import operator
from leaderboard.management.season_demo.client import Answer, Json
from leaderboard.management.season_demo.reading import PLACED, Sight, check_reply, entries
from leaderboard.management.season_demo.results import checksum, checksum_file, results_file
from leaderboard.management.season_demo.stage import Stage

PAGE = 1000
SETTLEMENT = "rewards-of-the-season"


def pay(stage: Stage) -> None:
    """Walk the final results, record a settlement by them, and export them."""
    final = stage.final_sight
    walk_results(stage, final)
    _settle(stage, final)
    export(stage, final, None)


def walk_results(stage: Stage, sight: Sight, version: int | None = None) -> None:
    """Walk the results of a version, the final one unless named, and check every line."""
    value = checksum(sight.board)
    rows = entries(sight.board.rows, PLACED)
    found: list[Json] = []
    with stage.checks.timed("lines", len(rows)):
        cursor, more = None, True
        while more:
            query = {"cursor": cursor, "limit": PAGE, "version": version}
            answer = stage.client.get(stage.internal("results"), query)
            cursor = _page(stage, sight, answer, value, found)
            more = cursor is not None and len(found) <= len(rows)
    for number, (wanted, line) in enumerate(zip_longest(rows, found), 1):
        stage.checks.equal(f"line {number} of the results", wanted, line)
    stage.checks.saw(f"{len(found):,} lines of version {sight.version}, checksum {value[:16]}…")


def settlement_of(sight: Sight, value: str) -> Json:
    """Return what a reward run reports that paid by a version."""
    return {"settlement_id": SETTLEMENT, "version": sight.version, "checksum": value}


def settlement_refused(stage: Stage, body: Json, why: str) -> None:
    """See a settlement refused."""
    answer = stage.client.post(stage.internal("settlements"), body)
    stage.checks.equal(f"a settlement {why}", (409, "settlement_conflict"), answer.code)


def export(stage: Stage, sight: Sight, version: int | None) -> None:
    """Export a version, and compare file and checksum byte for byte."""
    path = stage.options.folder / f"results-{sight.version}.csv"
    wanted = results_file(sight.board.rows)
    with stage.checks.timed("lines exported", len(sight.board)):
        operator.export_results(stage.slug, path, version)
    compare_file(stage, path.name, wanted)


def compare_file(stage: Stage, name: str, wanted: bytes) -> None:
    """Compare a file that was exported, and its checksum, byte for byte."""
    path = stage.options.folder / name
    beside = path.with_name(f"{name}.sha256")
    stage.checks.equal(f"the file {name}", wanted, path.read_bytes())
    stage.checks.equal(f"the file {beside.name}", checksum_file(wanted, name), beside.read_bytes())
    stage.checks.saw(f"{name} has the {len(wanted):,} bytes that the model expects")


def _page(stage: Stage, sight: Sight, answer: Answer, value: str, found: list[Json]) -> str | None:
    """Take a page of results, and return the cursor of the next one."""
    if not stage.checks.equal("status of a page of results", 200, answer.status):
        return None
    rest = dict(answer.body)
    found.extend(rest.pop("entries", []))
    following: str | None = rest.pop("next", None)
    wanted = {"algorithm": "sha256", "value": value}
    check_reply(stage.checks, "checksum of the results", sight, rest, checksum=wanted)
    return following


def _settle(stage: Stage, final: Sight) -> None:
    value = checksum(final.board)
    body = settlement_of(final, value)
    settlement_refused(stage, {**body, "checksum": value[::-1]}, "with another checksum")
    first = stage.client.post(stage.internal("settlements"), body)
    again = stage.client.post(stage.internal("settlements"), body)
    stage.checks.equal("status of a settlement", 200, first.status)
    stage.checks.equal("a settlement", body, {name: first.body.get(name) for name in body})
    stage.checks.equal("a settlement reported again", first.content, again.content)
    listed = stage.detail()["settlements"]
    stage.checks.equal("settlements on record", [first.body], listed)
    stage.checks.saw(f"{SETTLEMENT} paid by version {final.version}, once")
