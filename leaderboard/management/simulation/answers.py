"""The receipts of one season against what they must say, and what the write did. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from leaderboard.management.simulation.book import Written
from leaderboard.management.simulation.feed import Due
from leaderboard.management.simulation.findings import Finding
from leaderboard.management.simulation.folding import Kind, Player
from leaderboard.management.simulation.receipts import Expected, Item, Json, difference, learned

FEED_KINDS = {Kind.REMOVAL: "correction"}


@dataclass(frozen=True, slots=True)
class Outlook:
    """
    What a request says to one season, and what is known there before it is sent.

    That are the receipts to come, the newest version seen, and which regions' boards the players
    are on.
    """

    items: Sequence[Item]
    players: Mapping[str, Player]
    expected: Sequence[Expected]
    newest: int
    regions: Mapping[str, str | None]


def check_receipts(
    outlook: Outlook, receipts: Sequence[list[Json]], *, retried: bool
) -> Iterator[Finding]:
    """Return what is wrong with the receipts of a request, sent once or twice at once."""
    open_end = retried or len(receipts) > 1
    for copy in receipts:
        for item, expected, receipt in zip(outlook.items, outlook.expected, copy, strict=True):
            yield from _one(item, expected, receipt, copy, open_end=open_end)
    if len(receipts) > 1:
        yield from _copies(outlook, receipts, retried=retried)
    yield from _versions(outlook, receipts[0])


def _one(
    item: Item, expected: Expected, receipt: Json, copy: list[Json], *, open_end: bool
) -> Iterator[Finding]:
    if (receipt.get("event_id"), receipt.get("player_id")) != (
        item.act.event_id,
        item.act.player_id,
    ):
        yield Finding("receipt", f"{item.act.event_id} was answered by {receipt}")
        return
    again = expected.first is not None or expected.twin is not None
    replayed = again if again or expected.outcome == "conflict" or not open_end else None
    if expected.twin is not None:
        expected = Expected("", first=copy[expected.twin])
    if fault := difference(expected, receipt, replayed=replayed):
        yield Finding("receipt", f"{item.body}: {fault}, the receipt is {receipt}")


def _copies(
    outlook: Outlook, receipts: Sequence[list[Json]], *, retried: bool
) -> Iterator[Finding]:
    """Check that of two copies sent at once exactly one was the first."""
    for item, expected, one, other in zip(
        outlook.items, outlook.expected, receipts[0], receipts[1], strict=True
    ):
        if expected.first or expected.twin is not None or expected.outcome == "conflict":
            continue
        firsts = [one.get("replayed"), other.get("replayed")].count(False)
        if {**one, "replayed": None} != {**other, "replayed": None}:
            yield Finding("receipt", f"two copies sent at once got {one} and {other}")
        elif firsts > 1 or (firsts < 1 and not retried):
            yield Finding("receipt", f"{item.act.event_id}, sent twice, was first {firsts} times")


def _versions(outlook: Outlook, receipts: list[Json]) -> Iterator[Finding]:
    """Check that one request shows from one version on, which nobody had seen before."""
    moved = [
        receipt
        for expected, receipt in zip(outlook.expected, receipts, strict=True)
        if expected.moved and receipt.get("visible_in_version") is not None
    ]
    versions = {receipt["visible_in_version"] for receipt in moved}
    if len(versions) > 1:
        yield Finding("receipt_version", f"one request is visible in versions {sorted(versions)}")
    elif versions and min(versions) <= outlook.newest:
        yield Finding(
            "receipt_version",
            f"{moved[0]['event_id']} is visible in {min(versions)}, and {outlook.newest} was "
            "seen before it was sent",
        )


def after_contact(
    after: Mapping[str, Player], outlook: Outlook, receipts: list[Json]
) -> dict[str, Player]:
    """Return the players after a request, with versions learned from first contacts."""
    found = dict(after)
    for item, expected, receipt in zip(outlook.items, outlook.expected, receipts, strict=True):
        if learned(expected, receipt):
            name = item.act.player_id
            version = receipt["score_version"]
            found[name] = replace(outlook.players[name], version=version, contact=False)
    return found


def written_by(
    outlook: Outlook, after: Mapping[str, Player], receipts: list[Json]
) -> list[Written]:
    """Return what a request did to each player whom it changed."""
    changes: dict[str, list[Due]] = {}
    rows = zip(outlook.items, outlook.expected, receipts, strict=True)
    for item, expected, receipt in sorted(rows, key=lambda row: row[0].act.version):
        visible = receipt.get("visible_in_version")
        if expected.moved is not None and visible is not None:
            region = outlook.regions.get(item.act.player_id)
            due = _due(item, expected, visible, region)
            changes.setdefault(item.act.player_id, []).append(due)
    return [
        Written(
            name,
            outlook.players[name].standing.shown,
            player.standing.shown,
            player.version,
            tuple(changes.get(name, ())),
            outlook.regions.get(name),
        )
        for name, player in after.items()
        if player != outlook.players[name]
    ]


def _due(item: Item, expected: Expected, visible: int, region: str | None) -> Due:
    assert expected.moved is not None
    act, (old, new) = item.act, expected.moved
    kind = FEED_KINDS.get(act.kind, act.kind.value)
    return Due(act.event_id, act.player_id, old, new, act.version, kind, visible, region)
