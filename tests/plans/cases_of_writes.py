"""What a batch of a thousand results does, and a correction."""

import re
from datetime import UTC, datetime
from functools import partial

from config.db import Statement
from scores.operations.note_token_use import NOTE_TOKEN_USE
from scores.operations.revoke_token import REVOKE_TOKEN
from scores.operations.set_friends import SET_FRIENDS
from scores.operations.set_profiles import SET_PROFILES
from scores.queries.corrected_player import FOLDED_EVENTS, LOCKED_BEST
from scores.queries.event_to_void import EVENT_TO_VOID
from scores.queries.held_results import HELD_RESULT, HELD_RESULTS
from scores.queries.known_events import KNOWN_EVENTS
from scores.queries.stored_bests import STORED_BESTS
from scores.queries.stored_friends import STORED_FRIENDS
from scores.queries.stored_profiles import STORED_PROFILES
from scores.queries.valid_token import VALID_TOKEN
from scores.steps.accepting import INSERT_RESULTS
from scores.steps.applied import DECIDED_ABOVE, REFOLD_BEST
from scores.steps.decisions import CORRECT_BEST, ENSURE_BEST, INSERT_DECISION
from scores.steps.regions import ENSURE_PROFILES, LOCK_PROFILES, MOVE_BESTS
from scores.steps.taking import APPLY_RESULTS, TAKE_RESULTS
from scores.steps.writing import BESTS_PRESENT
from seasons.queries.season_for_write import SEASON_FOR_WRITE
from seasons.queries.season_id import SEASON_ID
from tests.plans.big_season import SLUG, BigSeason
from tests.plans.case import Case, Cases

BATCH = 1_000
# A row is found, locked and written, with an entry in each index.
BLOCKS_A_ROW = 25
SCORE = 400_000
NOTHING_OF = [None] * BATCH


def players() -> list[str]:
    return [f"player-{number}" for number in range(1, 200_000, 200)]


def by_key(big: BigSeason, statement: Statement, **asked: object) -> Case:
    literals = big.season.literals if "%(namespace)s" in statement else {}
    return Case(statement.literal(**literals), asked, rows=2, blocks=30)


def of_changed_most(big: BigSeason, statement: Statement) -> Case:
    return by_key(big, statement, player_id=big.changed_most)


def folded_events(big: BigSeason) -> Case:
    return of_changed_most(big, FOLDED_EVENTS)._replace(rows=8, sorted=8)


def known_events(big: BigSeason) -> Case:
    asked = {"event_ids": [f"{player}-1" for player in players()]}
    statement = KNOWN_EVENTS.literal(**big.season.literals)
    return Case(statement, asked, rows=BATCH, blocks=6 * BATCH)


def stored_bests(big: BigSeason) -> Case:
    statement = STORED_BESTS.literal(**big.season.literals)
    return Case(statement, {"player_ids": players()}, rows=BATCH, blocks=6 * BATCH)


def apply_results(big: BigSeason) -> Case:
    asked = {
        "epoch": big.open_epoch,
        "player_ids": players(),
        "scores": [SCORE] * BATCH,
        "tie_keys": [0] * BATCH,
        "regions": NOTHING_OF,
        "score_versions": [99] * BATCH,
        "latest_counts": False,
    }
    statement = APPLY_RESULTS.literal(**big.season.literals)
    return Case(statement, asked, rows=0, blocks=BLOCKS_A_ROW * BATCH, sorted=BATCH)


def take_results(big: BigSeason) -> Case:
    now = datetime.now(UTC)
    asked = {
        **apply_results(big).params,
        "accepted_at": now,
        "event_ids": [f"{player}-new" for player in players()],
        "match_ids": ["match"] * BATCH,
        "completed_ats": [now] * BATCH,
        "displays": None,
    }
    namespaces = {**big.season.literals, "ledger_namespace": big.season.namespace}
    statement = TAKE_RESULTS.literal(**namespaces)
    # Rows of the bests, the ledger and the undo.
    return Case(statement, asked, rows=0, blocks=3 * BLOCKS_A_ROW * BATCH, sorted=BATCH)


def insert_results(big: BigSeason) -> Case:
    now = datetime.now(UTC)
    asked = {
        "epoch": big.open_epoch,
        "accepted_at": now,
        "event_ids": [f"{player}-new" for player in players()],
        "match_ids": ["match"] * BATCH,
        "player_ids": players(),
        "scores": [SCORE] * BATCH,
        "score_versions": [99] * BATCH,
        "completed_ats": [now] * BATCH,
        "displays": NOTHING_OF,
        "moved_to": NOTHING_OF,
        "outcomes": ["improved"] * BATCH,
        "receipt_scores": [SCORE] * BATCH,
        "receipt_versions": [99] * BATCH,
        "visible": [big.open_epoch] * BATCH,
        "change_nos": [99] * BATCH,
        "old_scores": [1] * BATCH,
        "new_scores": [SCORE] * BATCH,
        "old_regions": NOTHING_OF,
        "new_regions": NOTHING_OF,
        "old_tie_keys": [0] * BATCH,
        "new_tie_keys": [0] * BATCH,
    }
    statement = INSERT_RESULTS.literal(**big.season.literals)
    return Case(statement, asked, rows=0, blocks=BLOCKS_A_ROW * BATCH, sorted=BATCH)


def set_profiles(big: BigSeason) -> Case:
    asked = {
        "player_ids": players(),
        "regions": ["NA"] * BATCH,
        "profile_versions": [99] * BATCH,
    }
    return Case(SET_PROFILES, asked, rows=0, blocks=BLOCKS_A_ROW * BATCH, sorted=BATCH)


def stored_profiles(big: BigSeason) -> Case:
    return Case(STORED_PROFILES, {"player_ids": players()}, rows=BATCH, blocks=6 * BATCH)


def set_friends(big: BigSeason) -> Case:
    asked = {"player_id": "player-7", "friend_ids": players()[:500], "friends_version": 99}
    return by_key(big, SET_FRIENDS, **asked)


def insert_decision(big: BigSeason) -> Case:
    asked = {
        **dict.fromkeys(re.findall(r"%\((\w+)\)s", INSERT_DECISION)),
        "epoch": big.open_epoch,
        "kind_group": 0,
        "kind": "correction",
        "revision": 0,
        "accepted_at": datetime.now(UTC),
        "event_id": "a correction",
        "player_id": big.first,
        "score_version": 99,
        "keeps_time": False,
        "outcome": "corrected",
        "change_no": 99,
    }
    # It may split a page of each of four indexes on its way.
    case = by_key(big, INSERT_DECISION, **asked)
    return case._replace(blocks=case.blocks + 4)


def event_to_void(big: BigSeason) -> Case:
    """A look-up among the match service's events and one among our own."""
    case = by_key(big, EVENT_TO_VOID, event_id="player-7-1")
    return case._replace(rows=8, blocks=20, sorted=2)


def decided_above(big: BigSeason) -> Case:
    statement = DECIDED_ABOVE.literal(**big.season.literals)
    return Case(statement, {"player_ids": players()}, rows=2 * BATCH, blocks=6 * BATCH)


def refold_best(big: BigSeason) -> Case:
    asked = {
        "player_id": big.changed_most,
        "score": SCORE,
        "hidden_score": None,
        "tie_key": 0,
        "hidden_tie_key": None,
        "epoch": big.open_epoch,
    }
    return by_key(big, REFOLD_BEST, **asked)


def correct_best(big: BigSeason) -> Case:
    asked = {
        "player_id": big.changed_most,
        "score": SCORE,
        "hidden_score": None,
        "removed": False,
        "tie_key": 0,
        "hidden_tie_key": None,
        "score_version": 99,
        "revision": 0,
        "epoch": big.open_epoch,
    }
    return by_key(big, CORRECT_BEST, **asked)


def ensure_best(big: BigSeason) -> Case:
    asked = {"player_id": big.changed_most, "region": None, "epoch": big.open_epoch}
    return by_key(big, ENSURE_BEST, **asked)


def of_newcomers(big: BigSeason, statement: Statement) -> Case:
    statement = statement.literal(**big.season.literals)
    return Case(statement, {"player_ids": players()}, rows=BATCH, blocks=6 * BATCH, sorted=BATCH)


def move_bests(big: BigSeason) -> Case:
    asked = {"player_ids": players(), "regions": [1] * BATCH, "epoch": big.open_epoch}
    statement = MOVE_BESTS.literal(**big.season.literals)
    return Case(statement, asked, rows=BATCH, blocks=BLOCKS_A_ROW * BATCH, sorted=BATCH)


def season_for_write(big: BigSeason) -> Case:
    statement = SEASON_FOR_WRITE.literal(season_id=big.season.season_id)
    return Case(statement, {}, rows=2, blocks=12)


WRITES: Cases = {
    "season_id": {"": partial(by_key, statement=SEASON_ID, slug=SLUG)},
    "season_for_write": {"": season_for_write},
    "bests_present": {"": partial(by_key, statement=BESTS_PRESENT)},
    "known_events": {"": known_events},
    "stored_bests": {"": stored_bests},
    "apply_results": {"": apply_results},
    "take_results": {"": take_results},
    "insert_results": {"": insert_results},
    "ensure_best": {"": ensure_best},
    "ensure_profiles": {"": partial(of_newcomers, statement=ENSURE_PROFILES)},
    "lock_profiles": {"": partial(of_newcomers, statement=LOCK_PROFILES)},
    "move_bests": {"": move_bests},
    "locked_best": {"": partial(of_changed_most, statement=LOCKED_BEST)},
    "folded_events": {"": folded_events},
    "correct_best": {"": correct_best},
    "decided_above": {"": decided_above},
    "refold_best": {"": refold_best},
    "insert_decision": {"": insert_decision},
    "event_to_void": {"": event_to_void},
    "held_results": {"": partial(by_key, statement=HELD_RESULTS, after=0, limit=100)},
    "held_result": {"": partial(by_key, statement=HELD_RESULT, event_id="player-7-1")},
    "set_profiles": {"": set_profiles},
    "set_friends": {"": set_friends},
    "stored_friends": {"": partial(by_key, statement=STORED_FRIENDS, player_id="player-7")},
    "stored_profiles": {"": stored_profiles},
    "valid_token": {"": partial(by_key, statement=VALID_TOKEN, token_hash="hash-77")},
    "revoke_token": {"": partial(by_key, statement=REVOKE_TOKEN, name="token-77")},
    "note_token_use": {"": partial(by_key, statement=NOTE_TOKEN_USE, token_id=77)},
}
