"""Kept pages for people who are logged in: their own names, and nobody else's."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

from agon.datastore import NewBot, NewVersion
from agon.website.cache.acquaintances import Acquaintance, Acquaintances
from agon.website.cache.packing import make_piece
from agon.website.cache.shared_pages import make_page
from tests.website.people import PASSWORD, Browser, World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = ("/", "/matches", "/live", "/bots/1", "/users/eve")


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    for name in ("ada", "bob", "eve"):
        world.add_user(name)
    world.add_user("olga", organiser=True)
    eve = world.store.users.find("eve")
    assert eve
    bot = world.store.bots.add(NewBot("hive", "crawler", world.clock(), owner_id=eve.id))
    world.store.versions.add(bot.id, NewVersion(world.clock(), run="python3 bot.py"))
    first = world.browser()
    while first.get("/bots/1").status_code != 200:  # its table is being made
        pass
    yield world
    world.close()


def names_in(browser: Browser, path: str) -> set[str]:
    """Who the page says is logged in; what is sent packed and plain is the same."""
    page = browser.get(path)
    assert page.status_code == 200
    plain = browser.get(path, headers={"Accept-Encoding": "identity"})
    assert plain.text == page.text
    head = page.text.partition('<div class="who">')[2].partition("</header>")[0]
    return set(re.findall(r'href="/users/([a-z]+)"', head))


def is_known(world: World, browser: Browser) -> bool:
    """Whether the site need not look the browser's session up for a kept page."""
    secret = browser.cookie("session")
    assert secret
    return world.site.replay_cache.acquaintances.find(secret, world.clock()) is not None


@pytest.mark.parametrize("path", PAGES)
def test_everybody_sees_their_own_name(world: World, path: str) -> None:
    ada, bob, nobody = world.browser("ada"), world.browser("bob"), world.browser()
    for _ in range(3):
        for browser, name in ((ada, "ada"), (bob, "bob")):
            assert names_in(browser, path) == {name}
            assert browser.get(path).headers["cache-control"] == "no-store"
        assert names_in(nobody, path) == set()
    assert is_known(world, ada)
    assert is_known(world, bob)


@pytest.mark.parametrize("path", PAGES)
def test_a_kept_page_holds_nothing_of_who_asked_first(world: World, path: str) -> None:
    world.clock.pass_s(60)
    ada = world.browser("ada")
    ada.get(path)
    kept = world.site.replay_cache.sharing.peek((path, ""), world.clock())
    assert kept
    for content in (b"".join(one.text for one in kept.pieces), gzip.decompress(kept.packed)):
        assert b"ada" not in content


def test_the_same_page_is_kept_for_visitors_and_users(world: World) -> None:
    before = world.browser("ada").get("/matches").text
    page = world.site.replay_cache.sharing.peek(("/matches", ""), world.clock())
    world.browser("bob").get("/matches")
    world.browser().get("/matches")
    assert world.site.replay_cache.sharing.peek(("/matches", ""), world.clock()) is page
    assert "ada" in before


def test_who_logs_out_is_not_known_any_more(world: World) -> None:
    ada = world.browser("ada")
    assert names_in(ada, "/") == {"ada"}
    stolen = {"Cookie": f"agon_session={ada.cookie('session')}"}
    assert is_known(world, ada)
    ada.post("/logout")
    assert names_in(ada, "/") == set()
    thief = world.browser()
    assert "ada" not in thief.get("/", headers=stolen).text
    assert thief.get("/account", headers=stolen).status_code == 303


def test_another_password_ends_other_sessions_at_once(world: World) -> None:
    here, there = world.browser("ada"), world.browser("ada")
    assert names_in(there, "/") == {"ada"}
    assert there.get("/account").status_code == 200
    new = {"old": PASSWORD, "new": "battery staple", "again": "battery staple"}
    assert here.post("/account/password", **new).status_code == 303
    assert names_in(there, "/") == set()
    assert there.get("/account").status_code == 303
    assert names_in(here, "/") == {"ada"}


def test_who_is_removed_by_an_organiser_is_not_known_any_more(world: World) -> None:
    ada, olga = world.browser("ada"), world.browser("olga")
    assert names_in(ada, "/matches") == {"ada"}
    assert ada.get("/account").status_code == 200
    assert olga.post("/users/ada/remove").status_code == 303
    assert names_in(ada, "/matches") == set()
    assert ada.get("/account").status_code == 303


def test_what_another_process_does_is_seen_after_a_moment(world: World) -> None:
    ada = world.browser("ada")
    assert names_in(ada, "/matches") == {"ada"}
    user = world.store.users.find("ada")
    assert user
    world.store.users.remove(user.id, world.clock())
    world.clock.pass_s(3)
    assert names_in(ada, "/matches") == set()


def test_the_author_of_a_bot_sees_more_whoever_came_before(world: World) -> None:
    ada, eve, olga = (world.browser(name) for name in ("ada", "eve", "olga"))
    for _ in range(2):
        assert "Upload the next version" not in ada.get("/bots/1").text
        assert "Upload the next version" in eve.get("/bots/1").text
        assert "Withdraw or delete" in olga.get("/bots/1").text
        assert "Challenge" in world.browser().get("/bots/1").text
        assert "Upload the next version" not in world.browser().get("/bots/1").text


def test_a_page_that_is_there_for_one_user_only(world: World) -> None:
    """Who has no bot has a page for themselves and for organisers."""
    for _ in range(2):
        assert world.browser("ada").get("/users/ada").status_code == 200
        assert world.browser("olga").get("/users/ada").status_code == 200
        assert world.browser("bob").get("/users/ada").status_code == 404
        assert world.browser().get("/users/ada").status_code == 404


def test_an_account_page_is_kept_for_its_session_alone(world: World) -> None:
    ada, other, bob = world.browser("ada"), world.browser("ada"), world.browser("bob")
    for _ in range(2):
        assert "You are <a" in ada.get("/account").text
        assert names_in(ada, "/account") == {"ada"}
        assert names_in(bob, "/account") == {"bob"}
        assert world.browser().get("/account").status_code == 303
    assert ada.get("/account").text == ada.get("/account").text
    ada.post("/account/tokens", name="my new laptop")
    assert "my new laptop" in ada.get("/account").text
    assert "my new laptop" in other.get("/account").text
    assert "my new laptop" not in bob.get("/account").text


def test_a_token_is_looked_up_every_time(world: World) -> None:
    ada = world.browser("ada")
    assert names_in(ada, "/matches") == {"ada"}
    shown = {"Authorization": "Bearer agon_wrong"}
    assert "ada" not in ada.get("/matches", headers=shown).text


def test_a_turn_of_somebody_who_plays_makes_nobody_unknown(world: World) -> None:
    ada, bob = world.browser("ada"), world.browser("bob")
    ada.get("/matches")
    bob.post("/play/nothing/turn", moment="1")
    assert is_known(world, ada)
    bob.post("/upload")
    assert not is_known(world, ada)


def test_who_was_looked_up_before_all_were_forgotten_is_not_added() -> None:
    known = Acquaintances()
    ada = Acquaintance(1, False, make_piece(b"ada"), 0)
    page = make_page(b"ada's", 0, 10)
    begun = known.times_forgotten
    known.forget()
    known.add("secret", ada, begun)
    known.add_page("secret", "/account", page, begun)
    assert known.find("secret", 0) is None
    assert known.find_page("secret", "/account", 0) is None
    known.add("secret", ada, known.times_forgotten)
    known.add_page("secret", "/account", page, known.times_forgotten)
    assert known.find("secret", 0) is ada
    assert known.find_page("secret", "/account", 0) is page
    assert known.find("secret", -1) is None  # the clock was set back
    assert known.find_page("other", "/account", 0) is None
