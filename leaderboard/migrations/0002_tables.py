"""Versions, and the buckets, prefixes and top lists that ranks are read from."""

from django.db import migrations

from config.scripts import RunScript

UP = """
CREATE SEQUENCE leaderboard_version_id AS bigint;

CREATE TABLE leaderboard_version (
    id bigint PRIMARY KEY DEFAULT nextval('leaderboard_version_id'),
    season_id bigint NOT NULL,
    number bigint NOT NULL,
    layout_id bigint NOT NULL,
    first_epoch bigint NOT NULL,
    ledger_rows bigint NOT NULL,
    sealed_at timestamptz NOT NULL,
    published_at timestamptz NOT NULL,
    replaced_at timestamptz,
    namespace integer NOT NULL,
    members integer[] NOT NULL,
    score_sums bigint[] NOT NULL,
    ledger_hash numeric(40, 0) NOT NULL,
    kind text NOT NULL DEFAULT 'regular',
    CONSTRAINT version_once_per_namespace UNIQUE (namespace, number),
    CONSTRAINT version_kind CHECK (kind IN ('regular', 'final', 'corrected')),
    CONSTRAINT version_counts_players CHECK (0 <= ALL (members))
) WITH (fillfactor = 70);

CREATE INDEX version_in_layout_order ON leaderboard_version (layout_id);

CREATE TABLE leaderboard_current (
    season_id bigint PRIMARY KEY,
    number bigint NOT NULL,
    through bigint NOT NULL,
    as_of timestamptz NOT NULL,
    sampled_bucket integer NOT NULL DEFAULT 0,
    ledger_rows bigint NOT NULL DEFAULT 0,
    ledger_hash numeric(40, 0) NOT NULL DEFAULT 0,
    CONSTRAINT current_is_sealed CHECK (number <= through)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);

-- The numbers that were published, kept longer than the versions: `changes` goes by them.
CREATE TABLE leaderboard_publication (
    season_id bigint NOT NULL,
    number bigint NOT NULL,
    published_at timestamptz NOT NULL,
    ledger_rows bigint NOT NULL,
    ledger_hash numeric(40, 0) NOT NULL,
    CONSTRAINT publication_once_per_number PRIMARY KEY (season_id, number)
);

-- For each score of a bucket, how many of the bucket's players stand higher: 16 bits each, or
-- 32 in a bucket with more players than 16 bits count; nothing in one without players, which
-- reads as 0. Short enough to lie in the row, so that a rank reads one tuple.
CREATE TABLE leaderboard_bucket (
    version bigint NOT NULL,
    namespace integer NOT NULL,
    bucket integer NOT NULL,
    members integer NOT NULL,
    board smallint NOT NULL,
    above bit varying NOT NULL,
    CONSTRAINT bucket_counts_players CHECK (members >= 0)
) PARTITION BY LIST (namespace);

ALTER TABLE leaderboard_bucket ALTER COLUMN above SET STORAGE PLAIN;

-- The planner takes the younger of two indexes that look equally good for a table that is
-- small yet: the one that finds a bucket, not the one that serves the purge.
CREATE INDEX bucket_in_version_order
ON leaderboard_bucket (namespace, version, board, bucket);
ALTER TABLE leaderboard_bucket
ADD CONSTRAINT bucket_once_per_version PRIMARY KEY (namespace, board, bucket, version);

CREATE SEQUENCE leaderboard_boundary_set AS bigint;

-- Where each bucket of an ordered board begins: its best key. The lowest bucket is number 0.
CREATE TABLE leaderboard_boundary (
    boundary_set bigint NOT NULL,
    tie_key bigint NOT NULL,
    bucket integer NOT NULL,
    score integer NOT NULL,
    CONSTRAINT boundary_once_per_bucket PRIMARY KEY (boundary_set, bucket)
);

CREATE UNIQUE INDEX boundary_in_rank_order
ON leaderboard_boundary (boundary_set, (-score), tie_key) INCLUDE (bucket);

-- For each bucket of a slice, how many players stand in higher buckets, and how far below
-- this version's number that of the bucket's newest row lies: 32 bits each. And what buckets
-- gained since these rows were written, 16 bits each, with 32,768 added: first nothing, then from
-- each place of the slice to before the next one how many more of the bucket's players than its
-- row says stand above. The buckets of ordered boards have no rows, and so neither age nor gains.
-- A row lies in its page whole.
CREATE TABLE leaderboard_prefix (
    version bigint NOT NULL,
    namespace integer NOT NULL,
    board smallint NOT NULL,
    slice integer NOT NULL,
    above bit varying NOT NULL,
    age bit varying,
    places smallint [],
    gained bit varying,
    CONSTRAINT prefix_once_per_version PRIMARY KEY (namespace, version, board, slice)
) WITH (
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_cost_delay = 0
);

ALTER TABLE leaderboard_prefix
ALTER COLUMN above SET STORAGE PLAIN,
ALTER COLUMN age SET STORAGE PLAIN,
ALTER COLUMN places SET STORAGE PLAIN,
ALTER COLUMN gained SET STORAGE PLAIN;

-- An expression that the planner writes into the statement that calls it.
CREATE FUNCTION leaderboard_count_at(counts bit varying, place integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(counts FROM place * 32 + 1 FOR 32)::integer;

-- How many of a bucket's players stand above one of its scores, the lowest being number 0.
CREATE FUNCTION leaderboard_above_at(above bit varying, members integer, place integer)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN members > 65535 THEN substring(above FROM place * 32 + 1 FOR 32)::integer
    ELSE substring(above FROM place * 16 + 1 FOR 16)::integer
END;

-- How many more of a bucket's players than its row says stand above one of its scores, the lowest
-- of the slice being place 0. Behind all scores each bucket has a place: how many it gained.
CREATE FUNCTION leaderboard_gained_at(places smallint [], gained bit varying, place integer)
RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substring(gained FROM width_bucket(place::smallint, places) * 16 + 1 FOR 16)::integer - 32768;

CREATE TABLE leaderboard_top (
    version bigint NOT NULL,
    namespace integer NOT NULL,
    board smallint NOT NULL,
    player_ids text [] COLLATE "C" NOT NULL,
    scores integer [] NOT NULL,
    tie_keys bigint [] NOT NULL,
    ranks integer [] NOT NULL,
    CONSTRAINT top_once_per_version PRIMARY KEY (namespace, version, board)
);
"""

DOWN = """
DROP FUNCTION leaderboard_gained_at;
DROP FUNCTION leaderboard_above_at;
DROP FUNCTION leaderboard_count_at;
DROP TABLE leaderboard_top;
DROP TABLE leaderboard_prefix;
DROP TABLE leaderboard_boundary;
DROP SEQUENCE leaderboard_boundary_set;
DROP TABLE leaderboard_bucket;
DROP TABLE leaderboard_publication;
DROP TABLE leaderboard_current;
DROP TABLE leaderboard_version;
DROP SEQUENCE leaderboard_version_id;
"""


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_initial"), ("scores", "0002_tables")]
    operations = [RunScript(UP, DOWN)]
