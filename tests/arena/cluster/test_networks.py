"""A cluster as users start it, in networks of its own: one that fails, and one for strangers."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import pytest

from agon.arena.cluster.deaths import LOST
from agon.arena.cluster.settings import TOKEN
from tests.arena.cluster.small_network import AGON, cluster_status, machines, make_switch
from tests.waiting import wait_for

if TYPE_CHECKING:
    from pathlib import Path

    from tests.arena.cluster.small_network import Machine

pytestmark = [pytest.mark.system, pytest.mark.slow]

HEAD = "10.77.0.1:6379"
HEAD_STARTED, JOINED = "the head is at", "joined 10.77.0.1"
CAP = 12
MATCH = (*AGON, "match", "hive", "search", "search", "--time", "2s", "--cluster", HEAD)
"""Two seconds a turn."""
CONNECT = """
import concurrent.futures, socket, sys

def connect(address):
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), 3).close()
        return "open"
    except ConnectionRefusedError:
        return "refused"
    except TimeoutError:
        return "dropped"

with concurrent.futures.ThreadPoolExecutor(50) as threads:
    print(*threads.map(connect, sys.argv[1:]))
"""


def start_head(machine: Machine) -> None:
    machine.start(*AGON, "cluster", "head", "--host", "10.77.0.1", "--cores", "0")
    wait_for(lambda: HEAD_STARTED in machine.told())


def start_member(machine: Machine, host: str) -> None:
    member = (*AGON, "cluster", "join", HEAD, "--host", host, "--cores", "1")
    machine.start(*member, "--label", "agon-speed=lab")
    wait_for(lambda: JOINED in machine.told())


def test_a_machine_that_is_cut_off_loses_its_job_and_joins_again(tmp_path: Path) -> None:
    with machines(tmp_path, "switch", "head", "one", "two") as (switch, head, *members):
        make_switch(switch)
        head.join_network(switch, "private0", "10.77.0.1")
        start_head(head)
        for i, machine in enumerate(members, 2):
            machine.join_network(switch, "private0", f"10.77.0.{i}")
            start_member(machine, f"10.77.0.{i}")
        saved = tmp_path / "match.json"
        asked = head.start(*MATCH, "--cap", str(CAP), "--save", str(saved))
        wait_for(lambda: any(busy_addresses(head)) or asked.poll() is not None)
        (address,) = busy_addresses(head)
        lost, other = members if address.endswith(".2") else reversed(members)
        lost.run("ip", "link", "set", "private0", "down")
        wait_for(lambda: cluster_status(head, HEAD)["failures"] != [])
        lost.run("ip", "link", "set", "private0", "up")
        # It comes back while the other machine plays, and brings a result that nobody waits for.
        wait_for(lambda: lost.told().count(JOINED) == 2)
        assert asked.wait(300) == 0, head.told()
        assert len(json.loads(saved.read_text())["events"]) >= CAP
        status = cluster_status(head, HEAD)
        assert [failure["message"] for failure in status["failures"]] == [LOST]
        assert {node["address"]: node["done"] for node in status["nodes"]} == {
            "10.77.0.1": 0,
            address: 0,
            "10.77.0.3" if address.endswith(".2") else "10.77.0.2": 1,
        }
        assert "cut off from the head" in lost.told()
        assert other.told().count(JOINED) == 1
        head.run(*MATCH, "--cap", "4", "--games", "2", "--jobs", "2")
        done = {node["address"]: node["done"] for node in cluster_status(head, HEAD)["nodes"]}
        assert done[address] == 1


def busy_addresses(head: Machine) -> list[str]:
    nodes = cluster_status(head, HEAD)["nodes"]
    return [node["address"] for node in nodes if node["playing"]]


def reach(machine: Machine, addresses: list[str]) -> set[str]:
    """What happens to connections from there to these addresses."""
    return set(machine.run(sys.executable, "-c", CONNECT, *addresses).split())


def test_ray_is_reached_in_the_private_network_alone(tmp_path: Path) -> None:
    names = "private", "public", "head", "one", "stranger"
    with machines(tmp_path, *names) as (private, public, head, one, stranger):
        for switch in (private, public):
            make_switch(switch)
        for i, machine in enumerate((head, one), 1):
            machine.join_network(private, "private0", f"10.77.0.{i}")
            machine.join_network(public, "public0", f"192.0.2.{i}")
        stranger.join_network(public, "public0", "192.0.2.9")
        start_head(head)
        start_member(one, "10.77.0.2")
        asked = head.start(*MATCH)
        wait_for(lambda: any(busy_addresses(head)) or asked.poll() is not None)
        listening = head.listening(), one.listening()
        for i, (machine, found) in enumerate(zip((head, one), listening, strict=True), 1):
            open_ports = [port for host, port in found if host == "*"]
            assert len(open_ports) > 2  # two of Ray's own, and those of processes that play or ask
            inside = [f"10.77.0.{i}:{port}" for port in open_ports]
            reached = reach(one if machine is head else head, inside)
            assert reached - {"refused"} == {"open"}  # refused: a process has ended meanwhile
            ports = [port for _, port in found]
            outside = [f"192.0.2.{i}:{port}" for port in ports]
            assert reach(stranger, outside) == {"dropped"}
            # The private address does not help them, whatever way their packets take.
            stranger.run("ip", "route", "replace", "10.77.0.0/24", "via", f"192.0.2.{i}")
            assert reach(stranger, [f"10.77.0.{i}:{port}" for port in ports]) == {"dropped"}
            assert reach(stranger, [f"192.0.2.{i}:9", f"10.77.0.{i}:9"]) == {"refused"}
        head.stop(asked)
        head.run(*MATCH, "--cap", "4")
        another = {TOKEN: "of-somebody-else"}
        refused = one.attempt(*AGON, "cluster", "status", "--cluster", HEAD, **another)
        assert refused.returncode == 2
        assert "has another token than the one here" in refused.stderr
        assert "agon_cluster" in one.run("nft", "list", "tables")
        assert one.stop(one.started[0]) == 0
        assert one.run("nft", "list", "tables") == ""
        assert all(host != "*" for host, _ in one.listening())


def test_what_cannot_be_closed_does_not_start(tmp_path: Path) -> None:
    with machines(tmp_path, "private", "public", "head") as (private, public, head):
        for i, switch in enumerate((private, public)):
            make_switch(switch)
            head.join_network(switch, f"eth{i}", f"10.77.{i}.1")
        command = (*AGON, "cluster", "head", "--host", "10.77.0.1")
        user = ("setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin")
        refused = head.attempt(*user, *command)
        assert refused.returncode == 2
        assert "Ray would listen on 10.77.1.1" in refused.stderr
        assert refused.stderr.count("\n") == 1
        told = re.search(r"run as root: (nft '[^']+')", refused.stderr)
        assert told is not None
        head.run("sh", "-c", told[1])
        assert "tcp dport { 6379, 11000-11999 }" in head.run("nft", "list", "ruleset")
