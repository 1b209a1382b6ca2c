"""What axe has to say about a page: with all its rules, those included that few ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from playwright.sync_api import Page


COLOURS = {"runOnly": ["color-contrast", "color-contrast-enhanced"]}
"""For a page in dark that was looked at in light with all rules: only its colours are new."""


def violations(page: Page, options: Any = None) -> list[str]:
    """What axe finds wrong with the page; `options` are axe's own, in place of all rules."""
    page.evaluate(Axe().axe_script)
    rules = page.evaluate("axe.getRules().map(rule => rule.ruleId)")
    all_rules = {"rules": {rule: {"enabled": True} for rule in rules}}
    found = page.evaluate("options => axe.run(document, options)", options or all_rules)
    return [
        f"{one['id']}: {one['help']}: {', '.join(node['html'][:200] for node in one['nodes'][:3])}"
        for one in found["violations"]
    ]
