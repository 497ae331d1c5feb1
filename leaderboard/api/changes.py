"""`GET …/changes`: every published change, for services that follow a season."""

from django.http import HttpRequest, HttpResponse, QueryDict

from config.errors import CursorExpired, InvalidParameter
from config.http import parameters
from config.http.cursors import seal, unseal
from config.http.openapi import Operation, operation, query_integer, query_parameter
from config.http.replies import json_reply
from config.http.times import show_time
from leaderboard.api.known import KNOWN, READS
from leaderboard.api.shapes import Change, ChangesReply
from leaderboard.queries.changes import ChangeRow, Position, changes, end_of
from leaderboard.queries.published import Published
from scores.api.service import ServiceEndpoint

MOST_CHANGES = 1_000
MOST_PARTITIONS = 1_024
# A held result that was let in is a result.
_SHOWN_AS = {"release": "result"}


class SeasonChanges(ServiceEndpoint):
    """The change stream, whole or one partition of the players."""

    scope = "changes:read"

    @operation(
        Operation(
            "season_changes",
            "Published changes in order of version",
            ChangesReply,
            parameters=[
                query_parameter("after", {"type": "string"}, "`next` of an earlier reply."),
                query_integer("limit", 1, MOST_CHANGES, "How many.", MOST_CHANGES),
                query_integer("partition", 0, MOST_PARTITIONS - 1, "Which part of the players."),
                query_integer("partitions", 1, MOST_PARTITIONS, "In how many parts.", 1),
            ],
            codes=(
                "invalid_cursor",
                "season_not_found",
                "cursor_expired",
                "no_published_version",
            ),
        )
    )
    def get(self, request: HttpRequest, season_id: str) -> HttpResponse:
        """Answer with the changes after a cursor, up to the current version."""
        slug = parameters.season_slug(season_id)
        limit = parameters.limit(request.GET, highest=MOST_CHANGES, default=MOST_CHANGES)
        partition, partitions = _partition(request.GET)
        purpose = f"changes/{slug}/{partition}/{partitions}"
        after = _after(request.GET, purpose)
        with READS.entered():
            season = KNOWN.season(slug)
            try:
                found = changes(
                    season, after, limit=limit, partition=partition, partitions=partitions
                )
            except CursorExpired:
                moved = seal(purpose, end_of(season.current))
                raise CursorExpired(
                    current_version=season.current, relocated_cursor=moved
                ) from None
        rows = [_change(season, row) for row in found.rows]
        reply = ChangesReply(rows, seal(purpose, found.next))
        return json_reply(reply, {"Cache-Control": "no-store"})


def _partition(query: QueryDict) -> tuple[int, int]:
    partitions = parameters.integer(query, "partitions", lowest=1, highest=MOST_PARTITIONS)
    partition = parameters.integer(query, "partition", lowest=0, highest=MOST_PARTITIONS - 1)
    if partition is None and partitions in {None, 1}:
        return 0, 1
    if partition is None or partitions is None or partition >= partitions:
        raise InvalidParameter("partition must be below partitions, and both must be given.")
    return partition, partitions


def _after(query: QueryDict, purpose: str) -> Position:
    text = parameters.single(query, "after")
    return Position() if text is None else unseal(purpose, text, Position)


def _change(season: Published, row: ChangeRow) -> Change:
    return Change(
        season.slug,
        row.player_id,
        season.scores.turned(row.old_score),
        season.scores.turned(row.new_score),
        row.score_version,
        row.event_id,
        _SHOWN_AS.get(row.kind, row.kind),
        season.regions[row.region - 1] if row.region else None,
        show_time(row.accepted_at),
        row.version,
    )
