"""Addresses of the scores."""

from django.urls import path

from scores.api.corrections import Corrections

urlpatterns = [
    path("internal/v1/seasons/<season_id>/corrections", Corrections.as_view()),
]
