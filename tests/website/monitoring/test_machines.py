"""The page of the machines: what plays, what waits, what failed; also when a cluster is silent."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from threading import Event
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.entrant import Entrant
from agon.arbiter.limits import Limits
from agon.arena.fleet.jobs import FailedJob, JobPlayer, PlayedMatch, PlayMatch
from agon.arena.settings import WorkerSettings
from agon.arena.workers import Workers
from agon.datastore import BookingKind, NewBooking, NewBot, NewVersion
from agon.errors import ArbiterError
from agon.games.registry import find_game
from agon.website.monitoring.machines import SingleReader
from tests.website.people import NOON, SECOND, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.people import World

HIVE = find_game("hive")
BOTS = (Entrant("ann", built_in="random"), Entrant("bob", built_in="greedy"))
PLAYERS = (JobPlayer("ann"), JobPlayer("bob"))
LIMITS = Limits(10**9, turns=4)
JOB = PlayMatch("booking 1", "hive", HIVE.rules_version, {}, 7, PLAYERS, LIMITS)


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    world.add_user("olga", organiser=True)
    world.add_user("ada")
    yield world
    world.close()


@pytest.fixture
def workers(world: World) -> Iterator[Workers]:
    settings = WorkerSettings(ladder=(), unsafe_host=True)
    workers = Workers(world.store, world.site.live_matches, world.clock, settings)
    world.app.state.site = replace(world.site, workers=workers)
    yield workers
    workers.stop()


def cells(page: str, first: str) -> list[str]:
    """The cells of the row that begins so."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.S)
    found = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.S) for row in rows]
    (row,) = (row for row in found if row and row[0] == first)
    return [re.sub(r"<[^>]*>", "", cell).strip() for cell in row]


def test_organisers_see_what_processes_do_here(world: World, workers: Workers) -> None:
    played = workers.fleet.carry_out(JOB, BOTS)
    assert isinstance(played, PlayedMatch), played
    page = world.browser("olga").get("/machines").text
    server = re.search(r"What plays on <strong>(\S+)</strong>, the server that answers you\.", page)
    assert server
    size = str(workers.settings.fleet_size)
    assert cells(page, server[1]) == [server[1], size, "1", "1.0", "0", "nothing", "off"]
    assert "<p>None.</p>" in page
    assert "0 jobs wait for a process." in page


def test_failures_come_with_their_logs_and_cannot_forge_the_page(
    world: World, workers: Workers
) -> None:
    broken = replace(JOB, key="<b>booking 2</b>", options={"variant": "<script>\x1b[2J"})
    assert isinstance(workers.fleet.carry_out(broken, BOTS), FailedJob)
    page = world.browser("olga").get("/machines").text
    assert "<strong>&lt;b&gt;booking 2&lt;/b&gt;</strong>" in page
    details = re.search(r"<details class=\"failure\">(.*?)</details>", page, re.S)
    assert details
    assert "Traceback (most recent call last)" in details[1]
    assert "&lt;script&gt;" in details[1]
    assert "<script>" not in details[1]
    assert "\x1b" not in page


def test_the_queue_is_that_of_all_servers(world: World) -> None:
    store = world.store
    bot = store.bots.add(NewBot("hive", "crawler", NOON))
    version = store.versions.add(bot.id, NewVersion(NOON, run="python3 bot.py")).id
    options = asdict(HIVE.options())
    players = (version, version)
    for kind, ago in ((BookingKind.CHALLENGE, 125), (BookingKind.CHALLENGE, 5)):
        created = NOON - ago * SECOND
        store.bookings.add(NewBooking(kind, "hive", options, 1, players, created))
    store.checks.add(version, NOON)
    browser = world.browser("olga")
    page = browser.get("/machines").text
    assert cells(page, "Challenges") == ["Challenges", "2", "0", "2 minutes ago"]
    assert cells(page, "Checks of bots") == ["Checks of bots", "1", "0", "just now"]
    assert "This server plays nothing." in page
    assert store.bookings.take(NOON, (BookingKind.CHALLENGE,))
    assert cells(browser.get("/machines").text, "Challenges")[1:3] == ["1", "1"]


def test_who_finds_the_page(world: World) -> None:
    assert 'href="/machines"' in world.browser("olga").get("/users").text
    assert world.browser("ada").get("/machines").status_code == 403


def test_several_servers(world: World, workers: Workers) -> None:
    servers = world.store.servers
    servers.join("agon-2:8000", "http://agon-2:8000", "", NOON)
    servers.join("agon-1:8000", "http://agon-1:8000", "", NOON)
    page = world.browser("olga").get("/machines").text
    told = "<strong>agon-1:8000</strong>, the server that answers you; 1 other server plays besides"
    assert told in page


def test_a_cluster_that_is_silent_holds_nothing_up(world: World, workers: Workers) -> None:
    answers = Event()
    reader = SingleReader(answers.wait, patience_seconds=0.01)
    world.app.state.site.part(SingleReader, lambda: reader)
    page = world.browser("olga").get("/machines")
    assert page.status_code == 200
    assert "The cluster does not answer." in page.text
    assert "Ladder matches" in page.text
    answers.set()


def test_a_silent_cluster_is_asked_once() -> None:
    answers, asked = Event(), []

    def ask() -> str:
        asked.append("?")
        answers.wait()
        return "well"

    reader = SingleReader(ask, patience_seconds=0.01)
    assert [reader.read() for _ in range(3)] == [None, None, None]
    assert asked == ["?"]
    answers.set()
    patient = SingleReader(ask, patience_seconds=60)
    assert [patient.read(), patient.read()] == ["well", "well"]
    assert asked == ["?"] * 3


def test_a_cluster_that_cannot_be_read_is_silent() -> None:
    def fail() -> None:
        raise ArbiterError("it is gone")

    assert SingleReader(fail).read() is None
