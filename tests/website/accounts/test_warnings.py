"""Organisers see what went wrong: the latest warnings of the log, each text once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from agon.website.recent_warnings import MOST, RecentWarnings
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import World


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("olga", organiser=True)
    world.add_user("ada")
    yield world
    world.close()


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    log = logging.getLogger("agon.test_warnings")
    yield log
    log.handlers.clear()


def test_organisers_are_told(world: World, log: logging.Logger) -> None:
    log.addHandler(world.site.warnings)
    log.warning("the disk of <%s> is full", "agon")
    log.warning("the disk of <%s> is full", "agon")
    log.info("a visitor came")
    page = world.browser("olga").get("/warnings").text
    assert "the disk of &lt;agon&gt; is full (2 times)" in page
    assert "a visitor came" not in page
    assert 'href="/warnings"' in world.browser("olga").get("/users").text
    assert world.browser("ada").get("/warnings").status_code == 403


def test_only_the_latest_are_kept(log: logging.Logger) -> None:
    warnings = RecentWarnings()
    log.addHandler(warnings)
    for number in range(MOST + 5):
        log.error("trouble %s", number)
    latest = warnings.latest()
    assert len(latest) == MOST
    assert latest[0].text == f"trouble {MOST + 4}"
