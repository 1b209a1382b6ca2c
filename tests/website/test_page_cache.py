"""Kept pages: the same for all visitors, but for the user's own name, and for two seconds only."""

from __future__ import annotations

import re
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest

from agon.datastore import NewBot, NewContest, NewVersion
from agon.datastore.enums import ContestState
from agon.website.page_cache import KEEP_S, PageCache
from tests.website.people import PASSWORD, Browser, Clock, World, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = ("/", "/matches", "/live", "/bots/1", "/users/eve", "/games/hive", "/contests")
WHO = '<div class="who">'


def test_a_page_is_made_once_and_anew_when_it_is_old() -> None:
    clock = Clock()
    cache = PageCache(clock)
    for second in range(2 * KEEP_S):
        page = cache.find("/", lambda made=second: b"made at %d" % made)  # type: ignore[misc]
        assert page == b"made at %d" % (second // KEEP_S * KEEP_S)
        clock.now_ns += 1
    assert cache.find("/other", lambda: b"other") == b"other"


def test_a_page_that_fails_can_be_made_the_next_time() -> None:
    cache = PageCache()

    def fail() -> bytes:
        raise KeyError("no page")

    for _ in range(2):
        with pytest.raises(KeyError):
            cache.find("/", fail)
    assert cache.find("/", lambda: b"fine") == b"fine"


def test_what_is_forgotten_while_it_is_made_stays_forgotten() -> None:
    cache = PageCache()

    def make() -> bytes:
        cache.forget()
        return b"too late"

    assert cache.find("/", make) == b"too late"
    assert cache.find("/", lambda: b"new") == b"new"
    assert cache.find("/", lambda: b"newer") == b"new"


def test_threads_that_come_at_once_wait_for_one_that_makes_the_page() -> None:
    cache, made = PageCache(), []
    begun, go_on = threading.Event(), threading.Event()

    def make() -> bytes:
        made.append(threading.current_thread())
        begun.set()
        assert go_on.wait(20)
        return b"page"

    found: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: found.append(cache.find("/", make))) for _ in range(8)
    ]
    threads[0].start()
    assert begun.wait(20)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join()
    assert (found, made) == ([b"page"] * 8, threads[:1])


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    for name in ("ada", "bob", "eve"):
        world.add_user(name)
    olga = world.add_user("olga", organiser=True)
    eve = world.store.users.find("eve")
    assert eve
    bot = world.store.bots.add(NewBot("hive", "crawler", world.clock(), owner_id=eve.id))
    world.store.versions.add(bot.id, NewVersion(world.clock(), run="python3 bot.py"))
    cup = world.store.contests.add(NewContest("Cup", "hive", "swiss"), olga.id, world.clock())
    world.store.contests.set_state(cup.id, ContestState.OPEN)
    while world.browser().get("/bots/1").status_code == HTTPStatus.ACCEPTED:
        pass  # its table is being made
    yield world
    world.close()


def load(browser: Browser, path: str) -> tuple[list[str], str]:
    """Whose name the head of a page has, and the rest of the page."""
    page = browser.get(path)
    assert page.status_code == HTTPStatus.OK
    assert page.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in page.headers["vary"]
    plain = browser.get(path, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == page.text
    before, _, rest = page.text.partition(WHO)
    who, _, after = rest.partition("</header>")
    names = re.findall(r'href="/users/([a-z]+)"', who)
    assert ("Log out" in who) == bool(names)
    assert ("/login?next=" in who) != bool(names)
    return names, before + after


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("first", ["ada", "olga", None])
def test_users_see_their_own_name_no_matter_who_came_first(
    world: World, path: str, first: str | None
) -> None:
    browsers = {name: world.browser(name) for name in ("ada", "bob", "eve", "olga", None)}
    browsers[first].get(path)
    for _ in range(2):
        for name, browser in browsers.items():
            names, rest = load(browser, path)
            assert names == ([] if name is None else [name])
            assert "ada" not in rest
            assert "bob" not in rest
            has_cookie = browser.get(path).headers["cache-control"] == "no-store"
            assert has_cookie == (name is not None)
    assert load(browsers["ada"], path)[1] == load(browsers["bob"], path)[1]


def test_a_kept_page_is_shown_for_two_seconds(world: World) -> None:
    visitor = world.browser()
    assert "newcomer" not in visitor.get("/users/eve").text
    eve = world.store.users.find("eve")
    assert eve
    world.store.bots.add(NewBot("hive", "newcomer", world.clock(), owner_id=eve.id))
    assert "newcomer" not in visitor.get("/users/eve").text
    assert "newcomer" in world.browser("eve").get("/users/eve").text, "her own page is made anew"
    assert "newcomer" not in world.browser("ada").get("/users/eve").text
    assert "newcomer" in visitor.get("/users/eve?before=1000").text, "another address"
    world.clock.pass_s(KEEP_S)
    assert "newcomer" in visitor.get("/users/eve").text


def test_who_logs_out_is_not_named_any_more(world: World) -> None:
    ada = world.browser("ada")
    assert load(ada, "/")[0] == ["ada"]
    stolen = {"Cookie": f"agon_session={ada.cookie('session')}"}
    ada.post("/logout")
    assert load(ada, "/")[0] == []
    thief = world.browser()
    assert "ada" not in thief.get("/", headers=stolen).text
    assert thief.get("/account", headers=stolen).status_code == HTTPStatus.SEE_OTHER


def test_another_password_ends_other_sessions_at_once(world: World) -> None:
    here, there = world.browser("ada"), world.browser("ada")
    assert load(there, "/")[0] == ["ada"]
    new = {"old": PASSWORD, "new": "battery staple", "again": "battery staple"}
    assert here.post("/account/password", **new).status_code == HTTPStatus.SEE_OTHER
    assert load(there, "/")[0] == []
    assert there.get("/account").status_code == HTTPStatus.SEE_OTHER
    assert load(here, "/")[0] == ["ada"]


def test_a_removed_user_is_not_named_any_more(world: World) -> None:
    ada, olga = world.browser("ada"), world.browser("olga")
    assert load(ada, "/matches")[0] == ["ada"]
    assert olga.post("/users/ada/remove").status_code == HTTPStatus.SEE_OTHER
    assert load(ada, "/matches")[0] == []


def test_authors_and_organisers_see_more_no_matter_who_came_before(world: World) -> None:
    ada, eve, olga = (world.browser(name) for name in ("ada", "eve", "olga"))
    for _ in range(2):
        assert "Upload the next version" not in ada.get("/bots/1").text
        assert "Upload the next version" in eve.get("/bots/1").text
        assert "Withdraw or delete" in olga.get("/bots/1").text
        assert "Upload the next version" not in world.browser().get("/bots/1").text
        assert "Withdraw or delete" not in world.browser().get("/bots/1").text


def test_a_page_that_is_there_for_one_user_only(world: World) -> None:
    """A user without a bot has a page that only they and organisers see."""
    for _ in range(2):
        assert world.browser("ada").get("/users/ada").status_code == HTTPStatus.OK
        assert world.browser("olga").get("/users/ada").status_code == HTTPStatus.OK
        assert world.browser("bob").get("/users/ada").status_code == HTTPStatus.NOT_FOUND
        assert world.browser().get("/users/ada").status_code == HTTPStatus.NOT_FOUND


def test_a_hidden_contest_is_not_kept_for_others(world: World) -> None:
    olga, ada, visitor = world.browser("olga"), world.browser("ada"), world.browser()
    for published in ("no", "yes", "no"):
        olga.post("/contests/1/published", published=published)
        for _ in range(2):
            assert "Cup" in olga.get("/contests").text
            for path in ("/contests/1", "/contests/1/screen"):
                assert olga.get(path).status_code == HTTPStatus.OK
                for other in (ada, visitor):
                    is_seen = other.get(path).status_code == HTTPStatus.OK
                    assert is_seen == (published == "yes"), (path, published)
            for other in (ada, visitor):
                assert ("Cup" in other.get("/contests").text) == (published == "yes")
                assert "New contest" not in other.get("/contests").text


def test_a_request_that_is_refused_makes_nothing_anew(world: World) -> None:
    visitor = world.browser()
    kept = visitor.get("/contests").text
    world.store.contests.publish(1, True)
    assert visitor.send("POST", "/contests").status_code == HTTPStatus.FORBIDDEN
    assert visitor.get("/contests").text == kept
    assert world.browser("olga").post("/contests/1/state", state="closed").is_redirect
    assert visitor.get("/contests").text != kept


def test_a_bad_token_belongs_to_no_user(world: World) -> None:
    ada = world.browser("ada")
    assert load(ada, "/matches")[0] == ["ada"]
    answer = ada.get("/matches", headers={"Authorization": "Bearer agon_wrong"})
    assert "ada" not in answer.text
    assert answer.headers["cache-control"] == "no-store"


def test_own_pages_are_made_every_time(world: World) -> None:
    ada, other, bob = world.browser("ada"), world.browser("ada"), world.browser("bob")
    for browser, name in ((ada, "ada"), (bob, "bob"), (other, "ada")):
        assert load(browser, "/account")[0] == [name]
    ada.post("/account/tokens", name="my new laptop")
    assert "my new laptop" in other.get("/account").text
    assert "my new laptop" not in bob.get("/account").text
