-- Deletes tallies that were compared with the ledger. Index tally_in_epoch_order.
DELETE FROM scores_tally
WHERE namespace = %(namespace)s AND epoch <= %(through)s;
