"""The side of the admin: what there is, grouped, for those who may see it."""

from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

_COLOURS = {"production": "danger", "staging": "warning"}


class Item(NamedTuple):
    """A link: its words, its symbol, the model that it shows, and perhaps which view of it."""

    title: str
    icon: str
    app: str
    model: str
    view: str = "changelist"

    @property
    def permission(self) -> str:
        """Return the permission that it takes to follow the link."""
        return f"{self.app}.view_{self.model}"


GROUPS: dict[str, list[Item]] = {
    "Seasons": [
        Item("Seasons", "trophy", "seasons", "season"),
        Item("Series", "event_repeat", "seasons", "series"),
        Item("Transitions", "timeline", "seasons", "transition"),
        Item("Versions", "layers", "leaderboard", "version"),
        Item("Candidates", "flag", "leaderboard", "candidate"),
        Item("Settlements", "payments", "leaderboard", "settlement"),
    ],
    "Players": [
        Item("Players", "person_search", "scores", "best"),
        Item("Ledger", "receipt_long", "scores", "ledger"),
    ],
    "Moderation": [
        Item("Correction requests", "gavel", "scores", "correctionrequest"),
        Item("Held results", "hourglass", "scores", "ledger", "held"),
    ],
    "Operations": [
        Item("Jobs", "task", "leaderboard", "job"),
        Item("Verifications", "fact_check", "leaderboard", "verification"),
        Item("Rebuilds", "construction", "leaderboard", "rebuild"),
        Item("Retirements", "inventory_2", "leaderboard", "retirement"),
    ],
    "Access": [
        Item("Service tokens", "key", "scores", "servicetoken"),
        Item("Audit log", "history", "admin", "logentry"),
        Item("People", "group", "auth", "user"),
        Item("Roles", "badge", "auth", "group"),
    ],
}


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the groups of links that the person may follow."""
    groups = []
    for title, items in GROUPS.items():
        links = [_link(item) for item in items if request.user.has_perm(item.permission)]
        if links:
            groups.append({"title": title, "separator": True, "items": links})
    return groups


def environment(request: HttpRequest) -> list[str]:
    """Return the name of this installation, and the colour of its badge."""
    name = settings.ENVIRONMENT_NAME
    return [name, _COLOURS.get(name, "info")]


def _link(item: Item) -> dict[str, Any]:
    address = reverse(f"admin:{item.app}_{item.model}_{item.view}")
    return {"title": item.title, "icon": item.icon, "link": address}
