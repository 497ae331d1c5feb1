-- Deletes versions of a namespace with their prefixes and tops, by their numbers.
-- Zero rows: it has none of them.
WITH prefixes AS (
    DELETE FROM leaderboard_prefix
    WHERE namespace = %(namespace)s AND version = any(%(numbers)s::bigint[])
),

tops AS (
    DELETE FROM leaderboard_top
    WHERE namespace = %(namespace)s AND version = any(%(numbers)s::bigint[])
)

DELETE FROM leaderboard_version
WHERE namespace = %(namespace)s AND number = any(%(numbers)s::bigint[]);
