"""The players who take part: some found on the board, some new."""

from collections.abc import Sequence
from random import Random

NEW_SHARE = 0.1


def choose_players(
    found: Sequence[tuple[str, int]], wanted: int, run_id: str, random: Random
) -> list[tuple[str, int | None]]:
    """
    Return `wanted` players with their scores, None for those who are new.

    Most are players of the board if it has enough; a tenth is always new.
    """
    new = max(1, int(wanted * NEW_SHARE), wanted - len(found))
    old: list[tuple[str, int | None]] = list(random.sample(found, max(0, wanted - new)))
    players = old + [(new_name(run_id, number), None) for number in range(new)]
    random.shuffle(players)
    return players


def new_name(run_id: str, number: int) -> str:
    """Return an id that nobody has, in one of the forms that ids have in the wild."""
    forms = (
        f"sim-{run_id}-{number:07d}",
        f"steam:{76561190000000000 + number}-{run_id}",
        f"auth0|{run_id}{number:08x}",
        f"{run_id}.{number}@example.com",
        f"{number:08x}-{run_id}-4000-8000-000000000000",
        f"~{run_id}+{number},x=y",
    )
    name = forms[number % len(forms)]
    return name if name[0] != "~" else f"X{name}"
