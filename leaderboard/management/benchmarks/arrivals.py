"""The results of a season's players in the order in which they came, as rows of its tables."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from leaderboard.management.benchmarks.copying import Form
from leaderboard.management.benchmarks.kinds import USUAL, Kind
from leaderboard.management.benchmarks.players import Integers, ids_of, random_ids
from scores.rules import EARLIEST, tie_key_of
from seasons.models import Season

ROWS_AN_EPOCH = 30_000
ROWS_A_PACK = 50_000
EPOCH_OF_POSTGRES = datetime(2000, 1, 1, tzinfo=UTC)

_EVERY_RESULT = {
    "id": ">i8",
    "namespace": ">i4",
    "epoch": ">i8",
    "kind_group": ">i2",
    "kind": "S6",
    "event_id": "S16",
    "match_id": "S16",
    "player_id": "S8",
    "score": ">i4",
    "score_version": ">i8",
    "completed_at": ">i8",
    "accepted_at": ">i8",
    "receipt_score": ">i4",
    "receipt_version": ">i8",
    "change_no": ">i8",
    "new_score": ">i4",
    "new_tie_key": ">i8",
    "row_hash": ">i8",
}
_IMPROVES = {"outcome": "S8", "visible_in_version": ">i8"}
_COMES_LATER = {"old_score": ">i4", "old_tie_key": ">i8"}

FIRST = Form({**_EVERY_RESULT, **_IMPROVES})
IMPROVED = Form({**FIRST.columns, **_COMES_LATER})
FIRST_IN_REGION = Form({**FIRST.columns, "new_region": ">i2"})
NOT_IMPROVED = Form({**_EVERY_RESULT, "outcome": "S12", **_COMES_LATER})
BESTS = Form(
    {
        "namespace": ">i4",
        "player_id": "S8",
        "score": ">i4",
        "tie_key": ">i8",
        "score_version": ">i8",
        "epoch": ">i8",
        "change_no": ">i8",
    },
)
BESTS_IN_REGION = Form({**BESTS.columns, "region": ">i2"})
UNDO = Form(
    {
        "namespace": ">i4",
        "player_id": "S8",
        "from_epoch": ">i8",
        "to_epoch": ">i8",
        "score": ">i4",
        "tie_key": ">i8",
    },
)

# With several results a player: every fifth has the best one last, every fifth last but one.
_PLAYERS_IN_TURN = 5


class Pack(NamedTuple):
    """Rows of a table as they travel."""

    rows: int
    packed: bytes


class Arrivals(NamedTuple):
    """So many results of each player: everybody's first, then everybody's second, ..."""

    season: Season
    first_id: int
    numbers: Integers
    scores: Integers
    epochs: Integers
    results: int
    kind: Kind = USUAL

    @property
    def forms(self) -> tuple[Form, Form, Form]:
        """Return the forms of the ledger's rows: first ones, improved and other later ones."""
        first = FIRST_IN_REGION if self.kind.regions else FIRST
        return first, IMPROVED, NOT_IMPROVED

    @property
    def form_of_bests(self) -> Form:
        """Return the form of the bests."""
        return BESTS_IN_REGION if self.kind.regions else BESTS

    @property
    def rows(self) -> int:
        """Return how many rows the ledger gets."""
        return self.results * len(self.numbers)

    def ledger(self, form: Form) -> Iterator[Pack]:
        """Return the rows of the ledger that have a form: first ones, and later ones."""
        is_first = form is FIRST or form is FIRST_IN_REGION
        for turn in [0] if is_first else range(1, self.results):
            for places in self._places():
                if not is_first:
                    improved = self._improved(places, turn)
                    places = places[improved if form is IMPROVED else ~improved]
                yield Pack(len(places), form.packed(self._result(places, turn, form), len(places)))

    def bests(self) -> Iterator[Pack]:
        """Return the rows of the bests."""
        for places in self._places():
            numbers = self.numbers[places]
            values: Mapping[str, ArrayLike] = {
                "namespace": self.season.namespace,
                "player_id": ids_of(numbers),
                "score": self.scores[numbers],
                "tie_key": self._tie_keys(places),
                "region": self._regions(numbers),
                "score_version": self.results,
                "epoch": self._shown_since(places, self.results - 1),
                "change_no": self.results,
            }
            form = self.form_of_bests
            yield Pack(len(places), form.packed(values, len(places)))

    def undo(self) -> Iterator[Pack]:
        """Return what was shown before each improvement."""
        for turn in range(1, self.results):
            for places in self._places():
                improved = places[self._improved(places, turn)]
                since = self._shown_since(improved, turn - 1)
                improved = improved[since < self._epochs(improved, turn)]
                values: Mapping[str, ArrayLike] = {
                    "namespace": self.season.namespace,
                    "player_id": ids_of(self.numbers[improved]),
                    "from_epoch": self._shown_since(improved, turn - 1),
                    "to_epoch": self._epochs(improved, turn),
                    "score": self._best_after(improved, turn - 1),
                    "tie_key": 0,
                }
                yield Pack(len(improved), UNDO.packed(values, len(improved)))

    def _places(self) -> Iterator[Integers]:
        for start in range(0, len(self.numbers), ROWS_A_PACK):
            yield np.arange(start, min(start + ROWS_A_PACK, len(self.numbers)))

    def _result(self, places: Integers, turn: int, form: Form) -> Mapping[str, ArrayLike]:
        numbers, rows = self.numbers[places], turn * len(self.numbers) + places
        epochs, best = self._epochs(places, turn), self._best_after(places, turn)
        accepted_at = _microseconds(self.season.created_at)
        return {
            "id": self.first_id + rows,
            "namespace": self.season.ledger_namespace,
            "epoch": epochs,
            "kind_group": 0,
            "kind": b"result",
            "event_id": random_ids(rows, 1),
            "match_id": random_ids(rows // 100, 2),
            "player_id": ids_of(numbers),
            "score": best if form is not NOT_IMPROVED else best // 2,
            "score_version": turn + 1,
            "completed_at": accepted_at - 1_000_000 - places,
            "accepted_at": accepted_at,
            "outcome": b"not_improved" if form is NOT_IMPROVED else b"improved",
            "receipt_score": best,
            "receipt_version": turn + 1,
            "visible_in_version": epochs,
            "change_no": turn + 1,
            "old_score": self._best_after(places, turn - 1),
            "new_score": best,
            "old_tie_key": 0,
            "new_tie_key": self._tie_keys(places),
            "new_region": self._regions(numbers),
            "row_hash": 0,
        }

    def _tie_keys(self, places: Integers) -> ArrayLike:
        """Return the times of completion as tie keys, where these count: all are different."""
        if not self.kind.is_timed:
            return 0
        completed_at = self.season.created_at - timedelta(seconds=1)
        return tie_key_of(completed_at, EARLIEST) - places

    def _regions(self, numbers: Integers) -> ArrayLike:
        return numbers % max(self.kind.regions, 1) + 1

    def _epochs(self, places: Integers, turn: int) -> Integers:
        return self.epochs[(turn * len(self.numbers) + places) // ROWS_AN_EPOCH]

    def _best_after(self, places: Integers, turn: int) -> Integers:
        """Return the best of each player after so many turns more than one."""
        numbers = self.numbers[places]
        in_turn = numbers % _PLAYERS_IN_TURN
        best_turn = np.maximum(self.results - 1 - in_turn, 0) * (in_turn < self.results - 1)
        reached = np.minimum(turn, best_turn)
        best: Integers = self.scores[numbers] * (reached + 1) // (best_turn + 1)
        return best

    def _improved(self, places: Integers, turn: int) -> NDArray[np.bool_]:
        return self._best_after(places, turn) > self._best_after(places, turn - 1)

    def _shown_since(self, places: Integers, turn: int) -> Integers:
        epochs = self._epochs(places, 0)
        for later in range(1, turn + 1):
            improved = self._improved(places, later)
            epochs = np.where(improved, self._epochs(places, later), epochs)
        return epochs


def _microseconds(time: datetime) -> int:
    return (time - EPOCH_OF_POSTGRES) // timedelta(microseconds=1)
