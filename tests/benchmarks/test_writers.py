"""The bench of several writers, on a real PostgreSQL."""

from __future__ import annotations

import pytest

from agon.datastore import MatchFilter, Store
from benchmarks.writers import measure_writers
from tests.datastore.server import running_postgresql


@pytest.mark.system
def test_every_match_is_stored_once() -> None:
    with running_postgresql() as server:
        where = server.new_room()
        report = measure_writers(where, writers=2, matches=6, bots=4)
        assert (report.writers, report.matches) == (2, 6)
        assert report.seconds > 0
        assert report.written_bytes > 6 * 1000
        assert report.server_seconds >= 0
        with Store.open(where) as store:
            assert store.matches.count(MatchFilter()) == 6 + 2, "and one each before the clock runs"
