-- Finds the rank of a player whose best is as it was at a version: nearly every one. The
-- prefixes of a version are there as long as its row is.
-- Zero rows: the version is not here, or the best has changed since, or there is none. What
-- is true then is answered by rank_of_player, which costs half as much again.
-- Three index look-ups, in this order however small the tables were when it was planned:
-- best_once_per_player, prefix_once_per_version, bucket_once_per_version. The bucket's row is
-- found by its whole key: to look for the newest would read every version in the index.
SELECT
    best.score,
    best.tie_key,
    1
    + leaderboard_count_at(
        prefix.above, mod((best.score - %(lower_score)s) / %(bucket_width)s, 32)
    )
    + leaderboard_above_at(
        bucket.above, bucket.members, mod(best.score - %(lower_score)s, %(bucket_width)s)
    )
    + leaderboard_gained_at(
        prefix.places,
        prefix.gained,
        mod(best.score - %(lower_score)s, 32 * %(bucket_width)s)
    ) AS rank,
    best.epoch,
    best.score_version
FROM scores_best AS best
CROSS JOIN
    LATERAL (
        SELECT
            stored.above,
            stored.age,
            stored.places,
            stored.gained
        FROM leaderboard_prefix AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.version = %(version)s
            AND stored.board = %(board)s
            AND stored.slice = (best.score - %(lower_score)s) / (32 * %(bucket_width)s)
        LIMIT 1
    ) AS prefix
CROSS JOIN
    LATERAL (
        SELECT
            stored.above,
            stored.members
        FROM leaderboard_bucket AS stored
        WHERE
            stored.namespace = %(namespace)s
            AND stored.board = %(board)s
            AND stored.bucket = (best.score - %(lower_score)s) / %(bucket_width)s
            AND stored.version = %(version)s - leaderboard_count_at(
                prefix.age, mod((best.score - %(lower_score)s) / %(bucket_width)s, 32)
            )
        LIMIT 1
    ) AS bucket
WHERE
    best.namespace = %(namespace)s
    AND best.player_id = %(player_id)s
    AND best.epoch <= %(version)s
    AND (%(board)s = 0 OR best.region = %(board)s);
