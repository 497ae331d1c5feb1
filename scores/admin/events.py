"""How an event of the ledger is shown."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.urls import reverse

from config.admin.cells import cells, link, link_to, outside_link, shown
from config.admin.pages import Section, Table
from scores.models import Best
from scores.queries.ledger_events import LedgerEvent
from seasons.queries.score_range import score_range_of

HEADERS = (
    "Accepted",
    "Event",
    "Kind",
    "Player",
    "Score",
    "Version",
    "Outcome",
    "Before",
    "After",
    "Visible in",
)


def ledger_url(slug: str, **asked: object) -> str:
    """Return the address of a season's ledger, or of an event in it."""
    query = urlencode({"season": slug, **asked})
    return f"{reverse('admin:scores_ledger_changelist')}?{query}"


def player_link(slug: str, player_id: str) -> str:
    """Return a link to a player's page."""
    return link_to("scores_best_player", slug, player_id, text=player_id)


def event_link(slug: str, event_id: str | None) -> str:
    """Return a link to an event."""
    return link(ledger_url(slug, event=event_id), event_id) if event_id else shown(None)


def events_table(slug: str, events: Sequence[LedgerEvent], next_url: str = "") -> Table:
    """Return the events as a table."""
    scores = score_range_of(slug)
    rows = [_row(slug, event.turned(scores)) for event in events]
    return Table(HEADERS, rows, next_url, "No events.")


def event_section(title: str, slug: str, event: LedgerEvent) -> Section:
    """Return all that the ledger has of an event."""
    event = event.turned(score_range_of(slug))
    whose = "the match service's" if event.kind_group == 0 else "our own"
    return Section(
        title,
        facts=[
            ("Event", event_link(slug, event.event_id)),
            ("Kind", f"{event.kind} ({whose})"),
            ("Player", player_link(slug, event.player_id)),
            ("Match", shown(event.match_id)),
            ("Score as sent", shown(event.score)),
            ("Version", version_of(event)),
            ("Completed", shown(event.completed_at)),
            ("Accepted", shown(event.accepted_at)),
            ("Outcome", event.outcome),
            ("Before", shown(event.old_score)),
            ("After", shown(event.new_score)),
            ("Visible in version", shown(event.visible_in_version)),
            ("Takes out", event_link(slug, event.void_event_id)),
            ("Corrects", event_link(slug, event.corrects_event_id)),
            ("Reason", shown(event.reason)),
            ("Evidence", outside_link(event.evidence)),
            ("Approved by", shown(event.approved_by)),
            ("Change of the player", shown(event.change_no)),
        ],
    )


def _row(slug: str, event: LedgerEvent) -> list[str]:
    return cells(
        event.accepted_at,
        event_link(slug, event.event_id),
        event.kind,
        player_link(slug, event.player_id),
        event.score,
        version_of(event),
        event.outcome,
        event.old_score,
        event.new_score,
        event.visible_in_version,
    )


def version_of(row: LedgerEvent | Best) -> str:
    """Return the match service's version, and how often we changed it ourselves since."""
    return f"{row.score_version}.{row.revision}" if row.revision else str(row.score_version)
