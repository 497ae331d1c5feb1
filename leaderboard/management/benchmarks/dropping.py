"""The end of the benchmark's database: whatever is in it goes, and the disk is free again."""

from config import db

DROP_ALL = "DROP SCHEMA public CASCADE; CREATE SCHEMA public"
# The files of what was dropped go with the next checkpoint.
CHECKPOINT = "CHECKPOINT"


def drop_all() -> None:
    """Drop every table; the next run begins with an empty database."""
    db.run_script(DROP_ALL)
    db.run_script(CHECKPOINT)
