"""How many threads a site has, and how much of a cluster is its own."""

from __future__ import annotations

from threading import Barrier, Event
from threading import enumerate as all_threads
from typing import TYPE_CHECKING

import pytest

from agon.arena.cluster.node_labels import HOLDS, SANDBOX
from agon.arena.cluster.places import ClusterNode
from agon.arena.live_matches import LiveMatches
from agon.arena.settings import WorkerSettings
from agon.arena.worker_thread import WorkerPool
from agon.arena.workers import Workers
from agon.datastore import Store
from tests.arena.fake_cluster import FakeCluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Site = Callable[[WorkerSettings, FakeCluster], Workers]

NOON = 1_800_000_000 * 10**9
LONG_S = 60


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "agon.db") as store:
        yield store


@pytest.fixture
def site(store: Store) -> Iterator[Site]:
    made: list[Workers] = []

    def make(settings: WorkerSettings, fleet: FakeCluster) -> Workers:
        made.append(Workers(store, LiveMatches(), lambda: NOON, settings, processes=fleet))
        return made[-1]

    yield make
    for workers in made:
        workers.stop()


def test_servers_share_the_cores_of_a_cluster(store: Store, site: Site) -> None:
    fleet = FakeCluster(17)
    workers = site(WorkerSettings(ladder=(), ladder_jobs=0, cluster="10.0.0.1:6379"), fleet)
    assert workers.ladder_room() == 16
    for number in (1, 2):
        store.servers.join(f"agon-{number}", f"http://agon-{number}:8000", "", NOON)
    workers.look_at_cluster()
    assert workers.ladder_room() == 8
    fleet.size = 2
    assert workers.ladder_room() == 1
    store.servers.leave()
    fleet.size = 17
    workers.look_at_cluster()
    assert workers.ladder_room() == 16


def test_what_the_operator_has_chosen_is_not_shared(store: Store, site: Site) -> None:
    settings = WorkerSettings(ladder=(), ladder_jobs=5, cluster="10.0.0.1:6379")
    workers = site(settings, FakeCluster(17))
    store.servers.join("agon-1", "http://agon-1:8000", "", NOON)
    store.servers.join("agon-2", "http://agon-2:8000", "", NOON)
    workers.look_at_cluster()
    assert workers.ladder_room() == 5


def test_users_bots_play_while_the_sandbox_holds_on_a_machine(site: Site) -> None:
    fleet = FakeCluster()
    workers = site(WorkerSettings(ladder=(), cluster="10.0.0.1:6379"), fleet)
    server = ClusterNode("a1", "10.0.0.1", 0, {SANDBOX: HOLDS})
    thin = ClusterNode("b2", "10.0.0.2", 4, {SANDBOX: "lacks-seccomp"})
    whole = ClusterNode("c3", "10.0.0.3", 4, {SANDBOX: HOLDS})
    for nodes, told in (
        ([server, thin, whole], ""),
        ([server, thin], "no machine of the cluster can hold programs"),
        ([whole], ""),
    ):
        fleet.nodes = nodes
        workers.look_at_cluster()
        assert workers.bot_builds.obstacle().startswith(told)
        assert bool(workers.bot_builds.obstacle()) == bool(told)
    fleet.nodes, fleet.is_silent = [thin], True
    workers.look_at_cluster()
    assert workers.bot_builds.obstacle() == ""


def threads(name: str) -> int:
    return sum(thread.name.startswith(f"{name} ") for thread in all_threads())


def test_checks_and_challenges_use_all_cores_of_a_cluster_that_grows(site: Site) -> None:
    fleet = FakeCluster(0)
    settings = WorkerSettings(ladder=(), check_jobs=0, challenge_jobs=0, cluster="10.0.0.1:6379")
    workers = site(settings, fleet)
    workers.start()
    assert (threads("check"), threads("challenge")) == (1, 1)
    fleet.size = 4
    workers.look_at_cluster()
    assert (threads("check"), threads("challenge")) == (4, 4)
    fleet.size = 2
    workers.look_at_cluster()
    assert (threads("check"), threads("challenge")) == (4, 4), "those that are there stay"
    workers.stop()
    fleet.size = 8
    workers.look_at_cluster()
    assert (threads("check"), threads("challenge")) == (0, 0)


def test_a_pool_works_in_all_its_threads_until_it_is_stopped() -> None:
    together, done = Barrier(3, timeout=LONG_S), Event()

    def work() -> bool:
        if not done.is_set():
            together.wait()
            done.set()
        return False

    pool = WorkerPool("pool", work, lambda: 3)
    pool.grow()
    assert pool.workers == []
    pool.start()
    assert done.wait(LONG_S)
    pool.stop()
    assert all(worker.join(LONG_S) for worker in pool.workers)
    pool.grow()
    assert len(pool.workers) == 3
