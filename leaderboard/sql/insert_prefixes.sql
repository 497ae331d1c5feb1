-- Writes the prefixes of a board at a version, a row a slice, lowest buckets first.
INSERT INTO leaderboard_prefix (season_id, version, board, slice, above)
SELECT
    %(season_id)s,
    %(version)s,
    %(board)s,
    stored.slice - 1,
    stored.above
FROM unnest(%(above)s::bytea[]) WITH ORDINALITY AS stored (above, slice);
