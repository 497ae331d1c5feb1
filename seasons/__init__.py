"""When one may play, and by which rules: seasons and their epochs."""
