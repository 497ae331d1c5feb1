-- Deletes what bests showed before the oldest version that can be read.
-- What was older than the oldest version of before is gone already: a range with both its
-- ends is read by the index undo_in_rank_order, however little is known of the table.
DELETE FROM scores_undo
WHERE
    namespace = %(namespace)s
    AND to_epoch > %(oldest_before)s
    AND to_epoch <= %(oldest)s;
