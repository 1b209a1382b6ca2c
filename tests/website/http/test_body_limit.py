"""No request may be larger than it needs to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.website.http.body_limit import MOST_BYTES, TOO_LARGE
from tests.website.people import PASSWORD, World, make_world

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("ada")
    yield world
    world.close()


async def in_pieces(size: int) -> AsyncIterator[bytes]:
    """A body that does not say how large it is."""
    yield b'{"name": "'
    for _ in range(size // 1000):
        yield b"x" * 1000
    yield b'", "password": ""}'


def test_the_api_refuses_a_body_that_says_it_is_too_large(world: World) -> None:
    answer = world.browser().send(
        "POST", "/api/v1/login", content=b"x" * (MOST_BYTES + 1), headers=JSON
    )
    assert answer.status_code == 413
    assert answer.json() == {"error": TOO_LARGE}
    assert "expected at most 256 KiB" in TOO_LARGE
    assert answer.headers["connection"] == "close", "what is still to come is not read"


def test_the_api_stops_a_body_that_becomes_too_large(world: World) -> None:
    answer = world.browser().send(
        "POST", "/api/v1/login", content=in_pieces(2 * MOST_BYTES), headers=JSON
    )
    assert answer.status_code == 413
    assert answer.json() == {"error": TOO_LARGE}


def test_what_is_within_the_limit_is_read(world: World) -> None:
    body = (b'{"name": "ada", "password": "%b"}' % PASSWORD.encode()).ljust(MOST_BYTES)
    answer = world.browser().send("POST", "/api/v1/login", content=body, headers=JSON)
    assert answer.status_code == 200
    assert "connection" not in answer.headers
    small = world.browser().send("POST", "/api/v1/login", content=in_pieces(1000), headers=JSON)
    assert small.status_code in (401, 422)


def test_a_page_says_it_to_people(world: World) -> None:
    ada = world.browser("ada")
    files = {"file": ("large.txt", b"x" * MOST_BYTES)}
    answer = ada.send("POST", "/account/tokens", data={"name": "x"}, files=files, headers=ada.own)
    assert answer.status_code == 413
    assert TOO_LARGE in answer.text
    assert answer.headers["content-type"].startswith("text/html")


def test_where_files_are_sent_other_limits_hold(world: World) -> None:
    ada = world.browser("ada")
    body = b"x" * (MOST_BYTES + 1)
    for path in ("/api/v1/bots", "/upload", "/replay"):
        assert ada.send("POST", path, content=body, headers=ada.own).status_code != 413


def test_a_number_that_is_none_is_no_limit(world: World) -> None:
    headers = {**JSON, "Content-Length": "9" * 30}
    answer = world.browser().send("POST", "/api/v1/login", content=b"{}", headers=headers)
    assert answer.status_code == 413
