"""A request for a correction, as somebody who decides on it must know it."""

from typing import NamedTuple

from config import db
from config.errors import NotFound
from scores.models import CorrectionRequest
from seasons.rules import ScoreRange

LOCKED_REQUEST = db.statement(__file__, "locked_request")

NO_REQUEST = "There is no correction request with this number."


class LockedRequest(NamedTuple):
    """A correction request, locked until the transaction ends."""

    id: int
    season_id: int
    player_id: str
    kind: str
    corrected_score: int | None
    void_event_id: str | None
    corrects_event_id: str | None
    reason: str
    evidence: str
    requested_by_id: int
    status: str
    event_id: str | None

    def turned(self, scores: ScoreRange) -> "LockedRequest":
        """Return the request with its merit in place of its score."""
        return self._replace(corrected_score=scores.turned(self.corrected_score))


def locked_request(request_id: int) -> LockedRequest:
    """Lock a request and return it; NotFound if there is none."""
    db.require_transaction()
    found = db.fetch_one(LockedRequest, LOCKED_REQUEST, request_id=request_id)
    if found is None:
        raise NotFound(NO_REQUEST)
    return found


def season_of_request(request_id: int) -> int:
    """Return the id of a request's season, which never changes; NotFound if there is none."""
    requests = CorrectionRequest.objects.filter(id=request_id)
    season_id = requests.values_list("season_id", flat=True).first()
    if season_id is None:
        raise NotFound(NO_REQUEST)
    return season_id
