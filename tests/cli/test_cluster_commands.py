"""Commands on a cluster run to their end, and find what they find without one."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from agon.arena.cluster.node_labels import HOLDS, SANDBOX, SPEED, VERSION, own_version
from agon.arena.cluster.places import ClusterNode
from agon.arena.cluster.settings import ADDRESS, TOKEN
from agon.arena.fleet.job_ledger import FailedAttempt, NodeWork
from agon.cli.cluster import print_failures, print_nodes, print_speeds
from agon.datastore import MatchFilter, Store
from tests.cli.process import call_agon
from tests.waiting import wait_for
from tests.website.killing import is_open

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOST = "127.0.0.1"
ENVIRON = {**os.environ, TOKEN: "only-for-this-test-of-a-cluster"}
SIMULATE = ("simulate", "hive", "--games", "300", "--cap", "60", "--seed", "4", "--checksum")
TOURNAMENT = ("tournament", "hive", "random", "greedy", "random", "--cap", "20", "--seed", "4")
SPRT = ("sprt", "hive", "greedy", "random", "--cap", "20", "--pairs", "3", "--seed", "4")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Of a cluster of its head alone, with two cores."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "agon", "cluster", "head", "--cores=2", "--label=room=lab"]
    head = subprocess.Popen([*command, f"--port={port}", "--ports=21000-21299"], env=ENVIRON)
    try:
        wait_for(lambda: is_open(HOST, port) or head.poll() is not None)
        yield f"{HOST}:{port}"
    finally:
        head.terminate()
        assert head.wait(60) == 0


def run_on(address: str, *arguments: str) -> str:
    """The output of a command for which AGON_CLUSTER names the cluster, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "agon", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**ENVIRON, ADDRESS: address},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_here(*arguments: str) -> str:
    done = call_agon(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.system
@pytest.mark.long
def test_commands_find_on_a_cluster_what_they_find_here(address: str, tmp_path: Path) -> None:
    there, here = tmp_path / "there", tmp_path / "here"
    commands = (*SIMULATE, "--json"), (*SPRT, "--json"), (*TOURNAMENT, "--data", str(there))
    with ThreadPoolExecutor() as threads:
        simulated, tested, _ = threads.map(lambda words: run_on(address, *words), commands)
    told = json.loads(simulated)
    assert told["checksum"] == json.loads(run_here(*SIMULATE, "--json"))["checksum"]
    assert json.loads(tested) == json.loads(run_here(*SPRT, "--json"))
    run_here(*TOURNAMENT, "--data", str(here))
    assert stored(there) == stored(here)
    assert len(stored(there)) == 6
    lines = run_on(address, "cluster", "status").splitlines()
    (row,) = (line.split() for line in lines if line.startswith(f" {HOST} "))
    assert row[2:5] == ["2", "0", "holds"]
    assert int(row[-3]) > 6 * 2  # jobs: the matches of both, and at least one block
    assert lines[-1] == "0 jobs wait for a machine"


@pytest.mark.system
@pytest.mark.long
def test_a_service_with_a_tmp_of_its_own_is_told_of_it(address: str) -> None:
    hide = 'mount -t tmpfs none /tmp/ray && exec "$@"'
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    unshare = ["unshare", *as_root, "--mount", "sh", "-c", hide, "sh"]
    done = subprocess.run(
        [*unshare, sys.executable, "-m", "agon", "cluster", "status", "--cluster", address],
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRON,
    )
    assert done.returncode == 2
    assert "PrivateTmp" in done.stderr
    assert done.stderr.count("\n") == 1


def stored(data: Path) -> Any:
    """The matches of a tournament, by fixture."""
    with Store.open(data / "agon.db", create=False) as store:
        return sorted(
            (match.fixture, match.seed, match.turns, *((one.bot, one.score) for one in match.seats))
            for match in store.matches.find(MatchFilter(), 100)
        )


def test_people_see_what_machines_do_and_what_failed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    same = {VERSION: own_version(), SANDBOX: HOLDS, SPEED: "203", "room": "lab"}
    lacks = {VERSION: "0.0.9", SANDBOX: "lacks bubblewrap"}
    nodes = [
        ClusterNode("a1b2c3d4", "10.110.120.130", 4, same),
        ClusterNode("e5f6a7b8", "10.110.120.131", 16, lacks, gpus=2),
    ]
    print_nodes(nodes, {"a1b2c3d4": NodeWork(("booking 7, attempt 1",), 13, 1, 4.25)})
    log = ("Traceback", "MemoryError")
    print_failures(
        nodes,
        [
            FailedAttempt("a1b2c3d4", "booking 6, attempt 2", "its process died", log),
            FailedAttempt("gone", "booking 5, attempt 1", "the machine is lost"),
            FailedAttempt("", "booking 4, attempt 1", "no machine fits"),
        ],
    )
    told = capsys.readouterr().out
    rows = [line.split() for line in told.splitlines() if line.startswith(" 10.110.")]
    assert rows == [
        ["10.110.120.130", "a1b2c3", "4", "0", "holds", "203", "13", "1", "4.2"],
        ["10.110.120.131", "e5f6a7", "16", "2", "no", "?", "0", "0", "0.0"],
    ]
    assert told.splitlines()[-8:] == [
        "10.110.120.130 a1b2c3 has room=lab",
        "10.110.120.130 a1b2c3 plays booking 7, attempt 1",
        f"10.110.120.131 e5f6a7 has Agon 0.0.9: it gets no jobs of {own_version()}",
        "booking 6, attempt 2, 10.110.120.130: its process died",
        "    Traceback",
        "    MemoryError",
        "booking 5, attempt 1, a node that is gone: the machine is lost",
        "booking 4, attempt 1, no node: no machine fits",
    ]


def test_people_see_which_machines_get_no_matches_for_their_speed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def machine(name: str, speed: str, cores: int = 4) -> ClusterNode:
        return ClusterNode(name, "10.0.0.1", cores, {VERSION: own_version(), SPEED: speed})

    nodes = [machine("a1b2c3", "128"), machine("d4e5f6", "203"), machine("asks", "256", cores=0)]
    print_speeds(nodes, "128")
    assert capsys.readouterr().out.splitlines() == [
        "10.0.0.1 d4e5f6 gets no matches: it is of speed 203, and they are played on 128",
        "If these machines are as fast, join them all with --label agon-speed=NAME",
    ]
    for speed in ("", "of machines that are gone"):
        print_speeds(nodes, speed)
    print_speeds(nodes[:1], "128")
    assert capsys.readouterr().out == ""
