"""What a person does on the pages of a match, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.website.play.clicking import quick_options

if TYPE_CHECKING:
    from random import Random

    from playwright.sync_api import BrowserContext, ConsoleMessage, Page

MOST_PICKS = 12
MINE = '[data-play][data-picks="0"]'
OVER = '[data-play][data-state="over"]'
CHOICE = 'svg.scene [role="button"]'
BUTTON = '[data-part="buttons"] [data-pick]'
SEND = '[data-part="send"]'
TURN_MS = 15_000


def new_page(context: BrowserContext, said: list[str]) -> Page:
    """A page whose complaints are noted."""

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            said.append(message.text)

    page = context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: said.append(str(error)))
    return page


def sit_down(page: Page, game: str, opponent: str = "random") -> str:
    """From the page of all games to the board: the key of the match."""
    page.goto("/play")
    page.locator(f'.card a[href="/play?game={game}"]').click()
    page.locator(f'input[name="opponent"][value="{opponent}"]').check()
    page.get_by_label("Your seat").select_option("0")
    for details in page.get_by_role("main").locator("details").all():
        details.locator("summary").click()
    for name, value in quick_options(game).items():
        page.locator(f'[name="option-{name}"]').fill(value)
    page.get_by_role("main").get_by_role("button", name="Play").click()
    expect(page).to_have_url(re.compile(r"/play/[\w-]{16}$"))
    return page.url.rpartition("/")[2]


def click_turn(page: Page, rng: Random) -> None:
    """Click at random until there is a turn, and send it."""
    for number in range(MOST_PICKS):
        offered = page.locator(f"{CHOICE}, {BUTTON}")
        count = offered.count()
        if page.locator(SEND).is_enabled() and (not count or (number and rng.random() < 0.5)):
            break
        offered.nth(rng.randrange(count)).click()
        expect(page.locator(f'[data-play][data-picks="{number + 1}"]')).to_be_attached()
    send(page)


def pick(page: Page, shape: str, number: int) -> None:
    """Click a shape on the board, as the pick of that number."""
    page.locator(f'svg.scene [data-id="{shape}"]').click()
    expect(page.locator(f'[data-play][data-picks="{number}"]')).to_be_attached()


def send(page: Page) -> None:
    """Send the turn, and wait for the next one, or for the end."""
    moment = page.locator("[data-play]").get_attribute("data-moment")
    page.locator(SEND).click()
    gone_on = f'[data-play]:not([data-moment="{moment}"])'
    expect(page.locator(f'{gone_on}[data-picks="0"], {OVER}')).to_be_attached(timeout=TURN_MS)
