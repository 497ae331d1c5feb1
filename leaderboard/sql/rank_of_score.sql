-- Counts the players above a score and on it, on a board at a version, whoever has it, by the
-- part that fits the board's kind.
-- Zero rows: the version is not here. No counts: what they are counted from is lost.
-- Index look-ups only: version_once_per_namespace, prefix_once_per_version,
-- bucket_once_per_version.
SELECT
    version.number,
    version.sealed_at,
    version.replaced_at,
    version.members,
    %(board_present)s AS boards_present,
    placed.above,
    placed.tied
FROM leaderboard_version AS version
LEFT JOIN LATERAL %(place_of_score)s AS placed ON TRUE
WHERE
    version.namespace = %(namespace)s
    AND version.number = %(version)s;
