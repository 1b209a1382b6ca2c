"""A real browser on the site, for tests that click, press and look."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HIVE, BATTLEBOTS = "/matches/1", "/matches/4"
DASH = "\u2013"
READY = '[data-player][data-ready="yes"]'


class Viewer:
    """A page of the browser that notes whatever goes wrong in it."""

    def __init__(self, browser: Browser, server: str, **settings: Any) -> None:
        self.context = browser.new_context(base_url=server, **settings)
        self.page: Page = self.context.new_page()
        self.problems: list[str] = []
        self._has_scripts = settings.get("java_script_enabled", True)
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("requestfailed", self._on_failure)

    def _on_console(self, message: Any) -> None:
        is_unused = not self._has_scripts and "preload" in message.text  # by scripts, that is
        if message.type in ("error", "warning") and not is_unused:
            self.problems.append(message.text)

    def _on_failure(self, request: Any) -> None:
        is_stream = "/live" in request.url  # ends when the page is left
        is_unused = not self._has_scripts and "/replay/" in request.url  # a preload: as a stream
        if not is_stream and not is_unused:
            self.problems.append(f"{request.url}: {request.failure}")

    def open(self, path: str) -> Page:
        self.page.goto(path)
        return self.page

    def open_match(self, path: str) -> Page:
        self.open(path)
        self.page.wait_for_selector(READY)
        return self.page

    def close(self) -> None:
        problems = list(self.problems)  # what is under way at the end is none
        self.context.close()
        assert problems == [], problems


def place(page: Page) -> str:
    """Which turn the page says that it shows; pieces that are on their way are waited for."""
    page.wait_for_selector("[data-player]:not(.loading)")
    return page.locator('[data-part="place"]').inner_text()
