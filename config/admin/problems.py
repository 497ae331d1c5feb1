"""What people see in the admin when a page is not there, or not for them."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from config.admin.pages import Section, page
from config.errors import Refusal
from config.http.middleware import ADMIN

_SAYS: list[tuple[type[Exception], int, str, str]] = [
    (PermissionDenied, 403, "Not permitted", "Your roles do not let you do this."),
    (Http404, 404, "Not found", "There is nothing at this address."),
]


class AdminProblems:
    """Answers with a page of the admin where the interface would answer with JSON."""

    def __init__(self, get_response: Any) -> None:
        """Take what answers the request."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        """Let the request pass."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that says what is wrong, if the admin was asked."""
        if not request.path_info.startswith(ADMIN) or not request.user.is_authenticated:
            return None
        for kind, status, title, sentence in _SAYS:
            if isinstance(exception, kind):
                return _problem(request, status, title, sentence)
        if isinstance(exception, Refusal):
            return _problem(request, 503, "Not possible at the moment", exception.detail)
        return None


def _problem(request: HttpRequest, status: int, title: str, sentence: str) -> HttpResponse:
    answer = page(request, title, sections=[Section("", note=sentence)])
    answer.status_code = status
    return answer.render()
