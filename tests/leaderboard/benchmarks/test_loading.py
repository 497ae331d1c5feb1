import re
from collections import Counter

import numpy as np
import pytest

from leaderboard.management.benchmarks.connecting import Connection, connect
from leaderboard.management.benchmarks.events import Improvements
from leaderboard.management.benchmarks.kinds import CROWDED_SCORE, KINDS
from leaderboard.management.benchmarks.loading import load_season
from leaderboard.management.benchmarks.players import (
    HIGHEST_SCORE,
    first_scores,
    ids_of,
    random_ids,
)
from leaderboard.operations import seal_and_publish
from leaderboard.operations.verify_season import verify_season
from leaderboard.queries import published, rank_of_player
from scores.models import Best, Ledger
from scores.operations import apply_events
from scores.queries import known_events
from tests.factories import make_season
from tests.leaderboard.agreement import require_board

PLAYERS = 400


def expected(players: int) -> dict[str, int]:
    ids = ids_of(np.arange(players)).astype("U").tolist()
    return dict(zip(ids, first_scores(players).tolist(), strict=True))


@pytest.mark.usefixtures("database")
def test_every_read_of_a_loaded_season_is_the_board_of_its_players() -> None:
    load_season("bench", PLAYERS)
    season = published("bench")
    board = expected(PLAYERS)
    require_board(season, season.current, board, board, limits=(10,))


@pytest.mark.usefixtures("database")
def test_a_loaded_season_goes_on_with_real_results() -> None:
    season = load_season("bench", PLAYERS)
    with connect() as connection:
        events = Improvements(connection, season.namespace).batch(100)
    outcomes = {receipt.outcome for receipt in apply_events("bench", events).receipts}
    assert outcomes == {"improved"}
    assert seal_and_publish(season.id).changes == 100
    board = expected(PLAYERS) | {event.player_id: event.best_score for event in events}
    now = published("bench")
    require_board(now, now.current, board, board, limits=(10,))


@pytest.mark.usefixtures("database")
def test_as_large_a_share_of_the_results_improves_as_told() -> None:
    season = load_season("bench", PLAYERS)
    with connect() as connection:
        source = Improvements(connection, season.namespace)
    for share in (0.1, 1.0, 0.1):
        receipts = apply_events("bench", source.batch(200, share)).receipts
        outcomes = Counter(receipt.outcome for receipt in receipts)
        assert outcomes["improved"] == 200 * share
        assert outcomes.total() == outcomes["improved"] + outcomes["not_improved"]


@pytest.mark.usefixtures("database")
def test_loaded_rows_are_those_that_results_leave() -> None:
    season = load_season("bench", PLAYERS)
    loaded = Ledger.objects.filter(namespace=season.namespace).order_by("id").first()
    assert loaded is not None
    assert known_events(season.namespace, [loaded.event_id])[loaded.event_id].outcome == "improved"
    real = load_season("real", 1)
    with connect() as connection:
        (event,) = Improvements(connection, real.namespace).batch(1)
    fresh = event._replace(player_id="somebody", score_version=1)
    apply_events("real", [fresh])
    row = Ledger.objects.get(namespace=real.namespace, event_id=fresh.event_id)
    best = Best.objects.get(namespace=real.namespace, player_id="somebody")
    own = Best.objects.get(namespace=season.namespace, player_id=loaded.player_id)
    assert _form(loaded) == _form(row)
    assert _form(own) == _form(best)


@pytest.mark.usefixtures("database")
def test_a_season_with_several_results_a_player_is_what_its_ledger_says() -> None:
    season = load_season("bench", PLAYERS, results=3)
    verification = verify_season("bench")
    assert verification.agrees, verification.report
    outcomes = Ledger.objects.filter(namespace=season.namespace).values_list("outcome")
    counted = Counter(outcome for (outcome,) in outcomes)
    assert counted.total() == 3 * PLAYERS
    assert min(counted["improved"], counted["not_improved"]) > PLAYERS
    now = published("bench")
    board = expected(PLAYERS)
    require_board(now, now.current, board, board, limits=(10,))
    with connect() as connection:
        apply_events("bench", Improvements(connection, season.namespace).batch(100))
    assert seal_and_publish(season.id).changes == 100
    assert verify_season("bench").agrees


@pytest.mark.usefixtures("database")
def test_a_loaded_partition_has_the_indexes_and_guards_of_any_other() -> None:
    with connect() as connection:
        loaded = load_season("bench", PLAYERS).namespace
        other = make_season("other").namespace
        for parent in ("scores_ledger", "scores_best"):
            assert _parts(connection, f"{parent}_n{loaded}") == _parts(
                connection, f"{parent}_n{other}"
            )


def test_scores_are_skewed_and_tied_with_a_crowded_top() -> None:
    scores = first_scores(100_000)
    assert 0 <= scores.min() < scores.max() <= HIGHEST_SCORE
    assert np.count_nonzero(scores > 0.99 * HIGHEST_SCORE) > 10
    assert np.median(scores) < HIGHEST_SCORE / 3
    assert np.unique(scores).size < 80_000
    assert (scores == first_scores(200_000)[:100_000]).all()


def test_ids_are_of_one_width_and_never_come_twice() -> None:
    numbers = np.arange(100_000)
    assert len(set(ids_of(numbers).tolist())) == len(numbers)
    drawn = {*random_ids(numbers, 1).tolist(), *random_ids(numbers, 2).tolist()}
    assert len(drawn) == 2 * len(numbers)
    assert {len(one) for one in drawn} == {16}


def _form(row: Ledger | Best) -> dict[str, bool]:
    """Which members of a row are set: what they are differs from player to player."""
    return {name: value is None for name, value in vars(row).items() if name != "_state"}


def _parts(connection: Connection, table: str) -> list[str]:
    parts = """
        SELECT replace(pg_get_indexdef(indexrelid), %(table)s, '')
        FROM pg_index WHERE indrelid = %(table)s::regclass
        UNION ALL
        SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %(table)s::regclass
        UNION ALL
        SELECT replace(pg_get_triggerdef(oid), %(table)s, '')
        FROM pg_trigger WHERE tgrelid = %(table)s::regclass
        UNION ALL
        SELECT reloptions::text FROM pg_class WHERE oid = %(table)s::regclass
        ORDER BY 1
    """
    rows = connection.execute(parts, {"table": table}).fetchall()
    return [re.sub(r"namespace = \d+", "namespace = N", str(part)) for (part,) in rows]


@pytest.mark.usefixtures("database")
def test_a_crowd_that_sixteen_bits_do_not_count_is_ranked_and_proved() -> None:
    crowd = 2**16 + 100
    season = load_season("bench", crowd, kind=KINDS["one-score"])
    with connect() as connection:
        better = Improvements(connection, season.namespace).batch(10)
    apply_events("bench", [event._replace(best_score=CROWDED_SCORE + 1) for event in better])
    seal_and_publish(season.id)
    now = published("bench")
    improved = {event.player_id for event in better}
    for player in ids_of(np.arange(50)).astype("U").tolist():
        found = rank_of_player(now, player, version=now.current)
        assert found is not None
        assert found.rank == (1 if player in improved else 11)
    assert verify_season("bench").agrees
