"""The audit log in the admin: every action of every person."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry

from config.admin.look_only import LookOnlyAdmin


@admin.register(LogEntry)
class AuditAdmin(LookOnlyAdmin):
    """Shows who did what, to what, and why."""

    list_display = ["action_time", "user", "what", "content_type", "object_repr"]
    list_display_links = None
    list_select_related = ["user", "content_type"]
    search_fields = ["user__username__exact"]
    search_help_text = "The name of a person, exactly."

    @admin.display(description="what and why")
    def what(self, entry: LogEntry) -> str:
        """Return what was done and the reason that was given."""
        return entry.get_change_message() or entry.get_action_flag_display()
