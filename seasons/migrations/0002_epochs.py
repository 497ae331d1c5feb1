"""The open epoch and the seals of each season, in SQL."""

from django.db import migrations

from config.scripts import RunScript

UP = """
-- A generic plan or a compiled one over many partitions costs more than the look-up itself.
ALTER ROLE CURRENT_USER SET jit = off;

CREATE SEQUENCE seasons_namespace AS integer;

-- One short row a season, rewritten every second: room on the page keeps it there (HOT).
CREATE TABLE seasons_epoch (
    season_id bigint PRIMARY KEY,
    sealed_epoch bigint,
    open_epoch bigint NOT NULL,
    CONSTRAINT epoch_grows CHECK (sealed_epoch < open_epoch)
) WITH (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0);

CREATE TABLE seasons_seal (
    season_id bigint NOT NULL,
    epoch bigint NOT NULL,
    version bigint NOT NULL,
    sealed_at timestamptz NOT NULL,
    CONSTRAINT seal_once_per_epoch PRIMARY KEY (season_id, epoch),
    CONSTRAINT seal_ends_its_epoch CHECK (version >= epoch)
);
"""

DOWN = """
DROP TABLE seasons_seal;
DROP TABLE seasons_epoch;
DROP SEQUENCE seasons_namespace;
"""


class Migration(migrations.Migration):
    dependencies = [("seasons", "0001_initial")]
    operations = [RunScript(UP, DOWN)]
