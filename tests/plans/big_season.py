"""
A season with 200,000 players among others, in a state that real results would have made.

One statement an epoch folds its results into bests, undo, ledger and tally, as a batch would.
Epochs are sealed and versions published by the real operations, with all their checks.
"""

from typing import Any, NamedTuple

import psycopg

from leaderboard.operations import seal_and_publish
from leaderboard.queries import Place, Published, published
from seasons.operations import seal_epoch
from tests.factories import board, make_season
from tests.own_database import connect
from tests.plans.years_of_admin import YEARS_OF_ADMIN
from tests.plans.years_of_series import YEARS_OF_SERIES

SLUG = "big"
PLAYERS = 200_000
EPOCHS = 120
CHANGES = 833
OTHER_SEASONS = 20
UNNAMED_LAYOUTS = 20
DEPTHS = (0, 75_000, 150_000, PLAYERS - 1)

# Most scores are low, few are high, and every fortieth player has the same one.
FIRST_RESULTS = """
SELECT
    first.number,
    CASE
        WHEN first.number % 40 = 0 THEN 50000
        ELSE 300000 * power(first.number * 0.6180339887 % 1, 3)
    END::integer AS gained
FROM generate_series(1, 200000) AS first (number)
"""
# Players from all over the board improve, some of them in more than one epoch.
IMPROVEMENTS = """
SELECT
    (opened.epoch % 1009 * 7919 + improved.turn * 239)::integer % 200000 + 1 AS number,
    improved.turn * 31 % 400 + 1 AS gained
FROM opened, generate_series(1, 833) AS improved (turn)
"""
FOLD = """
WITH opened AS (
    SELECT season.namespace, epoch.open_epoch AS epoch
    FROM seasons_season AS season
    INNER JOIN seasons_epoch AS epoch ON season.id = epoch.season_id
    WHERE season.slug = 'big'
),

result AS ({results}),

folded AS (
    INSERT INTO scores_best AS best (
        namespace, player_id, score, score_version, epoch, change_no, region
    )
    SELECT
        opened.namespace, 'player-' || result.number, result.gained, 1, opened.epoch, 1,
        CASE result.number % 8 WHEN 1 THEN 1 END
    FROM opened, result
    ON CONFLICT (namespace, player_id) DO UPDATE SET
        previous_score = best.score,
        previous_tie_key = best.tie_key,
        previous_epoch = best.epoch,
        score = best.score + excluded.score,
        score_version = best.score_version + 1,
        epoch = excluded.epoch,
        change_no = best.change_no + 1
    RETURNING best.*
),

undone AS (
    INSERT INTO scores_undo (namespace, player_id, from_epoch, to_epoch, score, tie_key)
    SELECT namespace, player_id, previous_epoch, epoch, previous_score, previous_tie_key
    FROM folded
    WHERE previous_epoch < epoch
),

accepted AS (
    INSERT INTO scores_ledger (
        namespace, epoch, kind_group, kind, accepted_at, event_id, match_id, player_id, score,
        score_version, completed_at, outcome, receipt_score, receipt_version,
        visible_in_version, change_no, old_score, new_score, old_tie_key, new_tie_key, row_hash,
        display
    )
    SELECT
        namespace, epoch, 0, 'result', now(), player_id || '-' || change_no, 'match', player_id,
        score, score_version, now(), 'improved', score, score_version,
        epoch, change_no, previous_score, score, previous_tie_key, tie_key, 0,
        CASE change_no WHEN 1 THEN '{{}}' END
    FROM folded
    RETURNING *
)

INSERT INTO scores_tally (
    namespace, epoch, events, changes, entered, left_board, score_delta, hash
)
SELECT
    namespace,
    epoch,
    count(*),
    count(*),
    count(*) FILTER (WHERE old_score IS NULL),
    0,
    sum(new_score - coalesce(old_score, 0)),
    sum(
        hashtextextended(
            player_id || ' ' || change_no, coalesce(old_score, -1) * 4294967296 + new_score
        )::numeric
    )
FROM accepted
GROUP BY namespace, epoch
"""
# What the other live seasons have in common tables: some of it is purged every few seconds.
OTHERS = """
INSERT INTO seasons_seal (season_id, epoch, version, sealed_at)
SELECT id, epoch, epoch, now()
FROM seasons_season, generate_series(1000, 1199) AS epoch WHERE slug LIKE 'other-%';
INSERT INTO scores_tally (
    namespace, epoch, events, changes, entered, left_board, score_delta, hash
)
SELECT namespace, epoch, 0, 0, 0, 0, 0, 0
FROM seasons_season, generate_series(1000, 1199) AS epoch, generate_series(1, 5)
WHERE slug LIKE 'other-%';
INSERT INTO leaderboard_prefix (
    namespace, version, board, slice, above, age, places, gained
)
SELECT
    prefix.namespace, copied.version, prefix.board, prefix.slice, prefix.above, prefix.age,
    prefix.places, prefix.gained
FROM leaderboard_prefix AS prefix
INNER JOIN leaderboard_current AS current_version ON prefix.version = current_version.number
INNER JOIN seasons_season AS season
    ON current_version.season_id = season.id AND prefix.namespace = season.namespace,
    generate_series(1000, 1029) AS copied (version)
"""
# What years leave behind: seasons, tokens, and the numbers of versions that were purged.
YEARS = """
UPDATE seasons_season SET created_at = now() - interval '30 days' WHERE slug = 'big';
INSERT INTO leaderboard_publication (season_id, number, published_at, ledger_rows, ledger_hash)
SELECT id, number, now() - interval '8 days', 0, 0
FROM seasons_season, generate_series(2, 50000) AS number WHERE slug = 'big';
INSERT INTO seasons_season (
    slug, name, starts_at, cutoff_at, grace_seconds, late_policy, score_min, score_max,
    tie_rule, "order", keep, regions, namespace, ledger_namespace, final_version
)
SELECT
    'old-' || number, 'old', now() - interval '2 years', now() - interval '1 year', 60,
    'reject', 0, 1000000, 'shared', 'desc', 'best', '{}', 1000000 + number,
    1000000 + number, 1
FROM generate_series(1, 500) AS number;
INSERT INTO seasons_epoch (season_id, open_epoch)
SELECT id, 2 FROM seasons_season WHERE slug LIKE 'old-%';
INSERT INTO leaderboard_layout (season_id, lower_score, bucket_width, buckets, boundary_sets)
SELECT id, 0, 250, 4001, '{0}' FROM seasons_season WHERE slug LIKE 'old-%';
INSERT INTO leaderboard_version (
    season_id, number, layout_id, first_epoch, ledger_rows, sealed_at, published_at,
    namespace, members, score_sums, ledger_hash, kind
)
SELECT season.id, 1, layout.id, 1, 0, now(), now(), season.namespace, '{0}', '{0}', 0, 'final'
FROM seasons_season AS season
INNER JOIN leaderboard_layout AS layout ON season.id = layout.season_id
WHERE season.slug LIKE 'old-%';
INSERT INTO leaderboard_current (season_id, number, through, as_of)
SELECT id, 1, 1, now() FROM seasons_season WHERE slug LIKE 'old-%';
INSERT INTO scores_profile (player_id, region, profile_version, updated_at)
SELECT 'player-' || number, 'EU', 1, now() FROM generate_series(1, 200000) AS number;
INSERT INTO scores_friends (player_id, friend_ids, friends_version, updated_at)
SELECT
    'player-' || number,
    ARRAY(
        SELECT 'player-' || (number * 17 + friend * 397) % 200000
        FROM generate_series(1, 100) AS friend
        WHERE number != (number * 17 + friend * 397) % 200000
    ),
    1,
    now()
FROM generate_series(1, 2000) AS number;
INSERT INTO scores_servicetoken (name, token_hash, scopes)
SELECT 'token-' || number, 'hash-' || number, '{scores:apply}'
FROM generate_series(1, 2000) AS number
"""
# The second board is one of a region, with boundaries a thousand of its players apart.
BOUNDARIES = """
INSERT INTO leaderboard_boundary (boundary_set, bucket, score, tie_key)
SELECT 1, row_number() OVER (ORDER BY score) - 1, score, 0
FROM (
    SELECT DISTINCT score FROM (
        SELECT score, row_number() OVER (ORDER BY score DESC) AS place
        FROM scores_best
        WHERE region = 1 AND score IS NOT NULL
    ) AS ranked
    WHERE place % 1000 = 0
    UNION ALL
    SELECT 1000000
) AS begun;
UPDATE leaderboard_layout SET boundary_sets = '{0,1}'
FROM seasons_season AS season
WHERE season.id = leaderboard_layout.season_id AND season.slug = 'big'
"""
# What purge lets go of in a while: other seasons have as much, which is none of its business.
LAYOUTS = """
INSERT INTO leaderboard_layout (season_id, lower_score, bucket_width, buckets, boundary_sets)
SELECT id, 0, 0, 0, ARRAY[1000 * id + number]
FROM seasons_season, generate_series(1, 20) AS number
WHERE slug = 'big' OR slug LIKE 'other-%';
INSERT INTO leaderboard_boundary (boundary_set, bucket, score, tie_key)
SELECT 1000 * id + number, 0, 1000000, 0
FROM seasons_season, generate_series(1, 20) AS number
WHERE slug = 'big' OR slug LIKE 'other-%'
"""
PLACE = """
SELECT score, tie_key, player_id FROM scores_best
WHERE namespace = %s AND score IS NOT NULL
ORDER BY (-score), tie_key, player_id LIMIT 1 OFFSET %s
"""
IN_TIE = """
SELECT player_id FROM scores_best WHERE namespace = %s AND score = 50000
ORDER BY player_id LIMIT 1 OFFSET 2000
"""
CHANGED_MOST = """
SELECT player_id FROM scores_undo WHERE namespace = %s
GROUP BY player_id ORDER BY count(*) DESC, player_id LIMIT 1
"""
VERSIONS = "SELECT number FROM leaderboard_version WHERE season_id = %s AND number > 1 ORDER BY 1"
EPOCHS_SINCE = """
SELECT sealed_epoch, open_epoch FROM seasons_epoch WHERE season_id = %s
"""
# Autovacuum leaves the partitions of small seasons alone.
TABLES = """
SELECT pg_class.oid::regclass::text
FROM pg_class
INNER JOIN seasons_season ON slug = 'big'
WHERE
    relkind = 'r'
    AND relname ~ '^(seasons|scores|leaderboard)_'
    AND (relname !~ '_n[0-9]+$' OR relname ~ ('_n' || namespace || '$'))
"""


class BigSeason(NamedTuple):
    """The season, with 120 published epochs, one that is only sealed, and one that is open."""

    season: Published
    versions: list[int]
    sealed_epoch: int
    open_epoch: int
    in_tie: str
    changed_most: str
    places: dict[int, Place]

    @property
    def current(self) -> int:
        return self.season.current

    @property
    def oldest(self) -> int:
        return self.versions[0]

    @property
    def first(self) -> str:
        return self.places[DEPTHS[0]].player_id

    @property
    def last(self) -> str:
        return self.places[DEPTHS[-1]].player_id


def load(database: str) -> BigSeason:
    """Make the season and the others; what is known of its tables dates from its middle."""
    with connect(database) as connection:
        for number in range(OTHER_SEASONS):
            make_season(f"other-{number}")
            board(f"other-{number}", ann=number, bob=7, cid=500_000)
        connection.execute(OTHERS)
        season_id = make_season(SLUG).id
        connection.execute(YEARS)
        connection.execute(YEARS_OF_ADMIN)
        connection.execute(YEARS_OF_SERIES)
        seal_and_publish(season_id)
        connection.execute(FOLD.format(results=FIRST_RESULTS))
        seal_and_publish(season_id)
        _publish_changes(connection, season_id, EPOCHS // 2)
        know_all_tables(connection)
        _publish_changes(connection, season_id, EPOCHS // 2)
        connection.execute(FOLD.format(results=IMPROVEMENTS))
        seal_epoch(season_id)
        connection.execute(FOLD.format(results=IMPROVEMENTS))
        connection.execute(BOUNDARIES)
        connection.execute(LAYOUTS)
        return _found(connection, published(SLUG))


def _publish_changes(connection: "psycopg.Connection[Any]", season_id: int, epochs: int) -> None:
    for _ in range(epochs):
        connection.execute(FOLD.format(results=IMPROVEMENTS))
        assert seal_and_publish(season_id).changes == CHANGES


def know_all_tables(connection: "psycopg.Connection[Any]") -> None:
    """Look at all tables that are large or shared, and let nobody else do so later."""
    for (table,) in connection.execute(TABLES).fetchall():
        connection.execute(f"ALTER TABLE {table} SET (autovacuum_enabled = off)")
        connection.execute(f"VACUUM ANALYZE {table}")


def young(database: str, slug: str) -> BigSeason:
    """Return a season of three players and one version, as if all its places were the first."""
    with connect(database) as connection:
        season = published(slug)
        (row,) = connection.execute(PLACE, [season.namespace, 0]).fetchall()
        (epochs,) = connection.execute(EPOCHS_SINCE, [season.season_id]).fetchall()
    return BigSeason(
        season,
        [season.current] * (EPOCHS + 1),
        sealed_epoch=epochs[1],
        open_epoch=epochs[1] + 1,
        in_tie="ann",
        changed_most="ann",
        places=dict.fromkeys(DEPTHS, Place(*row)),
    )


def _found(connection: "psycopg.Connection[Any]", season: Published) -> BigSeason:
    def rows(query: str, *params: Any) -> list[Any]:
        return connection.execute(query, params).fetchall()

    sealed, opened = rows(EPOCHS_SINCE, season.season_id)[0]
    return BigSeason(
        season,
        [number for (number,) in rows(VERSIONS, season.season_id)],
        sealed,
        opened,
        in_tie=rows(IN_TIE, season.namespace)[0][0],
        changed_most=rows(CHANGED_MOST, season.namespace)[0][0],
        places={depth: Place(*rows(PLACE, season.namespace, depth)[0]) for depth in DEPTHS},
    )
