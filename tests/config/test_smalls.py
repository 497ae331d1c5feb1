"""config.smalls: integers of 16 bits arrive in the database, and come back, as they are."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import db
from config.smalls import Smalls

SENT = db.Statement(
    "SELECT %(values)s::smallint [] AS sent, (%(values)s::smallint [])::bigint [] AS wide"
)


@pytest.mark.usefixtures("database")
def test_integers_come_back_as_they_were_sent() -> None:
    @given(st.lists(st.integers(-(2**15), 2**15 - 1)))
    def sent(values: list[int]) -> None:
        smalls = Smalls(struct.pack(f">{len(values)}h", *values))
        found = db.fetch_one(lambda *columns: columns, SENT, values=smalls)
        assert found == (smalls, values)

    sent()
