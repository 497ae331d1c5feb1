"""Addresses of the scores."""

from django.urls import path

from scores.api.corrections import Corrections
from scores.api.held import HeldResults

urlpatterns = [
    path("internal/v1/seasons/<season_id>/held", HeldResults.as_view()),
    path("internal/v1/seasons/<season_id>/corrections", Corrections.as_view()),
]
