"""`/healthz` and `/metrics`: what they say, and to whom."""

from __future__ import annotations

import logging
from dataclasses import asdict, replace
from ipaddress import ip_network
from typing import TYPE_CHECKING

import pytest

from agon.arena.cluster.node_labels import HOLDS, SANDBOX
from agon.arena.cluster.places import ClusterNode
from agon.arena.fleet.job_ledger import FleetWork, NodeWork
from agon.arena.rules_loader import RulesLoader
from agon.arena.settings import WorkerSettings
from agon.arena.worker_thread import Worker
from agon.arena.workers import Workers
from agon.datastore import (
    BookingKind,
    ContestState,
    MatchStatus,
    NewBooking,
    NewBot,
    NewContest,
    NewVersion,
)
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from agon.website.site import SiteSettings
from tests.arena.fake_cluster import FakeCluster
from tests.datastore.samples import make_match
from tests.website.monitoring.exposition_reader import parse_exposition
from tests.website.people import NOON, SECOND, make_world

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.website.monitoring.exposition_reader import Family
    from tests.website.people import World

LOOPBACK = "127.0.0.1"


@pytest.fixture
def world(blank: Path) -> Iterator[World]:
    world = make_world(blank)
    yield world
    world.close()


def read_metrics(world: World) -> dict[str, Family]:
    answer = world.browser(host=LOOPBACK).get("/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert answer.headers["cache-control"] == "no-store"
    return parse_exposition(answer.text)


def value(family: Family, **labels: str) -> float:
    return family.samples[tuple(sorted(labels.items()))]


def test_a_site_that_is_well(world: World) -> None:
    answer = world.browser().get("/healthz")
    assert answer.status_code == 200
    well = {"status": "ok", "missing": [], "rules": "ready", "draining": False}
    assert answer.json() == well
    assert answer.headers["cache-control"] == "no-store"
    assert value(read_metrics(world)["agon_draining"]) == 0
    world.site.draining.set()
    assert world.browser().get("/healthz").json() == {**well, "draining": True}
    assert value(read_metrics(world)["agon_draining"]) == 1


def test_health_says_that_rules_are_being_compiled(world: World) -> None:
    rules = RulesLoader([GAME], compile_rules=lambda game: None)
    try:
        world.app.state.site = replace(world.site, rules=rules)
        answer = world.browser().get("/healthz")
        assert answer.status_code == 200
        assert answer.json()["rules"] == "0 of 1 games are ready; next: Hive"
    finally:
        rules.stop()


def test_a_datastore_that_does_not_answer(world: World) -> None:
    with world.store.database.read() as connection:
        connection.exec_driver_sql("SELECT 1")
    place = world.store.database.url.database
    assert place is not None
    world.store.close()
    damage(place)
    answer = world.browser().get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["missing"] == ["the datastore does not answer"]
    assert place not in answer.text
    metrics = read_metrics(world)
    assert value(metrics["agon_datastore_up"]) == 0
    assert "agon_bookings" not in metrics
    assert "agon_matches_stored_total" in metrics


def damage(place: str) -> None:
    with open(place, "wb") as file:
        file.write(b"this is no database, and is long enough to be looked at" * 100)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_has_died(world: World) -> None:
    workers = Workers(world.store, world.site.live_matches, world.clock, WorkerSettings(ladder=()))
    world.app.state.site = replace(world.site, workers=workers)
    assert world.browser().get("/healthz").status_code == 200
    died = Worker("clock", leave)
    died.start()
    assert died.join(60)
    workers._watches = [died]
    answer = world.browser().get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["missing"] == ["the thread 'clock' has ended"]
    assert value(read_metrics(world)["agon_dead_threads"]) == 1
    workers.stop()
    assert not died.has_died  # it was stopped


def leave() -> bool:
    raise SystemExit  # ends a thread without a word


def test_queues_are_counted_by_kind_and_state(world: World) -> None:
    store = world.store
    bot = store.bots.add(NewBot("hive", "crawler", NOON))
    version = store.versions.add(bot.id, NewVersion(NOON, run="./crawler"))
    for age in (90, 60, 30):
        store.bookings.add(
            NewBooking(
                BookingKind.CHALLENGE,
                "hive",
                asdict(GAME.options()),
                age,
                (version.id, version.id),
                NOON - age * SECOND,
            )
        )
    store.bookings.take(NOON)
    store.checks.add(version.id, NOON - 5 * SECOND)
    metrics = read_metrics(world)
    bookings = metrics["agon_bookings"]
    assert value(bookings, kind="challenge", state="queued") == 2
    assert value(bookings, kind="challenge", state="running") == 1
    assert value(bookings, kind="ladder", state="queued") == 0
    assert value(metrics["agon_bookings_oldest_seconds"]) == 60
    assert value(metrics["agon_checks"], state="queued") == 1
    assert value(metrics["agon_checks_oldest_seconds"]) == 5
    assert value(metrics["agon_datastore_up"]) == 1
    assert value(metrics["agon_datastore_bytes"]) > 4096


def test_stored_matches_and_faults_are_counted(world: World) -> None:
    bot = world.store.bots.add(NewBot("hive", "crawler", NOON))
    version = world.store.versions.add(bot.id, NewVersion(NOON, run="./crawler"))
    match = make_match([version.id, version.id], (2, 0))
    failed = replace(match.seats[1], fault=Fault.TIMEOUT)
    world.store.record_match(replace(match, seats=(match.seats[0], failed)))
    void = replace(match, status=MatchStatus.VOID, lateness_ns=7, rated=False)
    world.store.retrying(world.site.retry).record_match(void)
    metrics = read_metrics(world)
    stored = metrics["agon_matches_stored_total"]
    assert value(stored, game=match.game, status="finished") == 1
    assert value(stored, game=match.game, status="void") == 1
    assert sum(stored.samples.values()) == 2
    assert value(metrics["agon_faults_total"], fault="timeout") == 1
    assert value(metrics["agon_faults_total"], fault="crash") == 0
    assert value(metrics["agon_late_matches_total"]) == 1


def test_live_matches_streams_and_warnings_are_counted(world: World) -> None:
    site = world.site
    site.live_matches.begin(GAME, ("ada", "bob"), GAME.start(), NOON)
    record = logging.LogRecord("agon", logging.WARNING, "", 0, "the disk is full", (), None)
    for _ in range(3):
        site.warnings.handle(record)
    with site.places.taken("192.0.2.7"):
        metrics = read_metrics(world)
    assert value(metrics["agon_live_matches"], game="hive") == 1
    assert value(metrics["agon_live_matches"], game="skyport") == 0
    assert value(metrics["agon_streams"]) == 1
    assert value(metrics["agon_warnings_total"]) == 3


@pytest.mark.parametrize(
    ("host", "headers", "networks", "status"),
    [
        ("127.0.0.1", {}, (), 200),
        ("127.8.9.1", {}, (), 200),
        ("::1", {}, (), 200),
        ("::ffff:127.0.0.1", {}, (), 200),
        ("10.1.2.3", {}, (), 403),
        ("10.1.2.3", {}, ("10.0.0.0/8",), 200),
        ("::ffff:10.1.2.3", {}, ("10.0.0.0/8",), 200),
        ("fd00::7", {}, ("10.0.0.0/8", "fd00::/8"), 200),
        ("192.0.2.1", {}, ("10.0.0.0/8",), 403),
        ("somewhere", {}, ("0.0.0.0/0",), 403),
        # Through a proxy on this machine: by whatever header it says so.
        ("127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, (), 403),
        ("127.0.0.1", {"Forwarded": "for=127.0.0.1"}, (), 403),
        ("127.0.0.1", {"Via": "1.1 Caddy"}, (), 403),
        ("10.1.2.3", {"X-Real-IP": "10.1.2.3"}, ("10.0.0.0/8",), 403),
    ],
)
def test_who_may_read_metrics(
    blank: Path, host: str, headers: dict[str, str], networks: tuple[str, ...], status: int
) -> None:
    settings = SiteSettings(metrics_from=tuple(map(ip_network, networks)))
    world = make_world(blank, settings)
    try:
        answer = world.browser(host=host).get("/metrics", headers=headers)
        assert answer.status_code == status
        assert ("agon_" in answer.text) == (status == 200)
    finally:
        world.close()


def test_organisers_see_the_figures(world: World) -> None:
    world.add_user("olga", organiser=True)
    page = world.browser("olga").get("/warnings").text
    assert "<td>Matches that wait or are played.</td><td>challenge, queued</td>" in page


NODES = (
    ClusterNode("a1", "10.0.0.1", 0, {SANDBOX: HOLDS}),
    ClusterNode("b2", "10.0.0.2", 4, {SANDBOX: HOLDS}),
    ClusterNode("c3", "10.0.0.3", 4, {SANDBOX: HOLDS}),
    ClusterNode("d4", "10.0.0.4", 4, {SANDBOX: HOLDS}),
    ClusterNode("e5", "10.0.0.5", 8, {SANDBOX: "lacks-seccomp"}),
)


def test_the_machines_of_a_cluster(world: World) -> None:
    cluster = FakeCluster(12, NODES)
    working = {"b2": NodeWork(("booking 7, attempt 1",)), "e5": NodeWork(done=5)}
    cluster.work = FleetWork(working, waiting=3)
    workers = Workers(
        world.store,
        world.site.live_matches,
        world.clock,
        WorkerSettings(ladder=(), cluster="10.0.0.1:6379"),
        processes=cluster,
    )
    world.app.state.site = replace(world.site, workers=workers)
    metrics = read_metrics(world)
    machines = metrics["agon_cluster_machines"]
    assert value(machines, sandbox="holds", state="asks") == 1
    assert value(machines, sandbox="holds", state="busy") == 1
    assert value(machines, sandbox="holds", state="free") == 2
    assert value(machines, sandbox="lacks-seccomp", state="free") == 1
    assert value(metrics["agon_cluster_up"]) == 1
    assert value(metrics["agon_cluster_jobs_waiting"]) == 3
    assert value(metrics["agon_fleet_cores"]) == 12
    cluster.is_silent = True
    metrics = read_metrics(world)
    assert value(metrics["agon_cluster_up"]) == 0
    assert metrics["agon_fleet_cores"].samples == {}, "to count them would wait for the cluster"
    assert metrics["agon_cluster_machines"].samples == {}
    workers.stop()


def test_the_figures_of_the_fleet(world: World) -> None:
    workers = Workers(world.store, world.site.live_matches, world.clock, WorkerSettings(ladder=()))
    world.app.state.site = replace(world.site, workers=workers)
    metrics = read_metrics(world)
    assert value(metrics["agon_fleet_deaths_total"]) == 0
    assert set(metrics["agon_jobs_failed_total"].samples) == {
        (("cause", cause),) for cause in ("job", "host", "late", "exhausted", "no_machine")
    }
    assert metrics["agon_cluster_up"].samples == {}, "this machine is none"
    workers.stop()


def test_contests_are_counted_by_state(world: World) -> None:
    olga = world.add_user("olga", organiser=True)
    for name in ("cup", "league"):
        contest = world.store.contests.add(NewContest(name, "hive", "swiss"), olga.id, NOON)
    world.store.contests.set_state(contest.id, ContestState.OPEN)
    contests = read_metrics(world)["agon_contests"]
    assert value(contests, state="draft") == value(contests, state="open") == 1
    assert value(contests, state="running") == 0
