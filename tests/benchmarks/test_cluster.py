"""The cluster's bench, small: all matches are played, and the model says what limits them."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from agon.arena.cluster.settings import ADDRESS, TOKEN
from benchmarks.cluster import ClusterFigures, GrowthModel
from benchmarks.cluster_report import cluster_json, print_cluster
from benchmarks.duel import Costs, Duel, Side, Verdict
from tests.waiting import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

MS = 10**6
LONG = Costs(cpu_ns=100 * MS, own_cpu_ns=4 * MS, wall_ns=80 * MS, piece_ns=80 * MS)
DUEL = Duel("short", "match", "matches", Side("there", lambda: 1), Side("here", lambda: 1))
VERDICT = Verdict(Costs(9 * MS, 3 * MS, 9 * MS, MS), Costs(4 * MS, MS, 4 * MS, MS), 2.25, 2.25)
HEAD = "127.0.0.2"
ROOT = Path(__file__).parents[2]
ENVIRON = {**os.environ, ADDRESS: "", TOKEN: "only-for-this-test-of-a-cluster"}


def bench(folder: Path, *arguments: str) -> Any:
    """In a process of its own: Ray remembers the token of another test's cluster."""
    environ = {**ENVIRON, "PYTHONPATH": str(ROOT / "src")}  # the benchmarks are found without it
    command = [sys.executable, "-m", "agon", "bench", "cluster", "--rounds", "1", "--seconds", "0"]
    done = subprocess.run(
        [*command, "--json", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environ,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["cluster"]


@pytest.mark.system
@pytest.mark.slow
def test_what_a_match_costs_and_rates_by_nodes_of_this_machine(tmp_path: Path) -> None:
    found = bench(tmp_path)
    costs = found["duel"]["sides"]
    assert min(side["cpu_ns"] for side in costs.values()) > 0
    here, there = costs["in a process here"]["cpu_ns"], costs["on a cluster"]["cpu_ns"]
    assert found["more_cpu_ns"] == there - here
    assert found["long_match"]["cpu_ns"] > found["long_match"]["own_cpu_ns"] > 0
    assert [*found["per_1000_seconds"]] == ["1", "2", "4"]
    assert all(rate["measured"] > 0 < rate["model"] for rate in found["per_1000_seconds"].values())


@pytest.mark.system
@pytest.mark.slow
def test_of_a_cluster_elsewhere_this_process_alone_is_counted(tmp_path: Path) -> None:
    with running_head() as address:
        found = bench(tmp_path, "--cluster", address)
    for costs in (found["long_match"], *found["duel"]["sides"].values()):
        assert costs["cpu_ns"] == costs["own_cpu_ns"] > 0
    assert (found["more_cpu_ns"], found["cores_here"]) == (None, None)
    assert [*found["per_1000_seconds"]] == ["1", "2", "3"]


@contextmanager
def running_head() -> Iterator[str]:
    """A cluster of its head alone, with three cores, however many this machine has."""
    with socket.create_server((HEAD, 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "agon", "cluster", "head", "--host", HEAD, "--open"]
    head = subprocess.Popen([*command, f"--port={port}", "--cores=3"], env=ENVIRON)
    try:
        wait_for(lambda: is_open(port) or head.poll() is not None)
        yield f"{HEAD}:{port}"
    finally:
        head.terminate()
        head.wait(60)


def is_open(port: int) -> bool:
    with closing(socket.socket()) as client:
        return client.connect_ex((HEAD, port)) == 0


@pytest.mark.parametrize(
    ("cores", "here", "elsewhere"), [(1, 12.5, 12.5), (2, 20, 25), (16, 20, 200), (1000, 20, 250)]
)
def test_the_rate_grows_until_something_is_used_up(
    cores: int, here: float, elsewhere: float
) -> None:
    assert GrowthModel(LONG, cores_here=2).per_second(cores) == pytest.approx(here)
    assert GrowthModel(LONG, cores_here=None).per_second(cores) == pytest.approx(elsewhere)


@pytest.mark.parametrize("cores_here", [2, None])
def test_people_see_rates_the_model_and_what_is_counted(cores_here: int | None) -> None:
    figures = ClusterFigures(DUEL, VERDICT, GrowthModel(LONG, cores_here), {1: 12.0, 4: 19.5})
    written = io.StringIO()
    print_cluster(Console(file=written, width=80), figures)
    text = written.getvalue()
    counted = "5.0 ms of CPU more than here" if cores_here else "the CPU of this process alone"
    assert counted in text
    assert ("2 cores of this machine / 100.0 ms" in text) == bool(cores_here)
    rows = [line.split() for line in text.splitlines()]
    assert ["1", "12.0", "12.5"] in rows
    assert ["4", "19.5", "20.0" if cores_here else "50.0"] in rows
    found: Any = cluster_json(figures)
    assert found["more_cpu_ns"] == (5 * MS if cores_here else None)
    assert found["per_1000_seconds"]["4"]["measured"] == 19_500
