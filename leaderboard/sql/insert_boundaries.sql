-- Writes a set of boundaries, lowest bucket first.
INSERT INTO leaderboard_boundary (boundary_set, bucket, score, tie_key)
SELECT
    %(boundary_set)s,
    begun.place - 1,
    begun.score,
    begun.tie_key
FROM unnest(
    %(scores)s::integer[], %(tie_keys)s::bigint[]
) WITH ORDINALITY AS begun (score, tie_key, place);
