"""Redirects lead to pages of this site, and programs are told instead."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from agon.website.http.redirects import as_path, own_path
from tests.website.people import make_world

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.test/",
        "//evil.test/",
        "/\\evil.test/",
        "\\\\evil.test",
        "/\t/evil.test",
        "///evil.test",
        "javascript:alert(1)",
        "evil.test",
        "/x\r\nSet-Cookie: a=b",
        "/\u2215evil.test",
        "",
        " //evil.test",
    ],
)
def test_what_leads_elsewhere_is_not_followed(address: str) -> None:
    assert own_path(address) == "/"
    assert own_path(address, "/play") == "/play"
    assert not as_path(address).startswith("//")


@pytest.mark.parametrize("address", ["/", "/a", "/a?next=//evil.test", "/a:b@c", "/~x#y"])
def test_what_is_ours_is(address: str) -> None:
    assert own_path(address, "/play") == address


def test_who_is_sent_to_log_in(blank: Path) -> None:
    with closing(make_world(blank)) as world:
        visitor, program = world.browser(), {"Accept": "application/json"}
        assert visitor.get("/account").headers["location"] == "/login?next=%2Faccount"
        assert visitor.get("/account?a=b").headers["location"] == "/login?next=%2Faccount%3Fa%3Db"
        assert visitor.send("HEAD", "/account").headers["location"] == "/login?next=%2Faccount"
        assert visitor.post("/account/password").headers["location"] == "/login"
        assert visitor.get("/account", headers=program).status_code == 401
