-- Deletes the seals of a range of epochs. Primary key seal_once_per_epoch.
DELETE FROM seasons_seal
WHERE
    season_id = %(season_id)s
    AND epoch > %(after_epoch)s
    AND epoch <= %(to_epoch)s;
