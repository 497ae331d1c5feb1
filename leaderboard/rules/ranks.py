"""How places become ranks: 1, 2, 2, 4."""

from collections.abc import Sequence

from leaderboard.rules.counts import Key


def competition_ranks(keys: Sequence[Key]) -> list[int]:
    """Return the ranks of the highest keys of a board, best first: 1, 2, 2, 4."""
    tied = sum(key == keys[0] for key in keys)
    return ranks_in_window(keys, rank_of_first=1, tied_with_first=tied)


def ranks_in_window(keys: Sequence[Key], *, rank_of_first: int, tied_with_first: int) -> list[int]:
    """
    Return the ranks of consecutive keys of a board, best first.

    `tied_with_first` is how many players of the board have the first key, those outside the
    window included: it tells the place of the next key, and from there on the places go by
    counting. Where a key begins, its rank is its place.
    """
    first_tie = next((i for i, key in enumerate(keys) if key != keys[0]), len(keys))
    ranks = [rank_of_first] * first_tie
    for index in range(first_tie, len(keys)):
        place = rank_of_first + tied_with_first + index - first_tie
        ranks.append(ranks[-1] if keys[index] == keys[index - 1] else place)
    return ranks
