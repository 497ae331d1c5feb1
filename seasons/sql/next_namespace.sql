-- Takes the next namespace number. Always one row. Numbers are never given twice.
SELECT nextval('seasons_namespace') AS namespace;
