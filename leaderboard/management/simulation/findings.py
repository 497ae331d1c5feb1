"""What was found wrong: counted by kind, with the first examples in words."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import NamedTuple

MEANINGS = {
    "rank": "a rank that is not 1 + the number of players with a higher score",
    "tie_rank": "players with one score and different ranks",
    "position": "a position that is not the place in display order",
    "score": "a score that the player did not have at that version",
    "lost_event": "an accepted event that the board does not include",
    "lost_move": "a move to another region that the feed or a board does not include",
    "two_regions": "a player on the board of another region than the player's",
    "later_version": "content of a later version under an older number",
    "missing_player": "a player of the board who is not shown",
    "extra_player": "somebody shown who is not on the board",
    "duplicated_row": "a player twice in one reply or walk",
    "window": "rows missing, too many or out of order",
    "total": "total_players is not the number of players on the board",
    "distribution": "counts by ranges, or percentiles, that are not those of the board",
    "rank_of": "a score's rank, or the players below it, that are not those of the board",
    "friends": "a friend list that was not stored, or cannot have been current",
    "profile": "a reply to a profile that is not what must be stored",
    "pending": "pending is not what was accepted and not yet published",
    "cursor": "a page that does not join its neighbour, or a cursor missing or too many",
    "pinned_reply": "a pinned reply that changed, or with as_of, age or pending of a current one",
    "min_version": "a reply below the version that was asked for",
    "version_went_back": "a reply of an older version long after a newer one",
    "version_lost": "a version that could not be read within its retention time",
    "stale_flag": "stale does not agree with age_seconds",
    "shape": "members that are missing, unknown or of the wrong kind",
    "status": "a status that the contract does not give here",
    "receipt": "a receipt that is not the fold of the player's events",
    "receipt_version": "a visible_in_version that cannot be right",
    "season_missing": "an event without a receipt of a season that contains it",
    "season_extra": "an event with a receipt of a season that does not contain it",
    "foreign_change": "a change that this simulation did not make: is somebody else writing?",
    "change": "a change with wrong content",
    "change_order": "changes out of order of version or application",
    "change_repeated": "a change twice in the feed",
    "move_version": "a move in a version from before it, or in a later one than was promised",
    "change_missing": "an accepted change that the feed never gave",
    "write_unanswered": "a write without an answer to the end",
    "not_visible": "accepted events that no version included in time",
    "not_final": "a window that did not become final in time, or otherwise than announced",
    "end_unreadable": "the state at the end could not be read",
    "nothing_written": "no write succeeded",
    "nothing_read": "no read succeeded",
    "crash": "the simulation itself failed",
}
EXAMPLES_KEPT = 5


class Finding(NamedTuple):
    """One mismatch: its kind and what was seen, in words."""

    kind: str
    text: str


class Findings:
    """All mismatches of a run. Threads may add at any time."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = Lock()
        self.counts: Counter[str] = Counter()
        self.examples: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, kind: str, text: str) -> None:
        """Count a mismatch, and keep its words if it is among the first of its kind."""
        assert kind in MEANINGS, kind
        with self._lock:
            self.counts[kind] += 1
            if len(self.examples[kind]) < EXAMPLES_KEPT:
                self.examples[kind].append(text)

    def extend(self, findings: Iterable[Finding]) -> None:
        """Count several."""
        for kind, text in findings:
            self.add(kind, text)
