-- Takes the next so many ids of the ledger. Always one row: the first of them.
SELECT setval('scores_ledger_id', nextval('scores_ledger_id') + %(rows)s) - %(rows)s AS first_id;
