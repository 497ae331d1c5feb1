"""Django's models say what the tables are, also those that are made in SQL."""

from typing import Any

import pytest
from django.apps import apps
from django.db import connections, models

from config import db
from tests.factories import apply, event, publish

OURS = ("seasons", "scores", "leaderboard")
MODELS = [model for app in OURS for model in apps.get_app_config(app).get_models()]
COLUMNS = db.Statement("""
    SELECT
        attribute.attname,
        format_type(attribute.atttypid, attribute.atttypmod) AS type,
        attribute.attnotnull
    FROM pg_attribute AS attribute
    WHERE
        attribute.attrelid = %(relation)s::regclass
        AND attribute.attnum > 0
        AND NOT attribute.attisdropped
""")

every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)


def declared(field: Any) -> tuple[str, bool]:
    """Return a field's type as PostgreSQL spells it, and whether it is never null."""
    type_ = field.db_type(connections["default"])
    return type_.replace("(40, 0)", "(40,0)"), not field.null


@every_model
def test_a_model_has_the_columns_of_its_table(model: type[models.Model], shared: str) -> None:
    stored = db.fetch_all(lambda *column: column, COLUMNS, relation=model._meta.db_table)
    assert {name: (type_, filled) for name, type_, filled in stored} == {
        field.column: declared(field) for field in model._meta.local_fields
    }


@every_model
def test_a_row_of_a_model_can_be_read(model: type[models.Model], slug: str) -> None:
    apply(slug, event("ann", 10))
    publish(slug)
    for row in model._default_manager.all()[:2]:
        assert isinstance(str(row), str)
