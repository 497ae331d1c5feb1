-- Finds the rows of the ledger, of the players asked for, whose content has another hash than
-- they were written with. Zero rows: there are none. Index change_once_per_player.
SELECT
    altered.player_id AS place,
    format('event %%s with hash %%s', altered.event_id, altered.row_hash) AS expected,
    format('score %%s, with hash %%s', altered.score, altered.hash) AS found,
    count(*) OVER () AS differing
FROM proof_asked AS asked
CROSS JOIN
    LATERAL (
        SELECT hashed.*
        FROM proof_hashed AS hashed
        WHERE hashed.player_id = asked.player_id
        ORDER BY hashed.change_no
    ) AS altered
WHERE altered.row_hash <> altered.hash
ORDER BY altered.player_id
LIMIT %(most)s;
