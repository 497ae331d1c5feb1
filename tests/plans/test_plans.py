"""
Each statement reads by the indexes that its file names, and no more than its answer needs.

Whatever is known of the tables, and whether it is planned for any values or for those given.
"""

from tests.plans.big_season import BigSeason
from tests.plans.case import Case
from tests.plans.cases import ALIASES, FILES, SMALL, indexes_named_by
from tests.plans.explaining import Plan


def test_it_reads_by_the_indexes_that_its_file_names(
    plan: Plan, key: tuple[str, str, str]
) -> None:
    assert indexes_named_by(key[1]) <= plan.indexes


def test_it_reads_no_table_from_end_to_end(plan: Plan) -> None:
    assert plan.read_from_end_to_end <= SMALL


def test_it_reads_the_partitions_of_its_own_season_only(plan: Plan, big: BigSeason) -> None:
    assert plan.namespaces <= {big.season.namespace}


def test_it_reads_and_sorts_no_more_than_its_answer_needs(plan: Plan, case: Case) -> None:
    assert plan.rows_read <= case.rows
    assert plan.blocks <= case.blocks
    assert plan.rows_sorted <= case.sorted
    assert case.windows or "WindowAgg" not in plan.kinds


def test_every_statement_whose_file_names_an_index_is_looked_at() -> None:
    named = {path.stem for path in FILES if indexes_named_by(path.stem)}
    assert named <= {statement for statements in ALIASES.values() for statement in statements}
