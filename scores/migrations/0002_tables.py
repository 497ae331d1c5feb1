"""Ledger, bests and undo, partitioned by namespace, tallies of batches, profiles, friends."""

from django.db import migrations

from config.scripts import RunScript

UP = """
CREATE SEQUENCE scores_ledger_id AS bigint;
CREATE SEQUENCE scores_tally_id AS bigint;

CREATE TABLE scores_ledger (
    id bigint NOT NULL DEFAULT nextval('scores_ledger_id'),
    epoch bigint NOT NULL,
    score_version bigint NOT NULL,
    accepted_at timestamptz NOT NULL,
    completed_at timestamptz,
    achieved_at timestamptz,
    receipt_version bigint,
    visible_in_version bigint,
    change_no bigint,
    old_tie_key bigint,
    new_tie_key bigint,
    row_hash bigint NOT NULL,
    namespace integer NOT NULL,
    score integer,
    revision integer NOT NULL DEFAULT 0,
    receipt_score integer,
    old_score integer,
    new_score integer,
    kind_group smallint NOT NULL,
    old_region smallint,
    new_region smallint,
    keeps_time boolean NOT NULL DEFAULT false,
    event_id text COLLATE "C" NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    outcome text NOT NULL,
    match_id text,
    void_event_id text,
    corrects_event_id text,
    reason text,
    evidence text,
    approved_by text,
    display text,
    moved_to text,
    CONSTRAINT ledger_kind CHECK (
        (kind_group = 0 AND kind IN ('result', 'correction', 'void'))
        OR (kind_group = 1 AND kind IN ('region', 'release', 'refusal', 'correction', 'void'))
    ),
    CONSTRAINT ledger_outcome CHECK (outcome IN (
        'improved', 'not_improved', 'stale_version', 'corrected', 'moved',
        'before_start', 'late_rejected', 'late_held', 'late_moved'
    )),
    CONSTRAINT ledger_visible_in_its_epoch CHECK (visible_in_version = epoch),
    CONSTRAINT ledger_shows_only_changes CHECK (
        visible_in_version IS NULL OR change_no IS NOT NULL
    )
) PARTITION BY LIST (namespace);

-- Of two indexes that look equally good for a table that is small yet, the planner takes the
-- younger. So the index that finds one row comes last, here and below.
CREATE INDEX held_in_order ON scores_ledger (namespace, id) WHERE outcome = 'late_held';
CREATE INDEX ledger_in_epoch_order ON scores_ledger (namespace, epoch, id);
ALTER TABLE scores_ledger
ADD CONSTRAINT change_once_per_player UNIQUE (namespace, player_id, change_no),
ADD CONSTRAINT event_once_per_season UNIQUE (namespace, kind_group, event_id);
CREATE INDEX display_in_order ON scores_ledger (namespace, player_id, score, outcome, change_no)
WHERE display IS NOT NULL AND change_no IS NOT NULL;

CREATE TABLE scores_best (
    score_version bigint NOT NULL,
    epoch bigint NOT NULL,
    change_no bigint NOT NULL,
    tie_key bigint NOT NULL DEFAULT 0,
    hidden_tie_key bigint,
    previous_epoch bigint,
    previous_tie_key bigint,
    namespace integer NOT NULL,
    score integer,
    revision integer NOT NULL DEFAULT 0,
    hidden_score integer,
    previous_score integer,
    previous_hidden_score integer,
    region smallint,
    previous_region smallint,
    removed boolean NOT NULL DEFAULT false,
    player_id text COLLATE "C" NOT NULL,
    CONSTRAINT best_once_per_player PRIMARY KEY (namespace, player_id),
    CONSTRAINT best_hidden_only_while_removed CHECK (hidden_score IS NULL OR removed),
    CONSTRAINT best_not_shown_while_removed CHECK (score IS NULL OR NOT removed)
) PARTITION BY LIST (namespace);

CREATE INDEX best_in_rank_order
ON scores_best (namespace, (-score), tie_key, player_id) WHERE score IS NOT NULL;

CREATE INDEX best_in_region_order
ON scores_best (namespace, region, (-score), tie_key, player_id)
WHERE score IS NOT NULL AND region IS NOT NULL;

CREATE TABLE scores_undo (
    from_epoch bigint NOT NULL,
    to_epoch bigint NOT NULL,
    tie_key bigint NOT NULL,
    namespace integer NOT NULL,
    score integer NOT NULL,
    region smallint,
    player_id text COLLATE "C" NOT NULL,
    CONSTRAINT undo_spans_an_epoch CHECK (from_epoch < to_epoch)
) PARTITION BY LIST (namespace);

CREATE INDEX undo_in_rank_order
ON scores_undo (namespace, to_epoch, (-score), tie_key, player_id);
ALTER TABLE scores_undo
ADD CONSTRAINT undo_once_per_epoch PRIMARY KEY (namespace, player_id, to_epoch);

CREATE TABLE scores_tally (
    id bigint PRIMARY KEY DEFAULT nextval('scores_tally_id'),
    epoch bigint NOT NULL,
    score_delta bigint NOT NULL,
    namespace integer NOT NULL,
    events integer NOT NULL,
    changes integer NOT NULL,
    entered integer NOT NULL,
    left_board integer NOT NULL,
    hash numeric(40, 0) NOT NULL
);

CREATE INDEX tally_in_epoch_order ON scores_tally (namespace, epoch);

CREATE TABLE scores_profile (
    profile_version bigint NOT NULL DEFAULT 0,
    updated_at timestamptz,
    player_id text COLLATE "C" NOT NULL,
    region text,
    CONSTRAINT profile_once_per_player PRIMARY KEY (player_id),
    CONSTRAINT profile_is_empty_until_written CHECK (
        profile_version > 0 AND updated_at IS NOT NULL
        OR profile_version = 0 AND updated_at IS NULL AND region IS NULL
    )
) WITH (fillfactor = 90);

CREATE TABLE scores_friends (
    friends_version bigint NOT NULL,
    updated_at timestamptz NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    friend_ids text [] COLLATE "C" NOT NULL,
    CONSTRAINT friends_once_per_player PRIMARY KEY (player_id),
    CONSTRAINT friends_are_bounded CHECK (cardinality(friend_ids) <= 500),
    CONSTRAINT friends_do_not_name_the_player CHECK (player_id <> ALL (friend_ids))
);

CREATE FUNCTION scores_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: what was accepted stays as it is', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE ON scores_ledger
FOR EACH ROW EXECUTE FUNCTION scores_refuse_change();
CREATE TRIGGER ledger_is_never_truncated BEFORE TRUNCATE ON scores_ledger
FOR EACH STATEMENT EXECUTE FUNCTION scores_refuse_change();
CREATE TRIGGER best_is_never_truncated BEFORE TRUNCATE ON scores_best
FOR EACH STATEMENT EXECUTE FUNCTION scores_refuse_change();
"""

DOWN = """
DROP TABLE scores_friends;
DROP TABLE scores_profile;
DROP TABLE scores_tally;
DROP TABLE scores_undo;
DROP TABLE scores_best;
DROP TABLE scores_ledger;
DROP FUNCTION scores_refuse_change;
DROP SEQUENCE scores_tally_id;
DROP SEQUENCE scores_ledger_id;
"""


class Migration(migrations.Migration):
    dependencies = [("scores", "0001_initial"), ("seasons", "0002_epochs")]
    operations = [RunScript(UP, DOWN)]
