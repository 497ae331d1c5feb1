-- Compares the bests of the players asked for with what their ledger folds to now, both by
-- this statement's snapshot, and what they showed at the version with what is expected of it.
-- Zero rows: they agree. Indexes best_once_per_player, undo_once_per_epoch. All of them are
-- folded once: as the inner side of a loop the fold would be made for each.
WITH folded_now AS MATERIALIZED (
    SELECT folded.*
    FROM proof_folded AS folded
)

SELECT
    compared.player_id AS place,
    string_agg(compared.member || ' ' || coalesce(compared.expected, 'none'), ', ')
        AS expected,
    string_agg(compared.member || ' ' || coalesce(compared.found, 'none'), ', ') AS found,
    count(*) OVER () AS differing
FROM (
    SELECT
        asked.player_id,
        member.member,
        member.expected,
        member.found
    FROM proof_asked AS asked
    LEFT JOIN LATERAL (
        SELECT stored.*
        FROM scores_best AS stored
        WHERE stored.namespace = %(namespace)s AND stored.player_id = asked.player_id
        LIMIT 1
    ) AS best ON TRUE
    LEFT JOIN LATERAL (
        SELECT
            undo.score,
            undo.tie_key,
            undo.region
        FROM scores_undo AS undo
        WHERE
            undo.namespace = %(namespace)s
            AND undo.player_id = asked.player_id
            AND undo.from_epoch <= %(version)s
            AND undo.to_epoch > %(version)s
        LIMIT 1
    ) AS undone ON best.epoch > %(version)s
    LEFT JOIN proof_player AS player ON asked.player_id = player.player_id
    LEFT JOIN folded_now AS folded ON asked.player_id = folded.player_id
    CROSS JOIN
        LATERAL (
            VALUES
            (
                'score at the version',
                player.score::text,
                CASE WHEN best.epoch <= %(version)s THEN best.score ELSE undone.score END::text
            ),
            (
                'tie key at the version',
                CASE WHEN player.score IS NOT NULL THEN player.tie_key END::text,
                CASE
                    WHEN best.epoch > %(version)s THEN undone.tie_key
                    WHEN best.score IS NOT NULL THEN best.tie_key
                END::text
            ),
            (
                'region at the version',
                CASE WHEN player.score IS NOT NULL THEN player.region END::text,
                CASE
                    WHEN best.epoch > %(version)s THEN undone.region
                    WHEN best.score IS NOT NULL THEN best.region
                END::text
            ),
            ('score', folded.score::text, best.score::text),
            ('hidden score', folded.hidden_score::text, best.hidden_score::text),
            ('removed', folded.removed::text, best.removed::text),
            ('tie key', folded.tie_key::text, best.tie_key::text),
            ('hidden tie key', folded.hidden_tie_key::text, best.hidden_tie_key::text),
            ('region', folded.region::text, best.region::text),
            ('score version', folded.score_version::text, best.score_version::text),
            ('revision', folded.revision::text, best.revision::text),
            ('epoch', folded.epoch::text, best.epoch::text),
            ('change', folded.change_no::text, best.change_no::text)
        ) AS member (member, expected, found)
    WHERE member.expected IS DISTINCT FROM member.found
) AS compared
GROUP BY compared.player_id
ORDER BY compared.player_id
LIMIT %(most)s;
