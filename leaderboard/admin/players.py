"""Players in the admin: found by season and id, each with history, ranks and requests."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join

from config.admin import seeking
from config.admin.cells import link, link_to, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, FormOnPage, Section, Table, may, page, page_of, require
from config.errors import NoPublishedVersion, SeasonNotFound
from config.http.parameters import IDENTIFIER
from leaderboard.queries.published import Published, published
from leaderboard.queries.rank_of_player import RankOfPlayer, rank_of_player
from scores.admin.events import events_table, version_of
from scores.admin.requests import REQUEST, form_url, requests_table
from scores.models import Best
from scores.queries.correction_requests import requests_of_player
from scores.queries.ledger_events import (
    LARGEST,
    LedgerEvent,
    changes_of_player,
    others_of_player,
)
from scores.queries.stored_friends import stored_friends
from scores.queries.stored_profiles import stored_profiles
from seasons.queries import season_id_of

PAGE = 25
REQUESTS_SHOWN = 20
LOOK = "scores.view_best"
VOIDABLE = {"result", "correction"}


class PlayerForm(seeking.SeasonForm):
    """Asks for a player of a season."""

    player = seeking.identifier("Player", help_text="The id, exactly.")


@admin.register(Best)
class BestAdmin(LookOnlyAdmin):
    """Finds one player by key; there is no list of all."""

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the search and of a player's page."""
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.changelist_view), name="scores_best_changelist"),
            path("<slug:slug>/<str:player_id>/", wrap(player_page), name="scores_best_player"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Ask for a season and a player, and go to the player's page."""
        require(request, LOOK)
        asked = "player" in request.GET
        form = PlayerForm(request.GET) if asked else PlayerForm(initial=request.GET.dict())
        if form.is_valid():
            slug = form.cleaned_data["season"]
            try:
                season_id_of(slug)
            except SeasonNotFound as refusal:
                form.add_error("season", refusal.detail)
            else:
                return HttpResponseRedirect(player_url(slug, form.cleaned_data["player"]))
        return page(request, "Players", form=FormOnPage(form, "Find", method="get"))


def player_page(request: HttpRequest, slug: str, player_id: str) -> HttpResponse:
    """Show a player of a season."""
    require(request, LOOK)
    if not IDENTIFIER.fullmatch(player_id):
        raise Http404
    try:
        season = published(slug)
    except SeasonNotFound:
        raise Http404 from None
    asks = may(request, REQUEST)
    return page(
        request,
        f"Player {player_id}",
        sections=[
            _standing(season, player_id),
            _whatever_the_season(slug, player_id),
            _changes(request, season, player_id, asks=asks),
            _others(request, season, player_id),
            *_requests(request, season, player_id),
        ],
        buttons=_buttons(slug, player_id) if asks else [],
    )


def player_url(slug: str, player_id: str, **asked: object) -> str:
    """Return the address of a player's page."""
    query = f"?{urlencode(asked)}" if asked else ""
    return reverse("admin:scores_best_player", args=[slug, player_id]) + query


def _buttons(slug: str, player_id: str) -> list[Button]:
    about = {"season": slug, "player_id": player_id}
    return [
        Button("Correct score", form_url(**about, kind="set"), "primary"),
        Button("Remove", form_url(**about, kind="remove")),
        Button("Void an event", form_url(**about, kind="void")),
    ]


def _standing(season: Published, player_id: str) -> Section:
    best = Best.objects.filter(namespace=season.namespace, player_id=player_id).first()
    facts = [
        ("Season", link_to("seasons_season_change", season.season_id, text=season.slug)),
        ("Rank now", _rank(season, player_id, season.number)),
        ("Rank in the final version", _rank(season, player_id, season.final_version)),
        ("Score", shown(best and season.scores.turned(best.score))),
        ("Removed", shown(best and best.removed)),
        ("Hidden best", shown(best and season.scores.turned(best.hidden_score))),
        ("Version", shown(best and version_of(best))),
        ("Changes", shown(best and best.change_no)),
    ]
    note = "" if best else "The season has no best of this player."
    return Section(player_id, note=note, facts=facts)


def _whatever_the_season(slug: str, player_id: str) -> Section:
    profile = stored_profiles([player_id]).get(player_id)
    friends = stored_friends(player_id)
    named = [(link(player_url(slug, one), one),) for one in friends.friend_ids] if friends else []
    facts = [
        ("Region", shown(profile and profile.region)),
        ("Version of the profile", shown(profile and profile.profile_version)),
        ("Profile stored", shown(profile and profile.updated_at)),
        ("Friends", shown(friends and len(named))),
        ("Version of the friend list", shown(friends and friends.friends_version)),
        ("Friend list stored", shown(friends and friends.updated_at)),
        ("Who they are", format_html_join(", ", "{}", named) or shown(None)),
    ]
    return Section("Profile and friends, whatever the season", facts=facts)


def _rank(season: Published, player_id: str, version: int | None) -> str:
    if version is None:
        return shown(None)
    try:
        found = rank_of_player(season, player_id, version=version)
    except NoPublishedVersion as refusal:
        return refusal.detail
    if found is None:
        return f"version {version} can no longer be read"
    return _place(season, found)


def _place(season: Published, found: RankOfPlayer) -> str:
    where = f"of {found.members[0]} in version {found.number}"
    score = season.scores.turned(found.score)
    place = f"{found.rank} {where}, with {score}" if found.rank else "not on the board"
    return f"{place}; a newer change waits for its version" if found.is_pending else place


def _changes(request: HttpRequest, season: Published, player_id: str, *, asks: bool) -> Section:
    before = seeking.number_in(request, "change", LARGEST)
    found = changes_of_player(season.ledger_namespace, player_id, before=before, limit=PAGE + 1)
    rows, last = page_of(found, PAGE)
    following = player_url(season.slug, player_id, change=last.change_no) if last else ""
    table = events_table(season.slug, rows, following)
    return Section(
        "What touched the best, newest first",
        table=_with_voids(season.slug, table, rows) if asks else table,
    )


def _with_voids(slug: str, table: Table, rows: Any) -> Table:
    return table._replace(
        headers=[*table.headers, ""],
        rows=[[*cells, _void(slug, row)] for cells, row in zip(table.rows, rows, strict=True)],
    )


def _void(slug: str, row: LedgerEvent) -> str:
    if row.kind not in VOIDABLE:
        return ""
    about = {"season": slug, "player_id": row.player_id, "kind": "void"}
    return link(form_url(**about, void_event_id=row.event_id), "Void this event")


def _others(request: HttpRequest, season: Published, player_id: str) -> Section:
    before = seeking.number_in(request, "id", LARGEST)
    found = others_of_player(season.ledger_namespace, player_id, before=before, limit=PAGE + 1)
    rows, last = page_of(found, PAGE)
    following = player_url(season.slug, player_id, id=last.id) if last else ""
    return Section(
        "Without effect (stale, late, refused), newest first",
        table=events_table(season.slug, rows, following),
    )


def _requests(request: HttpRequest, season: Published, player_id: str) -> list[Section]:
    if not may(request, "scores.view_correctionrequest"):
        return []
    found = requests_of_player(season.season_id, player_id, limit=REQUESTS_SHOWN)
    return [Section("Correction requests", table=requests_table(found))]
