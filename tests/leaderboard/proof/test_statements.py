"""The contract of a proof's `.sql` files: they write work tables only, and nobody else's."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROOF = ROOT / "leaderboard" / "proof"
FILES = sorted((PROOF / "sql").glob("*.sql"))
WRITES = re.compile(
    r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE|CREATE\s+(?:TEMP\s+)?(?:TABLE|VIEW)"
    r"|ALTER\s+TABLE)\s+(?!SET\b)([a-z_]+)"
)

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def statement_of(path: Path) -> str:
    return re.sub(r"--.*", "", path.read_text("utf-8"))


def test_there_are_statements() -> None:
    assert len(FILES) > 25


@every_file
def test_a_statement_begins_with_what_it_does(path: Path) -> None:
    comment = re.match(r"((?:--.*\n)+)", path.read_text("utf-8"))
    assert comment is not None
    assert len(comment.group(1)) > 40
    assert comment.group(1).rstrip().endswith(".")


@every_file
def test_a_statement_is_loaded_once_under_its_own_name(path: Path) -> None:
    python = "\n".join(module.read_text("utf-8") for module in PROOF.glob("*.py"))
    loaded = rf'{path.stem.upper()} = db\.statement\(__file__, "{path.stem}"\)'
    assert len(re.findall(loaded, python)) == 1


@every_file
def test_a_statement_writes_work_tables_only(path: Path) -> None:
    written = set(WRITES.findall(statement_of(path)))
    assert all(table.startswith("proof_") for table in written), written


@every_file
def test_a_statement_that_names_an_index_names_one_that_exists(path: Path) -> None:
    schema = (ROOT / "tests" / "schema" / "schema.sql").read_text("utf-8")
    comment = " ".join(re.findall(r"--(.*)", path.read_text("utf-8")))
    for name in re.findall(r"\b([a-z]+_(?:once|in)_[a-z_]+)\b", comment):
        assert re.search(rf"\b{name}\b", schema), name


def test_no_work_table_is_used_by_anybody_else() -> None:
    for app in ("config", "seasons", "scores", "leaderboard"):
        for path in (ROOT / app).rglob("*.sql"):
            if path.parent != PROOF / "sql":
                assert not re.search(r"\bproof_", statement_of(path)), path
