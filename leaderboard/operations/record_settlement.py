"""Record by which version a reward run paid."""

from config import db
from config.errors import SettlementConflict
from leaderboard.models import Settlement
from leaderboard.queries.published import Published
from leaderboard.queries.results import Checksum


def record_settlement(
    season: Published, version: int, paid_by: Checksum, *, settlement_id: str, checksum: str
) -> Settlement:
    """
    Record a reward run that paid by a final or corrected version; a repetition changes nothing.

    `paid_by` is the version's own checksum. Raises SettlementConflict if the run saw another
    one, or if it is on record with other content.
    """
    if checksum.lower() != paid_by.sha256:
        raise SettlementConflict("The checksum is not that of this version's results.")
    wanted = {"version": version, "checksum": paid_by.sha256}
    with db.transact:
        settlement, _ = Settlement.objects.get_or_create(
            season_id=season.season_id, settlement_id=settlement_id, defaults=wanted
        )
    if settlement.version != version:
        raise SettlementConflict(
            f"This settlement is on record with version {settlement.version}."
        )
    return settlement
