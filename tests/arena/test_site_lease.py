"""A site among others on one datastore."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agon.arena.site_lease import SiteLease, has_ended, this_process
from agon.datastore import Store
from agon.datastore.servers import LEASE_NS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOON = 1_760_000_000_000_000_000


class World:
    """A store, what time it is, and how often something was taken over."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.now_ns = NOON
        self.taken_over = 0
        self.rejoined = 0

    def lease(self, name: str) -> SiteLease:
        def take_over() -> None:
            self.taken_over += 1

        def rejoin() -> None:
            self.rejoined += 1

        address, now_ns = f"http://{name}", lambda: self.now_ns
        return SiteLease(self.store, name, address, now_ns, take_over, rejoin)

    @property
    def names(self) -> list[str]:
        return [server.name for server in self.store.servers.all()]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """As on PostgreSQL, where there can be several servers."""
    with Store.open(tmp_path / "agon.db") as store:
        monkeypatch.setattr(store.database, "is_sqlite", False)
        yield World(store)


def test_a_server_that_is_not_heard_of_for_long_is_gone(world: World) -> None:
    world.store.servers.join("other", "", "", NOON)
    lease = world.lease("own")
    lease.enter()
    assert world.names == ["other", "own"]
    for _ in range(2):
        world.now_ns += LEASE_NS // 2
        lease.beat()
        lease.look()
    assert (world.names, world.taken_over) == (["other", "own"], 0)
    world.now_ns += 1
    lease.look()
    assert (world.names, world.taken_over) == (["own"], 1)
    lease.look()
    assert world.taken_over == 1
    lease.stop()
    assert world.names == []


def test_after_a_gap_the_others_are_given_time_to_come_back(world: World) -> None:
    world.store.servers.join("other", "", "", NOON)
    lease = world.lease("own")
    lease.enter()
    world.now_ns += 2 * LEASE_NS  # the datastore did not answer, or the machine slept
    lease.beat()
    lease.look()
    assert world.names == ["other", "own"]
    for _ in range(2):
        world.now_ns += LEASE_NS // 2
        lease.beat()
    lease.look()
    assert world.names == ["own"]
    lease.stop()


def test_a_server_that_was_taken_for_gone_joins_anew(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    lease = world.lease("own")
    lease.enter()
    first = world.store.servers.own_id
    assert first is not None
    lease.beat()
    assert world.rejoined == 0
    world.store.servers.remove([first])
    lease.beat()
    assert world.rejoined == 1
    assert world.names == ["own"]
    assert world.store.servers.own_id == world.store.servers.all()[0].id
    assert "this server was taken for gone; it begins anew" in caplog.text
    lease.stop()


def test_a_server_on_this_machine_whose_process_has_ended_is_gone_at_once(world: World) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from agon.arena.site_lease import *; print(this_process())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert has_ended(told)
    world.store.servers.join("dead", "", told, NOON)
    world.store.servers.join("alive", "", this_process(), NOON)
    world.store.servers.join("elsewhere", "", told.replace(told.split()[0], "b9"), NOON)
    lease = world.lease("own")
    lease.start()
    assert world.names == ["alive", "elsewhere", "own"]
    lease.stop()


def test_a_process_that_may_run_has_not_ended() -> None:
    assert not has_ended("")
    assert not has_ended(f"b9 {this_process().split()[1]}")
    assert not has_ended("b9")
    assert not has_ended(this_process())


def test_on_sqlite_there_is_one_server(tmp_path: Path) -> None:
    with Store.open(tmp_path / "agon.db") as store:
        store.servers.join("killed", "", "", NOON)
        world = World(store)
        lease = world.lease("own")
        lease.start()
        assert world.names == ["own"]
        lease.stop()
