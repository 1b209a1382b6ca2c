"""Clients that send half a request each, and few descriptors: others are served all the same."""

from __future__ import annotations

import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from tests.website.running import PATIENCE, running_arena

if TYPE_CHECKING:
    from pathlib import Path

FILES = 300
HALVES = (
    b"",
    b"GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    b"POST /login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nname=",
    b"GET / HTTP/1.1\r\nHost: a\r\n\r\n",  # answered, and then idle
)


def open_halves(stack: ExitStack, address: str) -> None:
    """400 clients, more than the server has descriptors."""
    place = urlsplit(address)
    for number in range(400):
        client = socket.create_connection((place.hostname, place.port), PATIENCE)
        stack.enter_context(closing(client))
        client.sendall(HALVES[number % len(HALVES)])


@pytest.mark.system
@pytest.mark.long
def test_clients_that_do_not_finish_keep_no_other_out(tmp_path: Path) -> None:
    with (
        running_arena(tmp_path / "data", "--no-ladder", files=FILES) as arena,
        ThreadPoolExecutor() as pool,
        ExitStack() as stack,
    ):
        held = pool.submit(httpx.get, f"{arena.mebipenny}/match", timeout=PATIENCE)
        for address in (arena.address, arena.mebipenny):
            open_halves(stack, address)
            for _ in range(20):
                assert httpx.get(f"{arena.address}/", timeout=PATIENCE).status_code == 200
                assert httpx.get(f"{arena.mebipenny}/", timeout=PATIENCE).status_code == 200
        second = httpx.get(f"{arena.mebipenny}/match", timeout=PATIENCE)
        assert second.headers["location"] == held.result(PATIENCE).headers["location"]
        assert arena.stop() == ["ended"]
        log = arena.log.read_text()
    assert "Too many open files" not in log
    assert "Traceback" not in log, log[-4000:]
