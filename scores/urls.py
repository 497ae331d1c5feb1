"""Addresses of the scores."""

from django.urls import path

from config.http.addresses import PLAYER
from scores.api.apply_to_series import ApplyToSeries
from scores.api.corrections import Corrections
from scores.api.friends import PlayerFriendList
from scores.api.held import HeldResults
from scores.api.profiles import PlayerProfile, Profiles

urlpatterns = [
    path("internal/v1/series/<series_id>/scores:apply", ApplyToSeries.as_view()),
    path("internal/v1/seasons/<season_id>/held", HeldResults.as_view()),
    path("internal/v1/seasons/<season_id>/corrections", Corrections.as_view()),
    path("internal/v1/players/profiles", Profiles.as_view()),
    path(f"internal/v1/{PLAYER}/profile", PlayerProfile.as_view()),
    path(f"internal/v1/{PLAYER}/friends", PlayerFriendList.as_view()),
]
