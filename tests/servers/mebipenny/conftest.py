"""A server that many tests use side by side with each other's games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.servers.mebipenny.live_server import Live, live_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    import httpx


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    with live_server() as server:
        yield server


@pytest.fixture(scope="module")
def http(live: Live) -> Iterator[httpx.Client]:
    with live.client() as client:
        yield client
