"""The shortcut to kept pages: for whoever may be anybody, and only while they are fresh."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.website.people import World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from httpx import Response

LIST = "/matches?game=hive"


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("ada")
    yield world
    world.close()


def was_kept(world: World) -> bool:
    """Whether the list is kept at this moment."""
    return (
        world.site.replay_cache.sharing.peek(("/matches", "game=hive"), world.clock()) is not None
    )


def body_of(answer: Response) -> str:
    assert answer.status_code == 200
    assert "content-security-policy" in answer.headers
    return answer.text


def test_a_kept_page_is_the_page(world: World) -> None:
    browser = world.browser()
    assert not was_kept(world)
    first = body_of(browser.get(LIST))
    assert was_kept(world)
    assert body_of(browser.get(LIST)) == first
    plain = browser.get(LIST, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert body_of(plain) == first
    assert browser.send("HEAD", LIST).headers["vary"] == "Accept-Encoding, Cookie"
    assert body_of(browser.get("/matches?game=skyport")) != first


def test_a_kept_page_is_shown_for_a_moment_only(world: World) -> None:
    body_of(world.browser().get(LIST))
    world.clock.pass_s(60)
    assert not was_kept(world)
    body_of(world.browser().get(LIST))
    assert was_kept(world)


def test_users_get_pages_of_their_own(world: World) -> None:
    assert "Log out" not in body_of(world.browser().get(LIST))
    assert was_kept(world)
    answer = world.browser("ada").get(LIST)
    assert "Log out" in body_of(answer)
    assert answer.headers["cache-control"] == "no-store"


def test_whoever_shows_a_token_is_looked_up(world: World) -> None:
    body_of(world.browser().get(LIST))
    answer = world.browser().get(LIST, headers={"Authorization": "Bearer agon_wrong"})
    assert answer.headers["cache-control"] == "no-store"


def test_forms_are_not_sent_by_the_shortcut(world: World) -> None:
    body_of(world.browser().get(LIST))
    answer = world.browser().send("POST", LIST)
    assert answer.status_code == 403
