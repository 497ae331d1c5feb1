"""
The checks of ordered boards before the flip: for each thing that can be damaged, which sees it.

A board has 99 players on the highest score, then nobody, one, and one below the top: a bucket
each. The sample looks at the lowest bucket, unless a test says otherwise. Each test has its own
database: while the bests of one season are damaged, nobody moves in any.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from unittest.mock import patch

import psycopg
import pytest

from config.errors import Unavailable
from leaderboard.models import Stop
from leaderboard.queries import published
from leaderboard.rules import ordered
from leaderboard.steps import ordered_checks
from leaderboard.steps.check_failed import CheckFailed
from seasons.models import Season
from tests.factories import apply, event, make_season, move, publish, unused_slug
from tests.leaderboard.test_checks import SWAPPED, TALLY_AGREES

Superuser = psycopg.Connection[Any]

# A season whose global board is ordered, and one in which only those of two regions are.
KINDS: dict[str, dict[str, Any]] = {
    "earliest": {"tie_rule": "earliest"},
    "regions": {"regions": ("EU", "NA")},
}
BOARDS = {"earliest": 0, "regions": 1}
PREFIX = (
    "UPDATE leaderboard_prefix SET above = {change} "
    "WHERE namespace = {n} AND version = 2 AND board = {b}"
)
BOUNDARY = """
{what} leaderboard_boundary {change} WHERE bucket = {bucket} AND boundary_set = (
    SELECT layout.boundary_sets[{{b}} + 1]
    FROM leaderboard_layout AS layout WHERE layout.season_id = {{s}}
)
"""
# What goes wrong on the way into a table, not in what is read.
ON_ITS_WAY = """
CREATE FUNCTION damage_{n}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.namespace = {n} AND NEW.board = {b} THEN
        {change}
    END IF;
    RETURN NEW;
END $$
&&
CREATE TRIGGER damage_{n} BEFORE INSERT ON {table}
FOR EACH ROW EXECUTE FUNCTION damage_{n}()
"""


class Damage(NamedTuple):
    """What is damaged of which kinds of seasons, and which check must see it."""

    check: str
    statement: str
    kinds: tuple[str, ...] = ("earliest", "regions")
    bests_damaged: bool = False


def bests(change: str, which: str) -> str:
    return f"UPDATE scores_best SET {change} WHERE namespace = {{n}} AND player_id {which}"


def prefix(bucket: int, players: int) -> str:
    change = f"overlay(above PLACING {players}::bit(32) FROM 32 * {bucket} + 1)"
    return PREFIX.replace("{change}", change)


def boundary(bucket: int, change: str) -> str:
    what = "UPDATE" if change else "DELETE FROM"
    return BOUNDARY.format(what=what, change=change, bucket=bucket)


def on_its_way(table: str, change: str) -> str:
    return ON_ITS_WAY.replace("{table}", table).replace("{change}", change)


GLOBAL = ("earliest",)
REGIONS = ("regions",)

DAMAGE = {
    "the score of a best below the top": Damage(
        "bucket_against_bests", bests("score = 250", "= 'low'"), GLOBAL, bests_damaged=True
    ),
    "a best below the top deleted": Damage(
        "bucket_against_bests",
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id = 'low'",
        GLOBAL,
        bests_damaged=True,
    ),
    "the region of a best below the top": Damage(
        "bucket_against_bests", bests("region = 2", "= 'low'"), REGIONS, bests_damaged=True
    ),
    "the scores of bests of the top": Damage(
        "top_ranks", bests("score = 299", "> 'top-050'"), GLOBAL, bests_damaged=True
    ),
    "many bests of the top deleted": Damage(
        "top_length",
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id > 'top-050'",
        GLOBAL,
        bests_damaged=True,
    ),
    "the region of many bests of the top": Damage(
        "top_length", bests("region = NULL", "> 'top-050'"), REGIONS, bests_damaged=True
    ),
    "the sentinel of the bests": Damage(
        "bests_lost",
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id = ''",
        bests_damaged=True,
    ),
    "every prefix of the global board": Damage(
        "buckets_lost",
        "DELETE FROM leaderboard_prefix WHERE namespace = {n} AND board = 0",
        GLOBAL,
        bests_damaged=True,
    ),
    "every prefix of a region's board": Damage(
        "prefix_missing",
        "DELETE FROM leaderboard_prefix WHERE namespace = {n} AND board = {b}",
        REGIONS,
    ),
    "a prefix cut short": Damage(
        "prefix_missing", PREFIX.replace("{change}", "substring(above FROM 1 FOR 3 * 32)")
    ),
    "prefixes that are seen in the top": Damage(
        "top_ranks", f"{prefix(1, 98)} && {prefix(2, 98)}", bests_damaged=True
    ),
    "a prefix that is not seen in the top": Damage(
        "bucket_against_bests", prefix(0, 101), bests_damaged=True
    ),
    "a prefix that takes more than there are": Damage("negative_count", prefix(0, 1_000)),
    "a boundary deleted": Damage("prefix_missing", boundary(1, "")),
    "a boundary": Damage("bucket_against_bests", boundary(0, "SET score = 5"), bests_damaged=True),
    "an old score that nobody has, and the tally to match": Damage(
        "negative_count",
        "UPDATE scores_ledger SET old_score = 400, old_tie_key = 0"
        " WHERE namespace = {n} AND event_id = 'pending' && "
        + TALLY_AGREES.replace("{entered}", "0").replace("{delta}", "-390"),
        GLOBAL,
    ),
    "an old region in which nobody is": Damage(
        "negative_count",
        "UPDATE scores_ledger SET old_region = 2 WHERE namespace = {n} AND event_id = 'better'",
        REGIONS,
    ),
    "which ledger row counts, and the tally to match": Damage(
        "membership",
        (SWAPPED + TALLY_AGREES)
        .replace(";", "&&")
        .replace("{entered}", "1")
        .replace("{delta}", "10"),
        GLOBAL,
    ),
    "a new prefix on its way": Damage(
        "prefix_chain",
        on_its_way(
            "leaderboard_prefix", "NEW.above = overlay(NEW.above PLACING 999::bit(32) FROM 1);"
        ),
    ),
    "a new highest prefix on its way": Damage(
        "prefix_chain",
        on_its_way(
            "leaderboard_prefix",
            "NEW.above = overlay(NEW.above PLACING 1::bit(32) FROM 32 * 3 + 1);",
        ),
    ),
    "new prefixes cut short on their way": Damage(
        "prefix_missing",
        on_its_way("leaderboard_prefix", "NEW.above = substring(NEW.above FROM 1 FOR 64);"),
    ),
    "a rank in the new top on its way": Damage(
        "top_ranks",
        on_its_way("leaderboard_top", "NEW.ranks[100] = 99;"),
        bests_damaged=True,
    ),
    "a place in the new top on its way": Damage(
        "top_length",
        on_its_way("leaderboard_top", "NEW.scores = NEW.scores[2:];"),
        bests_damaged=True,
    ),
}
CASES = [
    pytest.param(kind, damage, id=f"{name}, {kind}")
    for name, damage in DAMAGE.items()
    for kind in damage.kinds
]


@pytest.fixture(autouse=True)
def _four_buckets() -> Iterator[None]:
    with patch.object(ordered, "FIRST_BUCKETS", 4):
        yield


@pytest.fixture
def sampled() -> Iterator[None]:
    """Let the sample look at the lowest bucket."""
    with patch.object(ordered_checks, "_SPREAD", 0):
        yield


def played(kind: str) -> str:
    """Return a season with a published version, and with changes that are pending."""
    slug = make_season(unused_slug(), score_max=600, **KINDS[kind]).slug
    everybody = [*(f"top-{number:03}" for number in range(99)), "middle", "low", "new"]
    move(**dict.fromkeys(everybody, "EU"))
    then = datetime.now(UTC) - timedelta(minutes=9)
    top = [event(player, 600, completed_at=then) for player in everybody[:99]]
    apply(slug, *top, event("middle", 300), event("low", 10, event_id="old"))
    assert publish(slug).version == 2
    apply(slug, event("new", 10, event_id="pending"), event("low", 5, 2, event_id="quiet"))
    if kind == "regions":
        apply(slug, event("middle", 310, 2, event_id="better"))
    return slug


def damage(superuser: Superuser, slug: str, kind: str, statement: str) -> None:
    season = Season.objects.get(slug=slug)
    text = statement.format(n=season.namespace, s=season.id, b=BOARDS[kind])
    for part in text.split("&&"):
        if part.strip():
            assert superuser.execute(part.encode()).rowcount != 0, part


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_damaged_is_published(database: str, sampled: None, kind: str) -> None:
    slug = played(kind)
    assert publish(slug).outcome == "published"
    members = published(slug).members
    assert members is not None
    assert members[BOARDS[kind]] == 102


@pytest.mark.parametrize(("kind", "case"), CASES)
def test_this_very_check_stops_the_flip(
    database: str, superuser: Superuser, sampled: None, kind: str, case: Damage
) -> None:
    slug = played(kind)
    damage(superuser, slug, kind, case.statement)
    with pytest.raises(CheckFailed) as failure:
        publish(slug)
    assert failure.value.check == case.check, failure.value.detail
    stop = Stop.objects.get()
    assert (stop.failed_check, stop.detail) == (case.check, failure.value.detail)
    assert published(slug).number == 2
    if case.bests_damaged:
        with pytest.raises(Unavailable):
            apply(slug, event("another", 7))
    else:
        assert apply(slug, event("another", 7))[0].outcome == "improved"


@pytest.mark.parametrize("kind", KINDS)
def test_a_crowded_bucket_is_compared_with_the_bests_before_it_is_cut(
    database: str, superuser: Superuser, kind: str
) -> None:
    slug = played(kind)
    move(**{f"few-{score}": "EU" for score in range(20, 30)})
    apply(slug, *(event(f"few-{score}", score) for score in range(20, 30)))
    change = "DELETE FROM scores_best WHERE namespace = {n} AND player_id = 'low'"
    if kind == "regions":
        change = bests("region = 2", "= 'low'")
    damage(superuser, slug, kind, change)
    with (
        patch.object(ordered, "SPLIT_ABOVE", 5),
        patch.object(ordered, "BUCKET_SIZE", 2),
        patch("leaderboard.queries.ordered.BUCKET_SIZE", 2),
        patch.object(ordered_checks, "MOST_IN_A_BUCKET", 0),
        pytest.raises(CheckFailed) as failure,
    ):
        publish(slug)
    assert failure.value.bests_damaged
    assert str(failure.value) == (
        f"bucket_against_bests: board {BOARDS[kind]}: bucket 0 counts 12 players, "
        "the bests have 11"
    )


@pytest.mark.parametrize(("player", "bucket"), [("low", 0), ("middle", 2), ("top-000", 3)])
def test_every_bucket_has_its_turn(
    database: str, superuser: Superuser, player: str, bucket: int
) -> None:
    slug = played("regions")
    # The top would see it: let the top be full without.
    move(**{f"more-{number}": "EU" for number in range(9)})
    apply(slug, *(event(f"more-{number}", 600) for number in range(9)))
    publish(slug)
    damage(superuser, slug, "regions", bests("region = NULL", f"= '{player}'"))
    with pytest.raises(CheckFailed, match=f"bucket {bucket} counts"):
        publish_on_and_on(slug)
    assert Stop.objects.get().failed_check == "bucket_against_bests"


def publish_on_and_on(slug: str) -> None:
    for number in range(1, 100):
        apply(slug, event("another", number, number))
        publish(slug)


def test_a_crowd_is_not_counted(database: str, superuser: Superuser, sampled: None) -> None:
    slug = played("earliest")
    damage(superuser, slug, "earliest", bests("score = 11", "= 'low'"))
    with patch.object(ordered_checks, "MOST_IN_A_BUCKET", 1):
        assert publish(slug).outcome == "published"
