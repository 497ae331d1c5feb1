"""What a reader asks for: which season, board and version, and how long it would wait."""

import functools
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeVar

from django.http import HttpRequest

from config.errors import (
    NotFinal,
    NotPublishedYet,
    VersionExpired,
    VersionUnknown,
)
from config.http import parameters
from config.http.requests import query_of
from leaderboard.api.known import KNOWN, READS, season_at
from leaderboard.queries.published import Published

Found = TypeVar("Found")


class Asked(NamedTuple):
    """A question about a board, before anything was read."""

    slug: str
    region: str | None
    version: int | Literal["final"] | None
    min_version: int
    wait_seconds: int

    def waits_for(self, season: Published) -> bool:
        """Return whether to hold the reply until the season has published more."""
        pinned_below = isinstance(self.version, int) and self.version < self.min_version
        is_reached = (season.number or 0) >= self.min_version
        return self.wait_seconds > 0 and not pinned_below and not is_reached


class Sight(NamedTuple):
    """The board and the version that a reply is about."""

    season: Published
    region: str | None
    board: int
    version: int
    pinned: bool


def asked(request: HttpRequest, season_id: str) -> Asked:
    """Return what stands in the request; raise InvalidParameter for anything odd."""
    meta = request.META
    return _asked(season_id, meta.get("QUERY_STRING", ""), meta.get("HTTP_PREFER", ""))


@functools.lru_cache(maxsize=1_024)
def _asked(season_id: str, query_string: str, prefer: str) -> Asked:
    # Nearly all readers ask for the newest version of a few boards, and nothing else.
    query = query_of(query_string)
    return Asked(
        parameters.season_slug(season_id),
        parameters.region(query),
        parameters.version(query),
        parameters.min_version(query),
        parameters.wait_seconds(prefer),
    )


def see(question: Asked, read: Callable[[Sight], Found | None]) -> tuple[Sight, Found]:
    """
    Read at the version that was asked for; `read` returns None if the version is gone.

    Raises what the season's state makes of the question, Unavailable over the bound of
    reads in flight, and VersionExpired.
    """
    with READS.entered():
        season = KNOWN.season(question.slug)
        if not question.waits_for(season):
            return _see(question, season, read)
    season = season_at(question.slug, question.min_version, question.wait_seconds)
    with READS.entered():
        return _see(question, season, read)


def _see(
    question: Asked, season: Published, read: Callable[[Sight], Found | None]
) -> tuple[Sight, Found]:
    sight = _sight(question, season)
    found = read(sight)
    if found is None:
        # A pinned version may be gone from the boards that a rebuild replaced.
        renewed = KNOWN.renewed(question.slug)
        if not sight.pinned or renewed.namespace != sight.season.namespace:
            sight = _sight(question, renewed)
            found = read(sight)
    if found is None:
        raise VersionExpired(current_version=sight.season.number)
    return sight, found


def _sight(question: Asked, season: Published) -> Sight:
    season = _up_to_date(question, season)
    version = _version(question, season)
    if version < question.min_version:
        raise NotPublishedYet(current_version=season.current)
    pinned = question.version is not None
    return Sight(season, question.region, season.board_of(question.region), version, pinned)


def _up_to_date(question: Asked, season: Published) -> Published:
    # Another process may know a newer version than this one does.
    pinned = question.version if isinstance(question.version, int) else 0
    wanted = max(pinned, question.min_version)
    return season if wanted <= season.current else KNOWN.renewed(question.slug)


def _version(question: Asked, season: Published) -> int:
    if question.version is None:
        return season.current
    if question.version == "final":
        if season.final_version is None:
            raise NotFinal
        return season.final_version
    if question.version > season.current:
        raise VersionUnknown(current_version=season.current)
    return question.version
