"""Every test with sockets runs in both kinds of event loop."""

from __future__ import annotations

import pytest

from tests.servers.skyport.calling import LOOPS


@pytest.fixture(params=sorted(LOOPS))
def loop(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found
