"""What an answer to a mistake says: to people on a page, to programs as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from starlette.exceptions import HTTPException

from agon.datastore import NewBot
from agon.errors import DatabaseError
from tests.website.people import NOON, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import World

JSON = {"Accept": "application/json"}
LARGEST = 2**63 - 1


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    yield world
    world.close()


@pytest.mark.parametrize(
    ("path", "status", "heading", "told"),
    [
        ("/nowhere", 404, "Not Found", "There is nothing at /nowhere"),
        ("/bots/7", 404, "Not Found", "There is no bot 7"),
        ("/bots/zero", 404, "Not Found", "There is nothing at /bots/zero"),
        ("/matches?before=zero", 422, "Unprocessable", "before &#34;zero&#34;: expected a valid"),
        ("/gone", 410, "Gone", "Gone"),
        ("/full", 507, "Insufficient Storage", "no room"),
    ],
)
def test_a_page_has_a_heading_and_says_what_is_wrong(
    world: World, path: str, status: int, heading: str, told: str
) -> None:
    @world.app.get("/gone")
    def gone() -> None:
        raise HTTPException(410)

    @world.app.get("/full")
    def full() -> None:
        raise HTTPException(507, "no room")

    page = world.browser().get(path)
    assert page.status_code == status
    assert f"<h1>{heading}" in page.text
    assert f'<p class="lead">{told}' in page.text
    answer = world.browser().get(path, headers=JSON)
    if path != "/bots/zero":  # to a program it is a number that is none
        assert answer.status_code == status
        assert answer.json()["error"].startswith(told.replace("&#34;", '"'))


@pytest.mark.parametrize(
    ("bot_id", "status"), [(0, 422), (1, 404), (LARGEST, 404), (LARGEST + 1, 422)]
)
def test_numbers_that_can_be_ids(world: World, bot_id: int, status: int) -> None:
    assert world.browser().get(f"/api/v1/bots/{bot_id}").status_code == status
    listed = world.browser().get(f"/api/v1/matches?before={bot_id}").status_code
    assert listed == (422 if status == 422 else 200)


def test_a_bot_of_a_game_that_is_not_played_here(world: World) -> None:
    bot = world.store.bots.add(NewBot("go", "crawler", NOON))
    page = world.browser().get(f"/bots/{bot.id}")
    assert page.status_code == 404
    assert f"Bot {bot.id} plays &#39;go&#39;, which is not played here" in page.text


def test_a_damaged_datastore_is_a_mistake_of_ours(world: World) -> None:
    @world.app.get("/damaged")
    def read() -> None:
        raise DatabaseError("/srv/agon.db: malformed")

    page = world.browser().get("/damaged")
    assert page.status_code == 500
    assert "agon.db" not in page.text
    assert "retry-after" not in page.headers
