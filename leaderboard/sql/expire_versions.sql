-- Deletes versions that were replaced longer ago than they are kept, with tops and prefixes.
-- Final and corrected versions stay, and those that somebody holds a lease on.
-- Indexes version_once_per_namespace, prefix_once_per_version, top_once_per_version, by arrays
-- of numbers: a join would read the prefixes of all versions of all seasons.
-- Zero rows: nothing expired. Locks the deleted rows until the transaction ends; whoever
-- reads them by an older snapshot goes on.
WITH expired AS (
    DELETE FROM leaderboard_version
    WHERE
        namespace = %(namespace)s
        AND number = any(array(
            SELECT version.number
            FROM leaderboard_version AS version
            WHERE
                version.namespace = %(namespace)s
                AND version.kind = 'regular'
                AND version.replaced_at
                < clock_timestamp() - make_interval(secs => %(kept_seconds)s)
                AND NOT EXISTS (
                    SELECT FROM leaderboard_lease AS lease
                    WHERE
                        lease.season_id = %(season_id)s
                        AND lease.version = version.number
                        AND lease.expires_at > clock_timestamp()
                )
            ORDER BY version.number
            LIMIT %(most)s
        ))
    RETURNING number
),

prefixes AS (
    DELETE FROM leaderboard_prefix
    WHERE
        namespace = %(namespace)s
        AND version = any(array(SELECT expired.number FROM expired))
),

tops AS (
    DELETE FROM leaderboard_top
    WHERE
        namespace = %(namespace)s
        AND version = any(array(SELECT expired.number FROM expired))
)

SELECT expired.number
FROM expired;
