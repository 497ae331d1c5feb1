"""The people who work in the admin."""

import itertools
from typing import Any

from django.contrib.auth.models import Group, User
from django.test import Client

_numbers = itertools.count(1)


def person(*roles: str, name: str | None = None) -> User:
    """Make somebody who may log in to the admin, with these roles."""
    made = User.objects.create_user(name or f"person-{next(_numbers)}", is_staff=True)
    made.groups.set(Group.objects.filter(name__in=roles))
    return made


def chief() -> User:
    """Make somebody who may do everything."""
    return User.objects.create_superuser(f"chief-{next(_numbers)}")


def client_of(who: User) -> Client:
    """Return a client that is logged in."""
    client = Client()
    client.force_login(who)
    return client


def text_of(response: Any) -> str:
    """Return a page's text; it must be there."""
    assert response.status_code == 200, response.content
    return str(response.content.decode())
