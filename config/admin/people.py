"""Who works in the admin: only somebody who logged in gets as far as to act."""

from django.contrib.auth.models import User
from django.http import HttpRequest


def person(request: HttpRequest) -> User:
    """Return who sent the request."""
    assert isinstance(request.user, User)
    return request.user
