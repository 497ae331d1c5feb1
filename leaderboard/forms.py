"""What services send about boards: the members of each body, and what is made of them."""

from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from config.http.bodies import Form
from config.http.fields import Identifier, VersionNumber

Sha256 = Annotated[str, Meta(pattern=r"^[0-9A-Fa-f]{64}\Z")]


class SettlementBody(Struct, forbid_unknown_fields=True):
    """A reward run that paid by a version, with the checksum that it saw."""

    settlement_id: Identifier
    version: VersionNumber
    checksum: Sha256


class Settled(NamedTuple):
    """A reward run as it was sent."""

    settlement_id: str
    version: int
    checksum: str


def read_settlement(body: bytes) -> Settled:
    """Return the settlement in a body; raise MalformedJson, or ValidationFailed."""
    return _SETTLEMENT.read(body)


_SETTLEMENT = Form(
    SettlementBody, lambda body: Settled(body.settlement_id, body.version, body.checksum)
)
