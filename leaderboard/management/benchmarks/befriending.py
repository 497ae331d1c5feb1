"""Friend lists of full length, as the trusted services would give them."""

import time

import numpy as np
from tqdm import tqdm

from leaderboard.management.benchmarks.players import Integers, ids_of
from scores.forms import MOST_FRIENDS
from scores.operations import set_friends
from scores.rules import friend_list

LISTS = 2_000


def befriend(players: int) -> None:
    """Give the first players of a season friends who stand anywhere on its board."""
    random = np.random.default_rng([5, 2024])
    version = int(time.time())
    numbers = np.arange(min(LISTS, players))
    for player_id in tqdm(_texts(numbers), desc="friend lists", leave=False):
        named = _texts(random.integers(0, players, MOST_FRIENDS))
        set_friends(friend_list(player_id, named, version))


def _texts(numbers: Integers) -> list[str]:
    return [player_id.decode() for player_id in ids_of(numbers).tolist()]
