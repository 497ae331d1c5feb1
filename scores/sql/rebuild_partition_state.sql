-- Reads how a namespace's table stands to its parent. Zero rows: there is no such table.
-- Reads the catalogue only.
SELECT
    inherited.inhparent IS NOT NULL AS attached,
    coalesce(inherited.inhdetachpending, FALSE) AS pending
FROM pg_class AS made
LEFT JOIN pg_inherits AS inherited ON made.oid = inherited.inhrelid
WHERE made.oid = to_regclass(%(name)s::text);
