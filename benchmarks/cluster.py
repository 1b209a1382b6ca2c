"""What a match costs on a cluster beyond what it costs in a process here, and how the rate grows.

Short matches of random bots show the cost: what counts is all around them. Longer ones show how
many matches a second are played by more and more cores. A cluster of this machine has nodes of one
core each, and all their processes are this one's, so that their time is counted; of a cluster
elsewhere only the asking process is.
"""

from __future__ import annotations

import logging
import os
import secrets
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from agon.arbiter.entrant import Entrant, launch_on_host
from agon.arbiter.limits import Limits
from agon.arbiter.series import SeriesRunner
from agon.arena.cluster.connection import living_nodes
from agon.arena.cluster.node_labels import describe_machine
from agon.arena.cluster.ray_fleet import RayFleet
from agon.arena.cluster.settings import LOCAL, LOOPBACK, STORE_BYTES, TOKEN, ray_environment
from agon.arena.fleet.fleet import InProcessFleet
from agon.arena.fleet.jobs import JobPlayer, PlayedMatch, PlayMatch
from agon.arena.fleet.local_fleet import LocalFleet
from agon.cli.cluster import check_ray
from agon.errors import AgonError
from agon.games.registry import find_game
from agon.simulate.threads import available_cores
from benchmarks.duel import Duel, Side, Spent, cost, fight, read_meter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arena.fleet.fleet import Fleet
    from benchmarks.duel import Costs, Verdict

NODES = (1, 2, 4)
PIECE = 20
"""Matches between two readings of the meter, which take milliseconds themselves."""
CHECKOUT = Path(__file__).parents[1]
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class BenchMatch:
    """A match that is played again and again."""

    game: str
    bot: str
    turns: int

    def play(self, fleet: Fleet, matches: int) -> int:
        """Play it, one after the other; how many times."""
        bots = tuple(Entrant(name, built_in=self.bot) for name in ("ann", "bob"))
        players = tuple(JobPlayer(bot.name) for bot in bots)
        rules, limits = find_game(self.game).rules_version, Limits(10**9, turns=self.turns)
        for number in (next(_numbers) for _ in range(matches)):
            job = PlayMatch(f"match {number}", self.game, rules, {}, number, players, limits)
            result = fleet.carry_out(job, bots)
            if not isinstance(result, PlayedMatch):
                raise AgonError(f"a match of the bench was not played: {result}")
        return matches


SHORT = BenchMatch("hive", "random", turns=100)
LONG = BenchMatch("battlebots", "greedy", turns=40)


@dataclass(frozen=True, slots=True)
class GrowthModel:
    """By which constants the rate grows with the cores of a cluster."""

    costs: Costs
    """Of a long match, if one is played at a time."""
    cores_here: int | None
    """The cores that all processes of the cluster share; None: they are elsewhere."""

    def per_second(self, cores: int) -> float:
        """How many matches a second so many cores play: until something else is used up."""
        limits = [cores / self.costs.wall_ns, 1 / self.costs.own_cpu_ns]
        if self.cores_here is not None:
            limits.append(self.cores_here / self.costs.cpu_ns)
        return 10**9 * min(limits)


@dataclass(frozen=True, slots=True)
class ClusterFigures:
    """What was measured."""

    duel: Duel
    verdict: Verdict
    model: GrowthModel
    rates: dict[int, float]
    """By the number of cores, long matches in a second."""


def measure_cluster(address: str, rounds: int, round_ns: int) -> ClusterFigures:
    """Measure the cluster at this address, or one that is started on this machine."""
    is_here = address == LOCAL
    opened = nodes_here() if is_here else cluster_at(address)
    with opened as (cluster, growth), LocalFleet(1) as local:
        duel = Duel(
            "short matches, each a job of a fleet",
            "match",
            "matches",
            Side("on a cluster", lambda: SHORT.play(cluster, PIECE)),
            Side("in a process here", lambda: SHORT.play(local, PIECE)),
        )
        meter = read_meter if is_here else read_own_meter
        verdict = fight(duel, meter, rounds, round_ns)
        rate(cluster, 1, round_ns)  # all that it needs is there
        costs = cost(lambda: LONG.play(cluster, PIECE), meter, rounds * round_ns)
        rates = {
            cores: statistics.median(rate(cluster, cores, round_ns) for _ in range(rounds))
            for cores in growth
        }
    model = GrowthModel(costs, available_cores() if is_here else None)
    return ClusterFigures(duel, verdict, model, rates)


def rate(fleet: Fleet, cores: int, round_ns: int) -> float:
    """How many long matches a second are played on so many cores, for at least that time."""
    begin = time.perf_counter_ns()

    def work(_: int) -> int:
        played = LONG.play(fleet, 1)
        while time.perf_counter_ns() - begin < round_ns:
            played += LONG.play(fleet, 1)
        return played

    with ThreadPoolExecutor(cores) as threads:
        played = sum(threads.map(work, range(cores)))
    return played * 10**9 / (time.perf_counter_ns() - begin)


def read_own_meter() -> Spent:
    """What this process has spent: others are on other machines."""
    return Spent(time.perf_counter_ns(), time.process_time_ns(), 0)


@contextmanager
def cluster_at(address: str) -> Iterator[tuple[RayFleet, Iterator[int]]]:
    """The cluster at this address, and how many of its cores are to play: 1, 2, 4, … all."""
    with RayFleet(address) as fleet:
        cores = max(1, fleet.cores)
        powers = {1 << power for power in range(cores.bit_length())}
        yield fleet, iter(sorted({*powers, cores}))


@contextmanager
def nodes_here() -> Iterator[tuple[RayFleet, Iterator[int]]]:
    """A cluster of this machine, and its growth: as it goes on, nodes are added and ready."""
    check_ray()
    os.environ.setdefault(TOKEN, secrets.token_hex(32))
    host = LOOPBACK[0]
    os.environ.update(ray_environment(host, os.environ[TOKEN]))
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    node: dict[str, Any] = {
        "num_cpus": 1,
        "node_ip_address": host,
        "object_store_memory": STORE_BYTES // 3,
        "labels": describe_machine(),
        "env_vars": {"PYTHONPATH": with_checkout(os.environ.get("PYTHONPATH", ""))},
    }
    with TemporaryDirectory(prefix="agon-ray-", ignore_cleanup_errors=True) as folder:
        head = {**node, "include_dashboard": False, "temp_dir": folder}
        Path("/tmp/ray").mkdir(exist_ok=True)  # noqa: S108  Ray writes there, but does not make it
        machines: Any = Cluster(initialize_head=True, head_node_args=head)

        def grow() -> Iterator[int]:
            for nodes in NODES:
                for _ in range(nodes - len(machines.list_all_nodes())):
                    machines.add_node(**node)
                play_on_each_node()
                yield nodes

        try:
            with RayFleet(machines.address) as fleet:
                yield fleet, grow()
        finally:
            machines.shutdown()


def with_checkout(path: str) -> str:
    """A PYTHONPATH by which processes of nodes find this module, wherever the bench was started."""
    return os.pathsep.join(filter(None, (str(CHECKOUT), path)))


def play_on_each_node() -> None:
    """Have a match played on each node: the first one of a process takes seconds."""
    import ray

    task = ray.remote(num_cpus=1)(play_here)
    nodes = [{"ray.io/node-id": node.id} for node in living_nodes(ray)]
    ray.get([task.options(label_selector=node).remote() for node in nodes])


def play_here() -> int:
    return LONG.play(InProcessFleet(SeriesRunner(time.monotonic_ns, launch_on_host)), 1)
