"""A datastore that does not answer: status 503, when to come again, nothing about the inside."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.datastore.server import running_postgresql
from tests.website.people import make_world

if TYPE_CHECKING:
    from tests.website.people import Browser

PAGES = ("/", "/matches/1", "/bots/1", "/users", "/api/v1/matches", "/api/v1/bots/1", "/contests")


def check_answers(browser: Browser, *secrets: str) -> None:
    for path in PAGES:
        answer = browser.get(path)
        assert answer.status_code == 503, path
        assert answer.headers["Retry-After"] == "10"
        assert "Content-Security-Policy" in answer.headers
        for secret in secrets:
            assert secret not in answer.text, path


@pytest.mark.system
def test_pages_while_the_server_is_down_and_after_it() -> None:
    with running_postgresql(synchronous_commit="on") as server:
        world = make_world(server.url("postgres"))
        try:
            world.add_user("ada", organiser=True)
            browser = world.browser("ada")
            server.stop()
            check_answers(browser, "postgresql:", "agon@", str(server.folder), "5432")
            server.start()
            world.clock.pass_s(60)
            assert browser.get("/users").status_code == 200
            assert browser.get("/").status_code == 200
        finally:
            world.close()
