"""Whom a corrected version moved, in the admin."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from config.admin.cells import cells
from config.admin.pages import Button, Section, Table, page, require
from config.errors import Refusal
from leaderboard.queries.differences import Moved, Pair, moved_among, players_corrected
from leaderboard.queries.published import published
from leaderboard.queries.results import final_or_corrected
from scores.admin.events import player_link
from seasons.models import Season

MOST = 200
HEADERS = ("Player", "Rank before", "Score before", "Rank after", "Score after", "Paid by")
NOTE = (
    "The players whose own score was corrected, the first {most} by id. Everybody else who moved "
    "moved because of them: `manage.py export_differences {slug} {version} FILE` writes them all."
)


def moved_page(request: HttpRequest, season_id: int, version: int) -> HttpResponse:
    """Show whose score a corrected version changed, and which reward runs had paid them."""
    require(request, "seasons.view_season")
    season = Season.objects.filter(id=season_id).first()
    if season is None:
        raise Http404
    try:
        moved = _moved(season.slug, version)
    except Refusal as refusal:
        raise Http404 from refusal
    note = NOTE.format(most=MOST, slug=season.slug, version=version)
    table = Table(HEADERS, [_row(season.slug, one) for one in moved], empty="Nobody moved.")
    return page(
        request,
        f"Version {version} of {season.slug}: who moved",
        sections=[Section("", note=note, table=table)],
        buttons=[Button("Season", reverse("admin:seasons_season_change", args=[season_id]))],
    )


def _moved(slug: str, version: int) -> list[Moved]:
    season = published(slug)
    pair = Pair(final_or_corrected(season, None), final_or_corrected(season, version))
    return moved_among(season, pair, players_corrected(season, pair, limit=MOST))


def _row(slug: str, moved: Moved) -> list[str]:
    return cells(
        player_link(slug, moved.player_id),
        moved.old_rank,
        moved.old_score,
        moved.new_rank,
        moved.new_score,
        ", ".join(moved.settlements),
    )
