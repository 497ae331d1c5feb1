-- Reads the seals that no version includes yet, oldest first, a bounded number at once.
-- Zero rows: nothing was sealed since. Index seal_once_per_epoch.
SELECT
    seal.epoch,
    seal.version,
    seal.sealed_at
FROM seasons_seal AS seal
WHERE seal.season_id = %(season_id)s AND seal.epoch > %(through)s
ORDER BY seal.epoch
LIMIT %(most)s;
