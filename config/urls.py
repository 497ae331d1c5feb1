"""Every address of the server."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config.http import pages

handler400 = "config.problems.bad_request"
handler403 = "config.problems.forbidden"
handler404 = "config.problems.not_found"
handler500 = "config.problems.server_error"

urlpatterns = [
    path("", include("leaderboard.urls")),
    path("", include("scores.urls")),
    path("", RedirectView.as_view(url="/api/docs/")),
    path("livez", pages.Live.as_view()),
    path("metrics", pages.Metrics.as_view()),
    path("problems/<code>", pages.ProblemMeaning.as_view()),
    path("api/schema/", pages.Document.as_view(), name="openapi"),
    path("api/docs/", pages.docs),
    path("static/<path:path>", pages.static_file),
    path("admin", RedirectView.as_view(url="/admin/")),
    path("admin/", admin.site.urls),
]
