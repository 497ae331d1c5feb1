-- Drops a table that is no partition of scores_ledger any more, or never became one.
DROP TABLE scores_ledger_n%(namespace)s;
