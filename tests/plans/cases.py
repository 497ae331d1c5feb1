"""All statements that are looked at, and what their files say of indexes."""

import re
from pathlib import Path

from tests.plans.cases_of_admin import ADMIN_READS, ADMIN_WRITES
from tests.plans.cases_of_publication import PUBLICATION
from tests.plans.cases_of_reads import READS
from tests.plans.cases_of_series import SERIES_READS, SERIES_WRITES
from tests.plans.cases_of_writes import WRITES

APPS = ("seasons", "scores", "leaderboard")
FILES = [path for app in APPS for path in (Path(__file__).parents[2] / app / "sql").glob("*.sql")]
INDEX = re.compile(r"\b[a-z_]+_(?:(?:once|in)_[a-z_]+|p?key)\b")
ALIASES = {
    "reads": {**READS, **ADMIN_READS, **SERIES_READS},
    "default": {**PUBLICATION, **WRITES, **ADMIN_WRITES, **SERIES_WRITES},
}


# A row for each season that stands still, for each lease on a version, for each series, or for
# each of its rules.
SMALL = {"leaderboard_stop", "leaderboard_lease", "seasons_series", "seasons_windowrule"}


def indexes_named_by(statement: str) -> set[str]:
    """Return the indexes that the comment of a statement's file names."""
    texts = [path.read_text("utf-8") for path in FILES if path.stem == statement]
    return set(INDEX.findall(" ".join(re.findall(r"--(.*)", "\n".join(texts)))))
