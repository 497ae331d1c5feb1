"""`manage.py relayout`: what it shows of a board, and what it is told to do with its buckets."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any
from unittest.mock import patch

import psycopg
import pytest
from django.core.management import CommandError, call_command

from leaderboard.queries import published
from leaderboard.rules import LOWEST_TIE_KEY, ordered
from tests.factories import apply, event, make_season, publish, settling, unused_slug
from tests.leaderboard.kinds import NOON, small_buckets
from tests.leaderboard.test_relayout import begins, buckets_of

AT_THREE = (int(NOON.timestamp()) + 3) * 1_000_000


@pytest.fixture(scope="module", autouse=True)
def _small_buckets() -> Iterator[None]:
    with small_buckets():
        yield


def said(*command: str) -> str:
    out = StringIO()
    call_command("relayout", *command, stdout=out)
    return out.getvalue()


def refused(*command: str) -> tuple[str, str]:
    """Return what the command said before it failed, and why it did."""
    out = StringIO()
    with pytest.raises(CommandError) as failure:
        call_command("relayout", *command, stdout=out)
    assert failure.value.returncode == 1
    return out.getvalue(), str(failure.value)


def lines_of(text: str) -> dict[str, str]:
    """Return what is said of the board as a whole, by the words before it."""
    lines = [re.split(r"  +", line, maxsplit=1) for line in text.splitlines()]
    return {line[0]: line[1] for line in lines if len(line) == 2}


def table(text: str) -> list[list[str]]:
    """Return the cells of the table of buckets."""
    lines = [line for line in text.splitlines() if re.match(r" +[0-9]", line)]
    return [re.split(r"  +", line.strip()) for line in lines]


def season_with(scores: list[int], **rules: Any) -> str:
    """Return a season with two versions, the first of which has all but the last score."""
    times = {"starts_at": NOON - timedelta(days=1), "cutoff_at": datetime.now(UTC) + timedelta(1)}
    slug = make_season(unused_slug(), **times, **rules).slug
    events = [
        event(f"{slug}-{number:02}", score, completed_at=NOON + timedelta(seconds=number))
        for number, score in enumerate(scores)
    ]
    apply(slug, *events[:-1])
    publish(slug)
    apply(slug, events[-1])
    publish(slug)
    return slug


@pytest.fixture
def uneven(shared: str) -> Iterator[str]:
    """Return a season whose only board has all its players in one of three buckets."""
    with patch.object(ordered, "SPLIT_ABOVE", 20):
        slug = season_with(list(range(12)), tie_rule="earliest", score_max=99)
        assert buckets_of(slug).members.tolist() == [12, 0, 0]
        yield slug


def test_it_shows_what_an_ordered_board_costs(uneven: str) -> None:
    text = said(uneven)
    assert f"{uneven} global, version 3: 3 buckets, ordered; 12 players." in text
    assert "changes/s in the last 2 versions, " in text
    assert lines_of(text)["buckets"] == "3"
    assert lines_of(text)["players of the fullest"] == "12"
    assert lines_of(text)["counted for a rank, mean"] == "5.5"
    assert lines_of(text)["counted for a rank, at most"] == "11"
    assert lines_of(text)["bytes of prefixes a version"] == "12"


def test_it_shows_the_fullest_buckets_that_have_players(shared: str) -> None:
    slug = season_with([50, 50, 50, 31, 30, 700], score_max=1_000_000_000)
    crowd, *others = table(said(slug))
    assert crowd[1:5] == ["50", "(after 50)", "3", "3"]
    assert sorted(int(row[3]) for row in others) == [1, 2]
    assert len(table(said(slug, "--fullest", "1"))) == 1
    for row in (crowd, *others):
        assert row[6] == "4"
        assert all(float(times) > 0 for cell in row[7:] for times in cell.split())


def test_it_shows_changes_and_bytes_of_a_counted_board(shared: str) -> None:
    slug = season_with([10, 10, 400])
    text = said(slug)
    assert "4,001 buckets, counted, each 250 scores wide; 3 players." in text
    lowest, higher = table(text)
    assert lowest[:5] == ["0", "249", "(the end)", "2", "2"]
    assert higher[:5] == ["1", "499", "249", "1", "1"]
    # Each of two versions wrote prefix and age, and of a bucket with gains two entries.
    assert [row[6] for row in (lowest, higher)] == ["16", "12"]
    assert float(lowest[5]) == pytest.approx(2 * float(higher[5]), rel=0.2)


def test_it_shows_the_bytes_of_rows_that_were_written_anew(shared: str) -> None:
    with settling():
        slug = season_with([10, 10, 400])
    # Of the two versions one wrote each of the rows, 16 bits a score; both wrote prefix and age.
    assert [row[6] for row in table(said(slug))] == ["258", "258"]


def test_scores_are_shown_as_players_know_them(shared: str) -> None:
    rules = {"order": "asc", "tie_rule": "earliest", "score_min": 3, "score_max": 100}
    slug = season_with([3, 4, 5, 5, 5, 5, 5, 5], **rules)
    rows = table(said(slug))
    assert {row[1] for row in rows} >= {"3", "5@2026-01-01T12:00:04.000000Z"}


def test_it_shows_the_board_of_a_region(shared: str) -> None:
    slug = season_with([10, 20], regions=("EU", "NA"))
    text = said(slug, "--region", "NA")
    assert f"{slug} NA, version 3: 3 buckets, ordered; 0 players." in text
    assert table(text) == []


def test_even_buckets_are_made_and_shown_beside_those_of_before(uneven: str) -> None:
    text = said(uneven, "--auto")
    assert lines_of(text)["buckets"].split() == ["3", "6"]
    assert lines_of(text)["counted for a rank, mean"].split() == ["5.5", "0.5"]
    assert "Version 4 has the new buckets. The old ones agree: 12 players, 12 ranks" in text
    assert published(uneven).number == 4
    assert buckets_of(uneven).members.tolist() == [2] * 6


def test_figures_that_do_not_justify_even_buckets_are_shown_and_it_fails(uneven: str) -> None:
    said(uneven, "--auto")
    text, reason = refused(uneven, "--auto")
    assert lines_of(text)["buckets"].split() == ["6", "6"]
    assert "fall by a fifth" in reason
    assert published(uneven).number == 4


def test_a_bucket_is_cut(uneven: str) -> None:
    assert "Version 4 has the new buckets." in said(uneven, "--split", "0")
    assert buckets_of(uneven).members.tolist() == [3, 3, 3, 3, 0, 0]


def test_boundaries_are_scores_or_scores_at_a_time(uneven: str) -> None:
    said(uneven, "--boundaries", "8", "3@2026-01-01T13:00:03+01:00")
    assert begins(uneven) == [(3, AT_THREE), (8, LOWEST_TIE_KEY), (99, LOWEST_TIE_KEY)]
    assert buckets_of(uneven).members.tolist() == [4, 5, 3]


def test_boundaries_are_the_best_scores_where_the_lower_one_wins(shared: str) -> None:
    with patch.object(ordered, "SPLIT_ABOVE", 20):
        slug = season_with([5, 7, 9], order="asc", score_max=1_000_000_000)
        said(slug, "--boundaries", "6")
        assert buckets_of(slug).members.tolist() == [2, 1]


@pytest.mark.parametrize("action", [["--auto"], ["--split", "0"], ["--boundaries", "5"]])
def test_a_counted_board_is_shown_and_nothing_is_done_to_it(
    shared: str, action: list[str]
) -> None:
    slug = season_with([10, 20])
    text, reason = refused(slug, *action)
    assert "4,001 buckets, counted" in text
    assert "count for every score" in reason
    assert published(slug).number == 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--boundaries", "100"], "Scores are 0 to 99"),
        (["--boundaries", "-1"], "argument|Scores"),
        (["--boundaries", "many"], "SCORE or SCORE@TIME"),
        (["--boundaries", "5@noon"], "time as in"),
        (["--split", "3"], "the buckets 0 to 2"),
        (["--split", "1"], "too few players"),
        (["--region", "EU"], "no such region"),
        (["--auto", "--split", "1"], "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(
    uneven: str, options: list[str], reason: str
) -> None:
    _, sentence = refused(uneven, *options)
    assert re.search(reason, sentence)


def test_a_time_is_refused_where_equal_scores_share_a_rank(shared: str) -> None:
    slug = season_with([5, 7], score_max=1_000_000_000)
    _, reason = refused(slug, "--boundaries", "5@2026-01-01T12:00:00Z")
    assert "share a rank" in reason


def test_an_unknown_season_is_refused(shared: str) -> None:
    assert "no season" in refused("nowhere")[1]


def test_what_disagrees_is_said(uneven: str, superuser: psycopg.Connection[Any]) -> None:
    superuser.execute("DELETE FROM scores_best WHERE player_id = %s || '-07'", [uneven])
    _, reason = refused(uneven, "--auto")
    assert "It disagrees, the old buckets stay: bucket_against_bests" in reason
