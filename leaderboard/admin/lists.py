"""Lists of what the machinery did; each is read in the order of its keys and never counted."""

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from config.admin.cells import lasting
from config.admin.look_only import LookOnlyAdmin
from leaderboard.models import Candidate, Rebuild, Retirement, Settlement, Version
from seasons.models import Season, Transition

OF_SEASON = "season__slug__exact"
SEEK = "The id of a season, exactly."


@admin.register(Transition)
class TransitionAdmin(LookOnlyAdmin):
    """Shows which state of a season began when, and who brought it about."""

    list_display = ["season", "status", "due_at", "recorded_at", "actor", "reason"]
    list_select_related = ["season"]
    search_fields = [OF_SEASON]
    search_help_text = SEEK


@admin.register(Version)
class VersionAdmin(LookOnlyAdmin):
    """Shows the versions that can be read, with how long each was on its way."""

    list_display = [
        "number", "of_season", "kind", "players", "ledger_rows", "sealed_at", "published_at",
        "on_its_way", "replaced_at",
    ]  # fmt: skip
    search_fields = ["slug__exact"]
    search_help_text = SEEK

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """Return the versions, each with the id of its season."""
        seasons = Season.objects.filter(id=OuterRef("season_id")).values("slug")
        found: QuerySet[Version] = super().get_queryset(request)
        return found.annotate(slug=Subquery(seasons[:1]))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Version], search_term: str
    ) -> tuple[QuerySet[Version], bool]:
        """Return the versions of one season, by the key that its namespace begins."""
        if not search_term:
            return queryset, False
        seasons = Season.objects.filter(slug=search_term.replace("\0", "")).values("namespace")
        return queryset.filter(namespace__in=seasons), False

    @admin.display(description="season")
    def of_season(self, version: Any) -> str:
        """Return the id of the season."""
        return str(version.slug)

    @admin.display(description="players")
    def players(self, version: Version) -> int:
        """Return how many players the global board has."""
        return version.members[0]

    @admin.display(description="sealed to published")
    def on_its_way(self, version: Version) -> str:
        """Return how long it took from the seal to the flip."""
        return lasting(version.published_at - version.sealed_at)


@admin.register(Candidate)
class CandidateAdmin(LookOnlyAdmin):
    """Shows the versions that were to be final, and what became of them."""

    list_display = [
        "season", "version", "through", "made_at", "verification", "discarded_at",
        "discarded_because", "became_final_at",
    ]  # fmt: skip
    list_select_related = ["season", "verification"]
    search_fields = [OF_SEASON]
    search_help_text = SEEK


@admin.register(Settlement)
class SettlementAdmin(LookOnlyAdmin):
    """Shows which reward run paid by which version."""

    list_display = ["settlement_id", "season", "version", "checksum", "recorded_at"]
    list_select_related = ["season"]
    search_fields = [OF_SEASON]
    search_help_text = SEEK


@admin.register(Rebuild)
class RebuildAdmin(LookOnlyAdmin):
    """Shows how far each rebuild is."""

    list_display = [
        "id", "season", "source", "phase", "progress", "started_at", "moved_at", "swapped_at",
        "failure",
    ]  # fmt: skip
    list_select_related = ["season"]
    search_fields = [OF_SEASON]
    search_help_text = SEEK

    @admin.display(description="progress")
    def progress(self, rebuild: Rebuild) -> str:
        """Return how much is done."""
        if not rebuild.total:
            return f"{rebuild.done}"
        return f"{rebuild.done} of {rebuild.total} ({100 * rebuild.done // rebuild.total} %)"


@admin.register(Retirement)
class RetirementAdmin(LookOnlyAdmin):
    """Shows which seasons are gone, and what they were."""

    list_display = [
        "season", "reason", "final_version", "players", "ledger_rows", "sha256", "begun_at",
        "dropped_at",
    ]  # fmt: skip
    list_select_related = ["season"]
    search_fields = [OF_SEASON]
    search_help_text = SEEK
