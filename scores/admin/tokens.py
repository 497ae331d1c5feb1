"""Service tokens in the admin: who may write, since when; made, shown once, and revoked."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse

from config.admin import audit, fields
from config.admin.asking import Question, ReasonForm, ask, sent
from config.admin.cells import badge, cells, link_to, shown
from config.admin.look_only import LookOnlyAdmin
from config.admin.pages import Button, Section, Table, may, page, page_of, require
from scores.models import ServiceToken
from scores.operations.create_token import SCOPES, create_token
from scores.operations.revoke_token import revoke_token

PAGE = 100
HEADERS = ("Name", "Scopes", "Made", "Expires", "Last used", "State", "")
LOOK = "scores.view_servicetoken"
MAKE = "scores.add_servicetoken"
REVOKE = "scores.change_servicetoken"


class TokenForm(forms.Form):
    """Asks who gets a token, for what, and until when."""

    name = fields.text("Name", help_text="Who will use it; names are unique.")
    scopes = fields.choices("Scopes", SCOPES)
    expires_at = fields.moment("Expires", required=False, help_text="In UTC; or never.")


@admin.register(ServiceToken)
class ServiceTokenAdmin(LookOnlyAdmin):
    """Only a hash of a token is kept: its text is shown once, as the answer to the form."""

    def get_urls(self) -> list[URLPattern]:
        """Return the addresses of the list, of the form, and of what revokes."""
        wrap = self.admin_site.admin_view
        name = "scores_servicetoken"
        return [
            path("", wrap(self.changelist_view), name=f"{name}_changelist"),
            path("add/", wrap(self.add_view), name=f"{name}_add"),
            path("<int:object_id>/change/", wrap(self.change_view), name=f"{name}_change"),
            path("<int:token_id>/revoke/", wrap(revoke), name=f"{name}_revoke"),
        ]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the tokens by name."""
        require(request, LOOK)
        after = request.GET.get("after", "").replace("\0", "")
        tokens = ServiceToken.objects.filter(name__gt=after).order_by("name")[: PAGE + 1]
        rows, last = page_of(list(tokens), PAGE)
        following = f"?{urlencode({'after': last.name})}" if last else ""
        table = Table(HEADERS, [_row(request, token) for token in rows], following, "No tokens.")
        make = Button("Make a token", reverse("admin:scores_servicetoken_add"), "primary")
        return page(
            request,
            "Service tokens",
            sections=[Section("", table=table)],
            buttons=[make] if may(request, MAKE) else [],
        )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Make a token and show it: in the answer itself, so that nothing else ever has it."""
        require(request, MAKE)

        def act(answers: dict[str, Any]) -> HttpResponse:
            token = create_token(answers["name"], answers["scopes"], answers["expires_at"])
            made = ServiceToken.objects.get(name=answers["name"])
            audit.note(request, made, f"Made a token for {', '.join(made.scopes)}", new=True)
            return _shown_once(request, made, token)

        question = Question(
            "Make a service token",
            "The token is shown once, on the next page.",
            "Make it",
            reverse("admin:scores_servicetoken_changelist"),
        )
        return ask(request, question, TokenForm(sent(request)), act)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show what is kept of a token."""
        require(request, LOOK)
        token = _token_or_404(int(object_id))
        return page(
            request,
            f"Token {token.name}",
            sections=[_section(token)],
            buttons=[_revoke_button(token)] if _may_be_revoked(request, token) else [],
        )


def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Ask why, and then refuse the token from the next request on."""
    require(request, REVOKE)
    token = _token_or_404(token_id)
    back = reverse("admin:scores_servicetoken_changelist")

    def act(answers: dict[str, Any]) -> str:
        revoke_token(token.name)
        audit.note(request, token, "Revoked", answers["reason"])
        messages.success(request, f"The token {token.name} is refused from now on.")
        return back

    question = Question(
        f"Revoke the token {token.name}",
        "Whoever uses it is refused from the next request on. It cannot be undone.",
        "Revoke",
        back,
        variant="danger",
        sections=(_section(token),),
    )
    return ask(request, question, ReasonForm(sent(request)), act)


def _shown_once(request: HttpRequest, made: ServiceToken, token: str) -> HttpResponse:
    return page(
        request,
        f"Token {made.name}",
        sections=[_section(made)],
        secret=token,
        note="Copy the token now: it cannot be shown again.",
        buttons=[Button("Done", reverse("admin:scores_servicetoken_changelist"), "primary")],
    )


def _section(token: ServiceToken) -> Section:
    return Section(
        "",
        facts=[
            ("Name", token.name),
            ("Scopes", ", ".join(token.scopes)),
            ("Made", shown(token.created_at)),
            ("Expires", shown(token.expires_at)),
            ("Revoked", shown(token.revoked_at)),
            ("Last used", shown(token.last_used_at)),
        ],
    )


def _row(request: HttpRequest, token: ServiceToken) -> list[str]:
    address = "scores_servicetoken_revoke"
    return cells(
        link_to("scores_servicetoken_change", token.id, text=token.name),
        ", ".join(token.scopes),
        token.created_at,
        token.expires_at,
        token.last_used_at,
        badge("revoked", "danger") if token.revoked_at else badge("valid", "success"),
        link_to(address, token.id, text="Revoke") if _may_be_revoked(request, token) else "",
    )


def _may_be_revoked(request: HttpRequest, token: ServiceToken) -> bool:
    return token.revoked_at is None and may(request, REVOKE)


def _revoke_button(token: ServiceToken) -> Button:
    return Button("Revoke", reverse("admin:scores_servicetoken_revoke", args=[token.id]), "danger")


def _token_or_404(token_id: int) -> ServiceToken:
    token = ServiceToken.objects.filter(id=token_id).first()
    if token is None:
        raise Http404
    return token
