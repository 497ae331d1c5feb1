"""Who may log in, in the looks of the admin; their roles are groups."""

from django.contrib import admin
from django.contrib.auth import admin as auth
from django.contrib.auth.models import Group, User
from unfold.admin import ModelAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

admin.site.unregister(User)
admin.site.unregister(Group)


@admin.register(User)
class UserAdmin(auth.UserAdmin, ModelAdmin):  # type: ignore[type-arg]
    """Django's own, where superusers make people and give them roles."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_active", "is_staff", "is_superuser", "last_login"]
    show_full_result_count = False


@admin.register(Group)
class GroupAdmin(auth.GroupAdmin, ModelAdmin):
    """Django's own: roles and what each may do."""
