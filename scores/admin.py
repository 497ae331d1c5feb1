"""Service tokens in the admin: who may write, since when, used when; and to revoke them."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from scores.models import ServiceToken
from scores.operations.revoke_token import revoke_token


@admin.register(ServiceToken)
class ServiceTokenAdmin(ModelAdmin):
    """Shows the tokens; they are made by `manage.py create_token`, which prints them once."""

    list_display = ["name", "scopes", "created_at", "expires_at", "revoked_at", "last_used_at"]
    search_fields = ["name"]
    ordering = ["name"]
    actions = ["revoke"]

    @admin.action(description="Revoke the chosen tokens at once")
    def revoke(self, request: HttpRequest, chosen: QuerySet[ServiceToken]) -> None:
        """Refuse the tokens from the next request on."""
        for token in chosen:
            revoke_token(token.name)
        messages.success(request, "The tokens are refused from now on.")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only a hash is kept, so a form could not show the token."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: ServiceToken | None = None) -> bool:
        """A token stays what it was made for; actions need the view permission only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: ServiceToken | None = None) -> bool:
        """A revoked token stays, so that one sees what it was."""
        return False
