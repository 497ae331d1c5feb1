-- Makes the list of players who are folded anew. It is the transaction's own.
CREATE TEMPORARY TABLE scores_rebuild_changed (
    player_id text COLLATE "C" PRIMARY KEY,
    decided boolean NOT NULL
) ON COMMIT DROP;
