"""
What stands before every view, kept short since every read passes it.

The admin needs sessions, users and forms that cannot be forged; nothing else does, so its
middleware steps aside everywhere else.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.messages.middleware import MessageMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware

from config.errors import InvalidParameter
from config.problems import problem_reply

ADMIN = "/admin/"
Handler = Callable[[HttpRequest], HttpResponse]


def edge(get_response: Handler) -> Handler:
    """Refuse what no view could read: a NUL in the address, a host that is none."""

    def answer(request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return problem_reply(InvalidParameter("The address has a NUL in it."))
        try:
            request.get_host()
        except DisallowedHost:
            return problem_reply(InvalidParameter("The Host header is not valid here."))
        return get_response(request)

    return answer


class _ForAdmin:
    get_response: Any

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info.startswith(ADMIN):
            return super().__call__(request)  # type: ignore[misc]
        return self.get_response(request)


class AdminSecurity(_ForAdmin, SecurityMiddleware):
    """SecurityMiddleware for the admin alone."""


class AdminSessions(_ForAdmin, SessionMiddleware):
    """SessionMiddleware for the admin alone."""


class AdminForms(_ForAdmin, CsrfViewMiddleware):
    """CsrfViewMiddleware for the admin alone."""

    def process_view(self, request: HttpRequest, *view: Any) -> Any:
        """Check a form of the admin before its view runs."""
        if request.path_info.startswith(ADMIN):
            return super().process_view(request, *view)
        return None


class AdminUsers(_ForAdmin, AuthenticationMiddleware):
    """AuthenticationMiddleware for the admin alone."""


class AdminMessages(_ForAdmin, MessageMiddleware):
    """MessageMiddleware for the admin alone."""


class AdminFrames(_ForAdmin, XFrameOptionsMiddleware):
    """XFrameOptionsMiddleware for the admin alone."""
