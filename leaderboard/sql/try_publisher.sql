-- Takes the publisher's lock of a season if it is free, until the transaction ends.
-- Always one row; false: another publication is under way.
SELECT pg_try_advisory_xact_lock(2, %(season_id)s) AS locked;
