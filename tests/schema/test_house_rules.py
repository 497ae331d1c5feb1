"""The contract of `.sql` files, and who may write and read which tables."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
APPS = ["seasons", "scores", "leaderboard"]
FILES = sorted(path for app in APPS for path in (ROOT / app / "sql").glob("*.sql"))
WRITES = re.compile(
    r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|TRUNCATE|CREATE\s+TABLE|ALTER\s+TABLE)\s+"
    r"(?!SET\b)([a-z_]+)"
)
TABLES = re.compile(r"\b((?:seasons|scores|leaderboard)_[a-z_]+)\b")

every_file = pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parts[-3]}/{p.stem}")


def app_of(path: Path) -> str:
    return path.parts[-3]


def statement_of(path: Path) -> str:
    return re.sub(r"--.*", "", path.read_text("utf-8"))


def python_of(app: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((ROOT / app).rglob("*.py")))


def test_there_are_statements() -> None:
    assert len(FILES) > 40


@every_file
def test_a_statement_begins_with_what_it_does(path: Path) -> None:
    comment = re.match(r"((?:--.*\n)+)", path.read_text("utf-8"))
    assert comment is not None
    assert len(comment.group(1)) > 40
    assert comment.group(1).rstrip().endswith(".")


@every_file
def test_a_statement_is_loaded_under_its_own_name(path: Path) -> None:
    loaded = rf'{path.stem.upper()} = (?:\w+\()?db\.statement\(__file__, "{path.stem}"\)'
    assert re.search(loaded, python_of(app_of(path)))


@every_file
def test_a_statement_has_no_alias_of_one_letter(path: Path) -> None:
    assert not re.search(r"\bAS\s+[a-z]\b", statement_of(path))


@every_file
def test_a_statement_writes_only_its_own_tables(path: Path) -> None:
    written = set(WRITES.findall(statement_of(path)))
    assert all(table.startswith(f"{app_of(path)}_") for table in written), written


@every_file
def test_a_statement_reads_no_higher_app(path: Path) -> None:
    higher = APPS[APPS.index(app_of(path)) + 1 :]
    named = {table.split("_")[0] for table in TABLES.findall(statement_of(path))}
    assert not named & set(higher)


@every_file
def test_a_statement_that_names_an_index_names_one_that_exists(path: Path) -> None:
    schema = (ROOT / "tests" / "schema" / "schema.sql").read_text("utf-8")
    comment = " ".join(re.findall(r"--(.*)", path.read_text("utf-8")))
    for name in re.findall(r"\b([a-z]+_(?:once|in)_[a-z_]+)\b", comment):
        assert re.search(rf"\b{name}\b", schema), name


def test_a_raw_statement_goes_through_the_door() -> None:
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            text = path.read_text("utf-8")
            if "migrations" in path.parts or "management" in path.parts:
                continue
            assert ".cursor(" not in text, path
            assert ".raw(" not in text, path
