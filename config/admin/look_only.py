"""Lists of what is only looked at, however long they are."""

from typing import Any

from django.http import HttpRequest
from unfold.admin import ModelAdmin
from unfold.paginator import InfinitePaginator


class LookOnlyAdmin(ModelAdmin):
    """
    Shows rows, newest first, by their key; nothing is added, changed or deleted by a form.

    A list is read in the order of an index, a page at a time, and never counted.
    """

    actions = None
    ordering = ["-pk"]
    paginator = InfinitePaginator
    show_full_result_count = False
    list_per_page = 50
    list_max_show_all = 0

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted here."""
        return False
