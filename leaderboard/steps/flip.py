"""The end of a publication: the version's row, and the row that says which is current."""

from collections.abc import Sequence
from decimal import Decimal

from config import db
from leaderboard.queries.publication import PublicationState, SealToPublish, Witness
from leaderboard.steps.target import BoardTotals, Target
from seasons.steps import delete_seals

INSERT_VERSION = db.statement(__file__, "insert_version")
FLIP_CURRENT = db.statement(__file__, "flip_current")
MOVE_AS_OF = db.statement(__file__, "move_as_of")


def flip_to(
    target: Target,
    state: PublicationState,
    seals: Sequence[SealToPublish],
    totals: Sequence[BoardTotals],
    found: Sequence[Witness],
    next_sample: int,
) -> None:
    """Write the version's row and make it the current one."""
    rows, hashes = _ledger_through(state, found)
    db.execute(
        INSERT_VERSION.literal(season_id=target.season_id, namespace=target.namespace),
        version=target.version,
        layout_id=state.layout_id,
        first_epoch=state.number + 1,
        sealed_at=seals[-1].sealed_at,
        kind="regular" if state.final_version is None else "corrected",
        members=[board.members for board in totals],
        score_sums=[board.score_sum for board in totals],
        ledger_rows=rows,
        ledger_hash=hashes,
    )
    db.execute(
        FLIP_CURRENT.literal(season_id=target.season_id, namespace=target.namespace),
        replaced=state.number,
        version=target.version,
        as_of=seals[-1].sealed_at,
        sampled_bucket=next_sample,
        ledger_rows=rows,
        ledger_hash=hashes,
    )


def move_as_of(
    season_id: int, state: PublicationState, seal: SealToPublish, found: Sequence[Witness]
) -> None:
    """
    Say that nothing changed until a seal.

    The seals since the current version are forgotten: no undo ends at their epochs.
    """
    delete_seals(season_id, after_epoch=state.number, to_epoch=seal.epoch)
    rows, hashes = _ledger_through(state, found)
    db.execute(
        MOVE_AS_OF.literal(season_id=season_id),
        through=seal.version,
        as_of=seal.sealed_at,
        ledger_rows=rows,
        ledger_hash=hashes,
    )


def _ledger_through(state: PublicationState, found: Sequence[Witness]) -> tuple[int, Decimal]:
    """Return how many rows the season's ledger has so far, and the sum of their hashes."""
    ledger = [witness for witness in found if witness.witness == "ledger"]
    rows = sum(witness.events for witness in ledger)
    hashes = sum(witness.row_hashes for witness in ledger if witness.row_hashes is not None)
    return state.ledger_rows + rows, state.ledger_hash + hashes
