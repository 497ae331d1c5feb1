"""What a season's page shows."""

from config.admin.cells import badge, cells, link, link_to, shown
from config.admin.pages import Section, Table
from leaderboard.admin.verifications import state_of
from leaderboard.models import Candidate, Retirement, Stop, Verification, Version
from leaderboard.queries.published import Published, published
from leaderboard.queries.season_history import season_history
from scores.admin.held import held_url
from scores.queries.held_results import held_results
from seasons.models import Season, Transition

HELD_COUNTED = 100
TRANSITIONS = ("State", "Due", "Recorded", "By", "Reason")
VERSIONS = ("Version", "Kind", "Players", "Ledger rows", "Sealed", "Published", "Replaced", "")
CANDIDATES = ("Version", "Through epoch", "Made", "Verification", "Discarded", "Because", "Final")
VERIFICATIONS = ("Number", "Version", "Scope", "State", "Begun", "Finished")


def sections_of(slug: str) -> list[Section]:
    """Return the sections of a season's page."""
    found = published(slug)
    history = season_history(found.season_id, found.namespace)
    return [
        _state(found),
        _rules(found),
        _table("Transitions", TRANSITIONS, [_transition(row) for row in history.transitions]),
        _table("Newest versions", VERSIONS, [_version(row) for row in history.versions]),
        _table("Candidates", CANDIDATES, [_candidate(row) for row in history.candidates]),
        _table(
            "Newest verifications",
            VERIFICATIONS,
            [_verification(row) for row in history.verifications],
        ),
    ]


def retired_section(retirement: Retirement) -> Section:
    """Return all that is left to show of a season that is gone."""
    return Section(
        "It is gone",
        note=retirement.reason,
        facts=[
            ("Since", shown(retirement.begun_at)),
            ("Tables dropped", shown(retirement.dropped_at)),
            ("Final version", shown(retirement.final_version)),
            ("Players", shown(retirement.players)),
            ("Ledger rows", shown(retirement.ledger_rows)),
            ("Checksum of its results", shown(retirement.sha256)),
        ],
    )


def _table(title: str, headers: tuple[str, ...], rows: list[list[str]]) -> Section:
    return Section(title, table=Table(headers, rows, empty="None yet."))


def _state(season: Published) -> Section:
    stop = Stop.objects.filter(season_id=season.season_id).first()
    damaged = Season.objects.values_list("bests_damaged_at", flat=True).get(id=season.season_id)
    stopped = stop and f"{stop.failed_check}: {stop.detail} ({shown(stop.stopped_at)})"
    lag = None if season.as_of is None or season.final_version is not None else season.age
    return Section(
        "State",
        facts=[
            ("State", badge(season.status)),
            ("Version", shown(season.number)),
            ("Players", shown(season.members[0] if season.members else None)),
            ("Lag", shown(lag)),
            ("As of", shown(season.as_of)),
            ("Publication stopped", shown(stopped)),
            ("Writes refused since", shown(damaged)),
            ("Final version", shown(season.final_version)),
            ("Held results", link(held_url(season.slug), _held(season.slug))),
        ],
    )


def _held(slug: str) -> str:
    held = len(held_results(slug, limit=HELD_COUNTED + 1))
    return f"more than {HELD_COUNTED}" if held > HELD_COUNTED else str(held)


def _rules(season: Published) -> Section:
    return Section(
        "Rules",
        facts=[
            ("Id", season.slug),
            ("Name", season.name),
            ("Starts", shown(season.starts_at)),
            ("Cutoff", shown(season.cutoff_at)),
            ("Grace time", f"{season.grace_seconds} s"),
            ("Late results", season.late_policy),
            ("Scores", f"{season.score_min} to {season.score_max}"),
            ("Ties", season.tie_rule),
            ("Order", season.order),
            ("Kept", season.keep),
            ("Regions", ", ".join(season.regions) or shown(None)),
        ],
    )


def _transition(row: Transition) -> list[str]:
    return cells(row.status, row.due_at, row.recorded_at, row.actor, row.reason)


def _version(row: Version) -> list[str]:
    return cells(
        row.number,
        row.kind,
        row.members[0],
        row.ledger_rows,
        row.sealed_at,
        row.published_at,
        row.replaced_at,
        _moved(row),
    )


def _moved(row: Version) -> str:
    if row.kind != "corrected":
        return ""
    return link_to("seasons_season_moved", row.season_id, row.number, text="Who moved")


def _candidate(row: Candidate) -> list[str]:
    return cells(
        row.version,
        row.through,
        row.made_at,
        _verification_link(row.verification_id),
        row.discarded_at,
        row.discarded_because,
        row.became_final_at,
    )


def _verification(row: Verification) -> list[str]:
    state = state_of(row.agrees)
    begun, finished = row.started_at, row.finished_at
    return cells(_verification_link(row.id), row.version, row.scope, state, begun, finished)


def _verification_link(number: int | None) -> str | None:
    if number is None:
        return None
    return link_to("leaderboard_verification_change", number, text=number)
