"""The players of a benchmark's season: their ids, and scores spread as real ones are."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

# Ids are digits, so that pgbench can draw one as a number and send it as a text.
FIRST_ID = 10_000_000
MOST_PLAYERS = 90_000_000
ID_LENGTH = 8
HIGHEST_SCORE = 1_000_000

_ORDINARY, _ROUND, _AT_THE_TOP = 950_000, 500, 990_000
_SHARE_ROUND, _SHARE_AT_THE_TOP = 0.25, 0.000_5


def ids_of(numbers: Integers) -> NDArray[np.bytes_]:
    """Return the ids of players by their numbers, which count from 0."""
    powers = 10 ** np.arange(ID_LENGTH - 1, -1, -1)
    digits = (FIRST_ID + numbers)[:, None] // powers % 10 + ord("0")
    return digits.astype(np.uint8).view(f"S{ID_LENGTH}").reshape(-1)


def first_scores(players: int) -> Integers:
    """
    Return the first score of each player.

    Most are low; one in four is a round number, which many share; the top is crowded. The
    players of a smaller season have the same scores in a larger one.
    """
    scores = (_draws(1, players) ** 2 * _ORDINARY).astype(np.int64)
    is_round = _draws(2, players) < _SHARE_ROUND
    scores[is_round] -= scores[is_round] % _ROUND
    at_the_top = np.flatnonzero(_draws(3, players) < _SHARE_AT_THE_TOP)
    span = HIGHEST_SCORE - _AT_THE_TOP
    scores[at_the_top] = HIGHEST_SCORE - (_draws(4, players)[at_the_top] ** 3 * span).astype(int)
    return scores


def _draws(what: int, players: int) -> NDArray[np.float64]:
    return np.random.default_rng([what, 2024]).random(players)


def random_ids(numbers: Integers, what: int) -> NDArray[np.bytes_]:
    """Return ids of 16 hexadecimal digits that come in no order, as those of events do."""
    # The finaliser of SplitMix64: one to one, so that no id comes twice.
    mixed = numbers.astype(np.uint64) + np.uint64(what << 40)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    shifts = np.arange(60, -4, -4, dtype=np.uint64)
    digits = (mixed[:, None] >> shifts & np.uint64(15)).astype(np.uint8)
    return np.frombuffer(b"0123456789abcdef", np.uint8)[digits].view("S16").reshape(-1)
