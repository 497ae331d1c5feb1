"""Store what a trusted service says of players: where a region comes from."""

from collections.abc import Sequence
from typing import NamedTuple

from config import db
from scores import rules
from scores.queries.stored_profiles import StoredProfile, stored_profiles
from scores.rules import Profile
from scores.steps import RunAgain, move_bests, until_it_holds
from scores.steps.players import write_players_and_seasons
from seasons.queries.seasons_with_regions import seasons_with_regions

SET_PROFILES = db.statement(__file__, "set_profiles")


class SetProfile(NamedTuple):
    """What became of a profile that was given, and what is stored of its player now."""

    outcome: str
    stored: StoredProfile


def set_profiles(profiles: Sequence[Profile]) -> list[SetProfile]:
    """
    Store profiles in one transaction and return what became of each, in the order given.

    The bests of players whose region is another one now move to its board, in every season
    whose grace time is not over. The outcome is `stored` if the profile is what is stored now,
    also when it was before, and `conflict` if an equal or newer version with other content
    stands in its place. Of several of one player the newest counts, of equally new ones the
    first. Raises Unavailable.
    """
    return until_it_holds(lambda: _set(profiles))


def _set(profiles: Sequence[Profile]) -> list[SetProfile]:
    fenced = seasons_with_regions()
    with write_players_and_seasons(fenced) as seasons:
        written = _write(rules.newest_profiles(profiles))
        if written and not set(seasons_with_regions()) <= set(fenced):
            # A season was made meanwhile, and may have taken first results of these players.
            raise RunAgain
        regions = {profile.player_id: profile.region for profile in written.values()}
        for season in seasons:
            move_bests(season, regions)
        stored = written | stored_profiles({one.player_id for one in profiles} - set(written))
    return [_set_profile(profile, stored[profile.player_id]) for profile in profiles]


def _write(profiles: Sequence[Profile]) -> dict[str, StoredProfile]:
    rows = db.fetch_all(
        StoredProfile,
        SET_PROFILES,
        player_ids=[profile.player_id for profile in profiles],
        regions=[profile.region for profile in profiles],
        profile_versions=[profile.profile_version for profile in profiles],
    )
    return {row.player_id: row for row in rows}


def _set_profile(profile: Profile, stored: StoredProfile) -> SetProfile:
    outcome = rules.STORED if stored.content == profile else rules.CONFLICT
    return SetProfile(outcome, stored)
