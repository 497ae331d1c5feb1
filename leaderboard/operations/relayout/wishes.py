"""What other buckets a board may get: each is found beside those in use, at the watermark."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from leaderboard import rules
from leaderboard.operations.rebuild.hold import Tell
from leaderboard.operations.relayout.in_use import BoardInUse, CannotRelayout
from leaderboard.queries.ordered import players_in_bucket
from leaderboard.rules import Buckets, Key
from leaderboard.steps.ordered_board import bucket_of, cut

Wish = Callable[[BoardInUse, Tell], Buckets]

PARTS_OF_A_BUCKET = 4


def evened_out(used: BoardInUse, tell: Tell) -> Buckets:
    """Return buckets of about a thousand players each, keys with more to themselves."""
    joined, chosen = rules.to_even_out(used.buckets)
    return _cut(used, joined, chosen, tell)


def with_bucket_cut(bucket: int) -> Wish:
    """Return the wish that one bucket be cut in four, the others staying as they are."""
    return partial(_with_bucket_cut, bucket)


def begun_at(keys: Sequence[Key]) -> Wish:
    """Return the wish that buckets begin at these keys, and elsewhere only where it is crowded."""
    return partial(_begun_at, keys)


def _with_bucket_cut(bucket: int, used: BoardInUse, tell: Tell) -> Buckets:
    boundaries, members = used.buckets
    if not 0 <= bucket < len(members):
        raise CannotRelayout(f"The board has the buckets 0 to {len(members) - 1}.")
    if rules.of_one_key(boundaries)[bucket]:
        raise CannotRelayout(f"Bucket {bucket} is one key's alone: nothing of it is counted.")
    size = max(2, -(-int(members[bucket]) // PARTS_OF_A_BUCKET))
    found = _cut(used, used.buckets, [bucket], tell, size)
    if len(found.members) == len(members):
        raise CannotRelayout(f"Bucket {bucket} has too few players to be cut: {members[bucket]}.")
    return found


def _begun_at(keys: Sequence[Key], used: BoardInUse, tell: Tell) -> Buckets:
    highest = used.buckets.boundaries.begin_of(-1)
    told = rules.boundaries_at([highest, *keys])
    missing = rules.missing_begins(used.buckets.boundaries, told)
    buckets = used.buckets
    for done, bucket in enumerate(sorted(missing, reverse=True)):
        tell("count", done, len(missing))
        begins = zip(missing[bucket], _players_before(used, bucket, missing[bucket]), strict=True)
        buckets = rules.begun_anew(buckets, bucket, list(begins))
    joined, chosen = rules.to_begin_at(buckets, told)
    found = _cut(used, joined, chosen, tell)
    if not rules.changed_buckets(found.boundaries, used.buckets.boundaries).any():
        raise CannotRelayout("The board's buckets begin there already.")
    return found


def _players_before(used: BoardInUse, bucket: int, keys: Iterable[Key]) -> Iterable[int]:
    """Return how many players of a bucket stand before each of some keys, best first."""
    place = bucket_of(used.target, used.board, used.buckets.boundaries, bucket)
    before = 0
    for key in keys:
        before += players_in_bucket(place._replace(end=key))
        place = place._replace(boundary=key)
        yield before


def _cut(
    used: BoardInUse, buckets: Buckets, chosen: Sequence[int], tell: Tell, size: int | None = None
) -> Buckets:
    # The highest first: the numbers of those below stay.
    for done, bucket in enumerate(sorted(chosen, reverse=True)):
        tell("cut", done, len(chosen))
        buckets = cut(used.target, used.board, buckets, [bucket], size)
    tell("cut", len(chosen), len(chosen))
    return buckets
