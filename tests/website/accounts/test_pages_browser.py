"""The pages of accounts in a real browser: the whole way of a user, and of an organiser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from agon.datastore import AuditAction
from tests.website.arena import serving
from tests.website.axe import violations_in_both_themes
from tests.website.people import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize

    from tests.website.people import World

PHONE: ViewportSize = {"width": 360, "height": 740}
NEW = "battery staple"


@pytest.fixture
def address(world: World) -> Iterator[str]:
    with serving(world.site) as found:
        yield found


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on which nothing may go wrong."""
    said: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    context.close()
    assert said == []


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/login")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("main").get_by_role("button", name="Log in").click()


def test_the_way_of_a_new_user(page: Page, world: World) -> None:
    page.goto("/account")
    expect(page).to_have_url(re.compile(r"/login\?next=%2Faccount$"))
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Name").fill("bob")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Repeat the password").fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(re.compile(r"/account$"))
    page.get_by_label("What the new token is for").fill("<b>my laptop</b>")
    page.get_by_role("button", name="Create token").click()
    secret = page.locator("code.secret").inner_text()
    assert world.store.tokens.use(secret, world.clock())
    page.get_by_role("button", name="Revoke <b>my laptop</b>").click()
    expect(page.get_by_role("status")).to_have_text("The token is revoked.")
    assert world.store.tokens.use(secret, world.clock()) is None
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    log_in(page, "BOB")
    expect(page.get_by_role("link", name="bob", exact=True)).to_be_visible()


def test_the_way_of_an_organiser_and_a_lost_password(page: Page, world: World) -> None:
    log_in(page, "olga")
    page.goto("/account")
    page.get_by_role("link", name="all users").click()
    ada_panel = page.locator("details", has_text="ada")
    ada_panel.locator("summary").first.click()
    ada_panel.get_by_role("button", name="Reset password").click()
    password = page.locator("code.secret").inner_text()
    page.get_by_role("button", name="Log out").click()
    log_in(page, "ada", password)
    expect(page).to_have_url(re.compile(r"/account$"))
    expect(page.get_by_role("status")).to_contain_text("Choose your own")
    page.get_by_label("Temporary password").fill(password)
    page.get_by_label("New password", exact=True).fill(NEW)
    page.get_by_label("Repeat the new password").fill(NEW)
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_role("status")).to_contain_text("Your password is changed.")
    ada = world.store.users.find("ada")
    assert ada
    assert not ada.password_is_temporary


def test_an_organiser_suspends_a_user(page: Page) -> None:
    log_in(page, "olga")
    page.goto("/users")
    ada_panel = page.locator("details.panel", has_text="ada")
    ada_panel.locator("summary").first.click()
    ada_panel.get_by_text("Suspend ada …").click()
    ada_panel.get_by_label("Reason").fill("bots that only wait")
    ada_panel.get_by_role("button", name="Yes, suspend ada").click()
    expect(page.get_by_role("status")).to_contain_text("The user is suspended")
    page.get_by_role("link", name="audit log").click()
    expect(page.get_by_role("row").last).to_contain_text("olga suspended ada: bots that only wait")


def test_the_pages_are_accessible(browser: Browser, address: str, world: World) -> None:
    world.store.users.remove(world.add_user("gone").id, world.clock())
    out = world.add_user("out")
    world.store.users.suspend(out.id, "spam", world.clock())
    world.store.audit_log.add(
        out.id, AuditAction.SUSPEND_USER, "x" * 32, 1, world.clock(), "y" * 200
    )
    context = browser.new_context(base_url=address, viewport=PHONE)
    page = context.new_page()
    for path in ("/login", "/register"):
        check(page, path)
    log_in(page, "olga")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    for path in ("/account", "/users", "/audit"):
        check(page, path)
    context.close()


def check(page: Page, path: str) -> None:
    """No violation of accessibility, and nothing that sticks out on a phone."""
    page.goto(path)
    for closed in page.locator("details").all():
        closed.evaluate("details => { details.open = true }")
    assert violations_in_both_themes(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_pages_need_no_scripts(browser: Browser, address: str) -> None:
    context = browser.new_context(base_url=address, java_script_enabled=False)
    page = context.new_page()
    log_in(page, "ada")
    page.goto("/account")
    expect(page.get_by_role("heading", name="Tokens")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in")).to_be_visible()
    context.close()
