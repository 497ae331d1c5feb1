"""The members that bodies and replies are made of: each type says what a value may be."""

import json
from typing import Annotated, Any

from msgspec import Meta

from config.http.faults import time_check
from config.http.parameters import IDENTIFIER, LARGEST_VERSION, REGION
from config.http.times import read_time

LARGEST_INTEGER = 2**53 - 1
LARGEST_DISPLAY = 1_024


def words(*allowed: str) -> Meta:
    """Return what marks a text of a reply as one of these words."""
    return Meta(extra_json_schema={"enum": list(allowed)})


def display_text(display: dict[str, Any]) -> str:
    """Return data to be shown as JSON, its members sorted; ValueError beyond 1,024 bytes."""
    text = json.dumps(display, sort_keys=True, separators=(",", ":"), allow_nan=False)
    if len(text) > LARGEST_DISPLAY:
        raise ValueError(f"It must have at most {LARGEST_DISPLAY} bytes, without blanks.")
    return text


# `\Z` is Python's end of text; the OpenAPI document has `$` in its place.
Identifier = Annotated[str, Meta(pattern=rf"^{IDENTIFIER.pattern}\Z", max_length=64)]
Region = Annotated[str, Meta(pattern=rf"^{REGION.pattern}\Z")]
Time = Annotated[str, time_check(read_time)]
Score = Annotated[int, Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
ScoreVersion = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
FriendsVersion = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
ProfileVersion = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]
Display = Annotated[dict[str, Any], Meta(extra={"check": display_text, "code": "display"})]
VersionNumber = Annotated[int, Meta(ge=0, le=LARGEST_VERSION)]
ShortText = Annotated[str, Meta(pattern=r"^[^\x00]*\Z", min_length=1, max_length=64)]
Text500 = Annotated[str, Meta(pattern=r"^[^\x00]*\Z", min_length=1, max_length=500)]
Text2000 = Annotated[str, Meta(pattern=r"^[^\x00]*\Z", max_length=2_000)]
