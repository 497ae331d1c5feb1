-- Reads the changes after a position up to the current version, in order of version and, for
-- a player, of application (ids follow it). The version of a change is the first published
-- one that includes its epoch.
-- Zero rows: nothing was published after the position. Indexes ledger_in_epoch_order and
-- publication_once_per_number.
SELECT
    ledger.epoch,
    ledger.id,
    ledger.player_id,
    ledger.old_score,
    ledger.new_score,
    ledger.score_version,
    ledger.event_id,
    ledger.kind,
    ledger.new_region AS region,
    ledger.accepted_at,
    published.number AS version
FROM scores_ledger AS ledger
CROSS JOIN
    LATERAL (
        SELECT publication.number
        FROM leaderboard_publication AS publication
        WHERE
            publication.season_id = %(season_id)s
            AND publication.number >= ledger.epoch
        ORDER BY publication.number
        LIMIT 1
    ) AS published
WHERE
    ledger.namespace = %(namespace)s
    AND (ledger.epoch, ledger.id) > (%(epoch)s::bigint, %(id)s::bigint)
    AND ledger.epoch <= %(current)s
    AND ledger.visible_in_version IS NOT NULL
    AND (
        %(partitions)s = 1
        OR mod(
            get_byte(sha256(convert_to(ledger.player_id, 'UTF8')), 0) * 65536
            + get_byte(sha256(convert_to(ledger.player_id, 'UTF8')), 1) * 256
            + get_byte(sha256(convert_to(ledger.player_id, 'UTF8')), 2),
            %(partitions)s
        ) = %(partition)s
    )
ORDER BY ledger.epoch, ledger.id
LIMIT %(limit)s;
