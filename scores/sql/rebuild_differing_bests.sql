-- Finds listed players whose bests in two namespaces differ, the first ten; a player who has
-- been written to since the list was made is in the next one.
-- Zero rows: they agree.
SELECT changed.player_id
FROM scores_rebuild_changed AS changed
LEFT JOIN scores_best AS made
    ON
        made.namespace = %(namespace)s
        AND changed.player_id = made.player_id
LEFT JOIN scores_best AS replaced
    ON
        replaced.namespace = %(other_namespace)s
        AND changed.player_id = replaced.player_id
WHERE
    (replaced.change_no IS NULL OR made.change_no IS NULL OR replaced.change_no <= made.change_no)
    AND row(
        made.score, made.hidden_score, made.removed, made.tie_key, made.hidden_tie_key,
        made.region, made.score_version, made.revision, made.epoch, made.change_no
    ) IS DISTINCT FROM row(
        replaced.score, replaced.hidden_score, replaced.removed, replaced.tie_key,
        replaced.hidden_tie_key, replaced.region, replaced.score_version, replaced.revision,
        replaced.epoch, replaced.change_no
    )
ORDER BY changed.player_id
LIMIT 10;
