-- Gives the versions of a new namespace the kind and the end that they have in the one that it
-- replaces: a season may have become final meanwhile. Zero rows: they have them already.
UPDATE leaderboard_version AS made
SET
    kind = replaced.kind,
    replaced_at = replaced.replaced_at
FROM leaderboard_version AS replaced
WHERE
    made.namespace = %(namespace)s
    AND replaced.namespace = %(other_namespace)s
    AND made.number = replaced.number
    AND (made.kind, made.replaced_at) IS DISTINCT FROM (replaced.kind, replaced.replaced_at);
