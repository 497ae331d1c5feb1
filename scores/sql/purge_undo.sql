-- Deletes what bests showed before the oldest version that can be read.
-- Index undo_in_rank_order.
DELETE FROM scores_undo
WHERE namespace = %(namespace)s AND to_epoch <= %(oldest)s;
