"""
The checks before the flip: for each thing that can be damaged, the check that sees it.

The board has 101 players on the highest score, so that its lower half is in no top list, and
three buckets: 0 to 249, 250 to 499, and 500 to 600. The sample of buckets covers them all.
"""

from typing import Any, NamedTuple

import psycopg
import pytest
from django.core.management import CommandError, call_command

from config.errors import Unavailable
from leaderboard.models import Current, Stop, Version
from leaderboard.queries import published, top
from leaderboard.steps.check_failed import CheckFailed
from scores.models import Ledger
from seasons.models import Season
from tests.factories import (
    apply,
    correct,
    event,
    make_season,
    publish,
    settling,
    unused_slug,
)

Superuser = psycopg.Connection[Any]

BUCKET = "UPDATE leaderboard_bucket SET {change} WHERE namespace = {n} AND bucket = {bucket}"
BEST = "UPDATE scores_best SET {change} WHERE namespace = {n} AND player_id = '{player}'"
ONE_MORE_ON_ITS_LOWEST_SCORE = (
    "above = overlay(above PLACING (leaderboard_above_at(above, 0, 0) + 1)::bit(16) FROM 1)"
)
SWAPPED = """
UPDATE scores_ledger SET visible_in_version = CASE event_id WHEN 'quiet' THEN epoch END
WHERE namespace = {n} AND event_id IN ('pending', 'quiet');
"""
TALLY_AGREES = """
UPDATE scores_tally SET hash = (
    SELECT sum(hashtextextended(
        ledger.player_id || ' ' || ledger.change_no::text,
        coalesce(ledger.old_score, -1) * 4294967296 + coalesce(ledger.new_score, -1)
    )::numeric)
    FROM scores_ledger AS ledger
    WHERE ledger.namespace = {n} AND ledger.visible_in_version IS NOT NULL AND ledger.epoch = 3
), events = 2, changes = 1, entered = {entered}, score_delta = {delta}
WHERE namespace = {n} AND epoch = 3
"""
CAME_FROM = (
    "UPDATE scores_ledger SET old_score = {score} WHERE namespace = {n} AND event_id = 'pending';"
)
PENDING = "UPDATE {table} SET {change} WHERE namespace = {n} AND epoch = 3"


class Damage(NamedTuple):
    """What is damaged while an event is pending, and which check must see it."""

    check: str
    statement: str
    bests_damaged: bool = False


def best(player: str, change: str) -> str:
    return BEST.replace("{change}", change).replace("{player}", player)


def bucket(number: int, change: str) -> str:
    return BUCKET.replace("{change}", change).replace("{bucket}", str(number))


def pending(table: str, change: str) -> str:
    return PENDING.replace("{change}", change).replace("{table}", table)


DAMAGE = {
    "the score of a best below the top": Damage(
        "bucket_against_bests", best("low", "score = 11"), bests_damaged=True
    ),
    "a best below the top deleted": Damage(
        "bucket_against_bests",
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id = 'low'",
        bests_damaged=True,
    ),
    "a best below the top hidden": Damage(
        "bucket_against_bests", best("low", "score = NULL, removed = true"), bests_damaged=True
    ),
    "the epoch of a best below the top": Damage(
        "bucket_against_bests", best("low", "epoch = 1000000"), bests_damaged=True
    ),
    "the scores of bests of the top": Damage(
        "top_ranks",
        "UPDATE scores_best SET score = 599 WHERE namespace = {n} AND player_id > 'top-050'",
        bests_damaged=True,
    ),
    "many bests of the top deleted": Damage(
        "top_length",
        "DELETE FROM scores_best WHERE namespace = {n} AND player_id > 'top-050'",
        bests_damaged=True,
    ),
    "the new score of a ledger row": Damage(
        "ledger_against_tallies", pending("scores_ledger", "new_score = new_score + 1")
    ),
    "the player of a ledger row": Damage(
        "ledger_against_tallies", pending("scores_ledger", "player_id = 'other'")
    ),
    "a ledger row deleted": Damage(
        "ledger_against_tallies",
        "DELETE FROM scores_ledger WHERE namespace = {n} AND event_id = 'quiet'",
    ),
    "a ledger row of another epoch": Damage(
        "ledger_against_tallies",
        "UPDATE scores_ledger SET epoch = 3, visible_in_version = 3"
        " WHERE namespace = {n} AND event_id = 'old'",
    ),
    "every ledger row of the epoch deleted": Damage(
        "ledger_against_tallies", "DELETE FROM scores_ledger WHERE namespace = {n} AND epoch = 3"
    ),
    "the events of a tally": Damage(
        "ledger_against_tallies", pending("scores_tally", "events = 9")
    ),
    "the changes of a tally": Damage(
        "ledger_against_tallies", pending("scores_tally", "changes = 0")
    ),
    "the sum of a tally": Damage(
        "ledger_against_tallies", pending("scores_tally", "score_delta = score_delta - 1")
    ),
    "the hash of a tally": Damage(
        "ledger_against_tallies", pending("scores_tally", "hash = hash + 1")
    ),
    "a tally deleted": Damage(
        "ledger_against_tallies", "DELETE FROM scores_tally WHERE namespace = {n} AND epoch = 3"
    ),
    "which ledger row counts, and the tally to match": Damage(
        "membership", SWAPPED + TALLY_AGREES.replace("{entered}", "1").replace("{delta}", "10")
    ),
    "an old score that nobody has, and the tally to match": Damage(
        "negative_count",
        CAME_FROM.replace("{score}", "9")
        + TALLY_AGREES.replace("{entered}", "0").replace("{delta}", "1"),
    ),
    "the members of a bucket that is not touched": Damage(
        "sum_of_buckets", bucket(1, "members = members + 1")
    ),
    "the members of a bucket that is touched": Damage(
        "sum_of_buckets", bucket(0, "members = members + 1")
    ),
    "a bucket that is not touched deleted": Damage(
        "sum_of_buckets", "DELETE FROM leaderboard_bucket WHERE namespace = {n} AND bucket = 1"
    ),
    "the members of two buckets, with the same sum": Damage(
        "prefix_chain",
        bucket(1, "members = members + 1") + ";" + bucket(2, "members = members - 1"),
    ),
    "the counts in a bucket of the top": Damage(
        "top_ranks",
        bucket(2, "above = overlay(above PLACING 1::bit(16) FROM 100 * 16 + 1)"),
        bests_damaged=True,
    ),
    "the counts in a bucket below the top": Damage(
        "bucket_against_bests", bucket(1, ONE_MORE_ON_ITS_LOWEST_SCORE), bests_damaged=True
    ),
    "the counts in a bucket cut short": Damage(
        "bucket_malformed", bucket(1, "above = substring(above FROM 1 FOR 499 * 8)")
    ),
    "the counts in a touched bucket cut short": Damage(
        "bucket_malformed", bucket(0, "above = substring(above FROM 1 FOR 496 * 8)")
    ),
    "a prefix": Damage(
        "prefix_chain",
        "UPDATE leaderboard_prefix SET above = overlay(above PLACING 1::bit(32) FROM 1) "
        "WHERE namespace = {n}",
    ),
    "the age of a bucket's row": Damage(
        "bucket_age",
        "UPDATE leaderboard_prefix SET age = overlay(age PLACING 1::bit(32) FROM 32 + 1) "
        "WHERE namespace = {n} AND version = 2",
    ),
    "the ages cut short": Damage(
        "prefix_missing",
        "UPDATE leaderboard_prefix SET age = substring(age FROM 1 FOR 11 * 8) "
        "WHERE namespace = {n}",
    ),
    "a prefix cut short": Damage(
        "prefix_missing",
        "UPDATE leaderboard_prefix SET above = substring(above FROM 1 FOR 11 * 8) "
        "WHERE namespace = {n}",
    ),
    "a prefix deleted": Damage(
        "prefix_missing", "DELETE FROM leaderboard_prefix WHERE namespace = {n} AND version = 2"
    ),
    "the members of the version": Damage(
        "sum_of_buckets",
        "UPDATE leaderboard_version SET members = '{{104}}' WHERE season_id = {s} AND number = 2",
    ),
}


@pytest.fixture
def slug(shared: str) -> str:
    """Give the test a season with a published version, and with a change that is pending."""
    slug = make_season(unused_slug(), score_max=600).slug
    players = [event(f"top-{number:03}", 600) for number in range(101)]
    apply(slug, *players, event("middle", 300), event("low", 10, event_id="old"))
    with settling():
        assert publish(slug).version == 2
    apply(slug, event("new", 10, event_id="pending"), event("low", 5, 2, event_id="quiet"))
    return slug


def damage(superuser: Superuser, slug: str, statement: str) -> None:
    season = Season.objects.get(slug=slug)
    for part in statement.format(n=season.namespace, s=season.id).split(";"):
        if part.strip():
            assert superuser.execute(part.encode()).rowcount > 0, part


def stop_of(slug: str) -> Stop:
    return Stop.objects.get(season_id=Season.objects.get(slug=slug).id)


def test_what_is_not_damaged_is_published(slug: str) -> None:
    assert publish(slug).outcome == "published"


@pytest.mark.parametrize("case", DAMAGE.values(), ids=DAMAGE.keys())
def test_this_very_check_stops_the_flip(slug: str, superuser: Superuser, case: Damage) -> None:
    damage(superuser, slug, case.statement)
    with pytest.raises(CheckFailed) as failure:
        publish(slug)
    assert failure.value.check == case.check
    assert stop_of(slug).failed_check == case.check
    assert stop_of(slug).detail == failure.value.detail != ""
    _require_that_nothing_was_published(slug)
    _require_writes(slug, refused=case.bests_damaged)


def _require_that_nothing_was_published(slug: str) -> None:
    season = published(slug)
    assert (season.number, season.failed_check) == (2, stop_of(slug).failed_check)
    assert not Version.objects.filter(season_id=season.season_id, number__gt=2).exists()
    assert Current.objects.get(season_id=season.season_id).through == 2
    found = top(season, version=2, limit=1)
    assert found is not None
    assert [entry[:3] for entry in found.entries] == [(1, "top-000", 600)]
    assert publish(slug).outcome == "stopped"


def _require_writes(slug: str, *, refused: bool) -> None:
    if refused:
        with pytest.raises(Unavailable):
            apply(slug, event("another", 7))
        with pytest.raises(Unavailable):
            correct(slug, "middle", 9)
    else:
        assert apply(slug, event("another", 7))[0].outcome == "improved"


def test_a_stop_says_what_disagreed(slug: str, superuser: Superuser) -> None:
    damage(superuser, slug, best("low", "score = 11"))
    with pytest.raises(CheckFailed):
        publish(slug)
    assert stop_of(slug).detail == "score 10: bucket 0 counts 2 players, the bests have 1"


def test_a_season_that_stands_still_is_not_sealed(slug: str, superuser: Superuser) -> None:
    damage(superuser, slug, pending("scores_tally", "events = 9"))
    with pytest.raises(CheckFailed):
        publish(slug)
    for _ in range(3):
        publish(slug)
        apply(slug, event("new", 10))
    season = Season.objects.get(slug=slug)
    assert set(Ledger.objects.filter(namespace=season.namespace).values_list("epoch")) == {
        (2,), (3,), (4,),
    }  # fmt: skip


def test_other_seasons_are_published_meanwhile(slug: str, superuser: Superuser) -> None:
    damage(superuser, slug, pending("scores_tally", "events = 9"))
    with pytest.raises(CheckFailed):
        publish(slug)
    other = make_season(unused_slug()).slug
    apply(other, event("ann", 1))
    assert publish(other).outcome == "published"


def test_publication_goes_on_by_hand_once_the_damage_is_repaired(
    slug: str, superuser: Superuser
) -> None:
    damage(superuser, slug, best("low", "score = 11"))
    with pytest.raises(CheckFailed):
        publish(slug)
    with pytest.raises(CommandError, match="bucket_against_bests"):
        call_command("publish", slug)
    assert publish(slug).outcome == "stopped"
    damage(superuser, slug, best("low", "score = 10"))
    call_command("publish", slug)
    assert not Stop.objects.filter(season_id=Season.objects.get(slug=slug).id).exists()
    apply(slug, event("another", 7))
    assert publish(slug).outcome == "published"
    assert published(slug).members == [105]


def test_a_check_that_fails_by_hand_too_says_what_is_wrong_now(
    slug: str, superuser: Superuser
) -> None:
    damage(superuser, slug, best("low", "score = 11"))
    with pytest.raises(CheckFailed):
        publish(slug)
    damage(superuser, slug, best("low", "score = 10") + ";" + bucket(1, "members = 7"))
    with pytest.raises(CommandError, match="sum_of_buckets"):
        call_command("publish", slug)
    assert stop_of(slug).failed_check == "sum_of_buckets"


# At version 3, when "middle" is at 310 and "another" at 550, the entries are at scores 300, 310,
# 500 and 550, and from place 8,000 on those of buckets: one of bucket 2, and the end of it.
GAINS = "UPDATE leaderboard_prefix SET {change} WHERE namespace = {n} AND version = 3"


def gain(entry: int, players: int) -> str:
    """Return the change of an entry, the first being number 1."""
    place = 16 * entry + 1
    return f"gained = overlay(gained PLACING ({players} + 32768)::bit(16) FROM {place})"


DAMAGE_OF_GAINS = {
    "how many players a bucket gained": ("sum_of_buckets", gain(5, 2)),
    "all gains lost": ("sum_of_buckets", "places = NULL, gained = NULL"),
    "which bucket gained a player": ("prefix_chain", "places[5] = 8001, places[6] = 8002"),
    "which score of the top gained a player": ("top_ranks", "places[4] = 601"),
    "which score below the top lost a player": ("bucket_against_bests", "places[1] = 301"),
    "how many stand above a score below the top": ("bucket_against_bests", gain(1, 2)),
    "entries out of order": ("gains_malformed", "places[2] = 299"),
    "an entry without a gain": ("gains_malformed", "gained = substring(gained FROM 1 FOR 96)"),
    "a bucket without an end": ("gains_malformed", gain(4, 1)),
}


@pytest.fixture
def gained(shared: str) -> str:
    """Give the test a season with a version in which buckets gained something since the first."""
    slug = make_season(unused_slug(), score_max=600).slug
    players = [event(f"top-{number:03}", 600) for number in range(101)]
    apply(slug, *players, event("middle", 300), event("low", 10))
    with settling():
        publish(slug)
    apply(slug, event("middle", 310, 2), event("another", 550))
    assert publish(slug).version == 3
    apply(slug, event("new", 10))
    return slug


def test_what_buckets_gained_is_published_on(gained: str) -> None:
    assert publish(gained).outcome == "published"


@pytest.mark.parametrize(("check", "change"), DAMAGE_OF_GAINS.values(), ids=DAMAGE_OF_GAINS.keys())
def test_damaged_gains_stop_the_flip(
    gained: str, superuser: Superuser, check: str, change: str
) -> None:
    damage(superuser, gained, GAINS.replace("{change}", change))
    with pytest.raises(CheckFailed) as failure:
        publish(gained)
    assert failure.value.check == check
    assert stop_of(gained).failed_check == check
    assert published(gained).number == 3
