"""Ask for a correction, which another person decides on."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from django.contrib.auth.models import User

from config import db
from config.errors import Fault, SeasonNotOpen, ValidationFailed
from config.http.parameters import IDENTIFIER
from scores.models import CorrectionRequest
from scores.steps.correctable import event_faults, score_faults
from seasons.queries import SeasonForWrite, season_for_write, season_id_of

KINDS = ("set", "remove", "void")
LONGEST_REASON = 500
LONGEST_EVIDENCE = 2_000
NOT_OPEN = "The season is not open yet: there is nothing to correct before it starts."


class WantedCorrection(NamedTuple):
    """What somebody asks for: a new score, a removal, or one event taken out."""

    player_id: str
    kind: Literal["set", "remove", "void"]
    reason: str
    evidence: str = ""
    corrected_score: int | None = None
    void_event_id: str | None = None
    corrects_event_id: str | None = None


def request_correction(
    slug: str, wanted: WantedCorrection, *, requested_by: User
) -> CorrectionRequest:
    """
    Keep a request until somebody approves or rejects it; no board changes.

    Raises SeasonNotFound, SeasonNotOpen, and ValidationFailed with every fault.
    """
    season_id = season_id_of(slug)
    with db.transact:
        season = season_for_write(season_id)
        if season.status == "scheduled":
            raise SeasonNotOpen(NOT_OPEN)
        faults = list(_faults(season, wanted))
        if faults:
            raise ValidationFailed(faults)
        return CorrectionRequest.objects.create(
            season_id=season_id, requested_by=requested_by, **wanted._asdict()
        )


def _faults(season: SeasonForWrite, wanted: WantedCorrection) -> Iterator[Fault]:
    odd = list(_id_faults(wanted))
    yield from odd
    yield from _text_faults("reason", wanted.reason, 1, LONGEST_REASON)
    yield from _text_faults("evidence", wanted.evidence, 0, LONGEST_EVIDENCE)
    yield from _member_faults(wanted)
    yield from score_faults(season, wanted.corrected_score)
    if not odd:
        for member in ("void_event_id", "corrects_event_id"):
            yield from event_faults(season, wanted.player_id, member, getattr(wanted, member))


def _id_faults(wanted: WantedCorrection) -> Iterator[Fault]:
    for member in ("player_id", "void_event_id", "corrects_event_id"):
        value = getattr(wanted, member)
        if value is not None and not IDENTIFIER.fullmatch(value):
            yield Fault(f"/{member}", "pattern", f"It must match ^{IDENTIFIER.pattern}$.")


def _text_faults(member: str, text: str, shortest: int, longest: int) -> Iterator[Fault]:
    if not shortest <= len(text.strip()) or len(text) > longest:
        yield Fault(f"/{member}", "length", f"It has {shortest} to {longest} characters.")
    if "\0" in text:
        yield Fault(f"/{member}", "characters", "It must not contain a NUL character.")


def _member_faults(wanted: WantedCorrection) -> Iterator[Fault]:
    if wanted.kind not in KINDS:
        yield Fault("/kind", "choice", f"It is one of {', '.join(KINDS)}.")
    for member, kind in (("corrected_score", "set"), ("void_event_id", "void")):
        given = getattr(wanted, member) is not None
        if given and wanted.kind != kind:
            yield Fault(f"/{member}", "exclusive", "It does not go with this kind of correction.")
        if not given and wanted.kind == kind:
            yield Fault(f"/{member}", "missing", "This is required.")
