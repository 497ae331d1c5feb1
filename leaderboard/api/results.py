"""`GET …/results`: every player of a final version, for those who pay rewards."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict

from config.errors import InvalidCursor, Unavailable, VersionExpired
from config.http import parameters
from config.http.cursors import seal, unseal
from config.http.openapi import Operation, operation, query_integer, query_parameter
from config.http.parameters import VERSION
from config.http.replies import json_reply
from leaderboard.api.asked import Sight
from leaderboard.api.board import head_of
from leaderboard.api.entries import placed
from leaderboard.api.known import KNOWN, READS
from leaderboard.api.shapes import Checksum as ChecksumReply
from leaderboard.api.shapes import ResultsReply
from leaderboard.queries import results
from leaderboard.queries.published import Published
from leaderboard.queries.results import Checksum
from leaderboard.queries.window import Entry, Place, players_after
from scores.api.service import ServiceEndpoint

LONGEST = 1_000
# A board so small has its checksum taken at once; that of a larger one the worker takes.
FEW_PLAYERS = 20_000


class ResultsCursor(NamedTuple):
    """The last entry of a page, and its version."""

    version: int
    position: int
    place: Place


class SeasonResults(ServiceEndpoint):
    """The results of a season that is final."""

    scope = "results:read"

    @operation(
        Operation(
            "season_results",
            "Every player of the final version, or of a corrected one",
            ResultsReply,
            parameters=[
                query_parameter("cursor", {"type": "string"}, "`next` of the page before."),
                query_integer("limit", 1, LONGEST, "How many.", LONGEST),
                query_parameter(
                    "version",
                    {"type": "string", "pattern": f"^({VERSION.pattern})$"},
                    "A corrected version's number, or `final`.",
                ),
            ],
            codes=(
                "season_not_found",
                "not_final",
                "version_unknown",
                "invalid_cursor",
                "no_published_version",
            ),
            tag="Results",
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with a page of results."""
        slug = parameters.season_slug(season_id)
        limit = parameters.limit(request.GET, highest=LONGEST, default=LONGEST)
        with READS.entered():
            season = KNOWN.renewed(slug)
            cursor = _cursor(request.GET, slug)
            version = _version(request.GET, season, cursor)
            checksum = checksum_now(season, version)
            reply = _page(season, version, cursor, limit, checksum)
        return json_reply(reply, {"Cache-Control": "no-store"})


def checksum_now(season: Published, version: int) -> Checksum:
    """Return the checksum of a version; Unavailable while that of a large one is taken."""
    stored = results.stored_checksum(season.season_id, version)
    if stored is not None:
        return stored
    if max(season.members or [0]) > FEW_PLAYERS:
        raise Unavailable("The checksum of this version is being taken.")
    return results.checksum_of(results.ranked(season, results.walk(season, version)))


def _cursor(query: QueryDict, slug: str) -> ResultsCursor | None:
    text = parameters.single(query, "cursor")
    return None if text is None else unseal(f"results/{slug}", text, ResultsCursor)


def _version(query: QueryDict, season: Published, cursor: ResultsCursor | None) -> int:
    asked = parameters.version(query)
    number = asked if isinstance(asked, int) else None
    if cursor is None:
        return results.final_or_corrected(season, number)
    wanted = cursor.version if asked is None else results.final_or_corrected(season, number)
    if wanted != cursor.version:
        raise InvalidCursor("The cursor belongs to another version.")
    return results.final_or_corrected(season, wanted)


def _page(
    season: Published, version: int, cursor: ResultsCursor | None, limit: int, checksum: Checksum
) -> ResultsReply:
    place = None if cursor is None else cursor.place
    page = players_after(season, place, version=version, limit=limit)
    if page is None:
        raise VersionExpired(current_version=season.number)
    first = 1 if cursor is None else cursor.position + 1
    last = first + len(page.entries) - 1
    sight = Sight(season, None, 0, version, pinned=True)
    following = _sealed(season.slug, version, last, page.entries[-1]) if page.more_after else None
    return ResultsReply(
        checksum=ChecksumReply("sha256", checksum.sha256),
        entries=placed(sight, page.entries, first),
        next=following,
        **head_of(sight, page.header),
    )


def _sealed(slug: str, version: int, position: int, entry: Entry) -> str:
    place = Place(entry.score, entry.tie_key, entry.player_id)
    return seal(f"results/{slug}", ResultsCursor(version, position, place))
