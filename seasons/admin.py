"""Seasons in the admin: to look at; they are made by `manage.py create_season`."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from seasons.models import Season


@admin.register(Season)
class SeasonAdmin(ModelAdmin):
    """Shows every season and its rules."""

    list_display = ["slug", "name", "starts_at", "cutoff_at", "late_policy"]
    search_fields = ["slug", "name"]
    ordering = ["-starts_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Seasons are made with their partitions, which a form cannot do."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Season | None = None) -> bool:
        """The rules of a season stay as they were when it was made."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Season | None = None) -> bool:
        """A season's ledger stays."""
        return False
