"""What axe has to say about a page: with all its rules, those included that few ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page


COLOURS = {"runOnly": ["color-contrast", "color-contrast-enhanced"]}
"""For a page in dark that was looked at in light with all rules: only its colours are new."""
SCRIPT = Axe().axe_script
RUN = """async options => {
    const all = Object.fromEntries(axe.getRules().map(rule => [rule.ruleId, {enabled: true}]));
    const wanted = {...(options ?? {rules: all}), resultTypes: ["violations"]};
    return (await axe.run(document, wanted)).violations;
}"""
"""Most of axe's time would go into the description of all that is right, which is not asked for."""


def violations(page: Page, options: Any = None) -> list[str]:
    """What axe finds wrong with the page; `options` are axe's own, in place of all rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT)
    return [
        f"{one['id']}: {one['help']}: {', '.join(node['html'][:200] for node in one['nodes'][:3])}"
        for one in page.evaluate(RUN, options)
    ]


def violations_in_both_themes(page: Page) -> list[str]:
    """The same in light, then in dark, of a page that is loaded once."""
    page.emulate_media(color_scheme="light")
    in_light = violations(page)
    page.emulate_media(color_scheme="dark")
    return in_light + [f"in dark: {one}" for one in violations(page, COLOURS)]
