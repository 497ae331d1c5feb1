"""`PUT …/profile` and `POST …/profiles`: where a trusted service says what a player is."""

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from msgspec import Struct

from config.errors import ProfileConflict
from config.http.bodies import body_of
from config.http.fields import Identifier, ProfileVersion, Region, Time, words
from config.http.openapi import Operation, operation
from config.http.parameters import identifier
from config.http.replies import json_reply
from config.http.times import show_time
from scores.api.service import ServiceEndpoint
from scores.forms import ProfileBody, ProfilesBody, read_profile, read_profiles
from scores.operations.set_profiles import SetProfile, set_profiles
from scores.queries.stored_profiles import StoredProfile
from scores.rules import CONFLICT, STORED


class ProfileReply(Struct, forbid_unknown_fields=True):
    """A player's profile as it is stored."""

    player_id: Identifier
    region: Region | None
    profile_version: ProfileVersion
    updated_at: Time


class ProfileOutcome(Struct, forbid_unknown_fields=True):
    """
    What became of a profile, and the player's profile as it is stored after the whole batch.

    `conflict`: an equal or newer version with other content stands in its place.
    """

    player_id: Identifier
    outcome: Annotated[str, words(STORED, CONFLICT)]
    region: Region | None
    profile_version: ProfileVersion
    updated_at: Time


class ProfilesReply(Struct, forbid_unknown_fields=True):
    """What became of the profiles of a batch, in its order."""

    results: list[ProfileOutcome]


class PlayerProfile(ServiceEndpoint):
    """Takes the profile of one player."""

    scope = "players:write"

    @operation(
        Operation(
            "set_profile",
            "Set a player's profile",
            ProfileReply,
            body=(ProfileBody,),
            codes=("profile_conflict",),
            tag="Writing",
        )
    )
    def put(self, request: HttpRequest, player_id: str) -> HttpResponse:
        """Store it and answer with the stored row."""
        player_id = identifier("player_id", player_id)
        (done,) = set_profiles([read_profile(player_id, body_of(request))])
        if done.outcome == CONFLICT:
            raise ProfileConflict
        return json_reply(_shown(done.stored))


class Profiles(ServiceEndpoint):
    """Takes up to 1,000 profiles together."""

    scope = "players:write"

    @operation(
        Operation(
            "set_profiles",
            "Set profiles",
            ProfilesReply,
            body=(ProfilesBody,),
            tag="Writing",
        )
    )
    def post(self, request: HttpRequest) -> HttpResponse:
        """Store them in one transaction and answer with what became of each."""
        done = set_profiles(read_profiles(body_of(request)))
        return json_reply(ProfilesReply([_outcome(one) for one in done]))


def _shown(stored: StoredProfile) -> ProfileReply:
    return ProfileReply(
        stored.player_id, stored.region, stored.profile_version, show_time(stored.updated_at)
    )


def _outcome(done: SetProfile) -> ProfileOutcome:
    stored = done.stored
    return ProfileOutcome(
        stored.player_id,
        done.outcome,
        stored.region,
        stored.profile_version,
        show_time(stored.updated_at),
    )
