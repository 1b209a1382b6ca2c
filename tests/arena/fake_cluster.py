"""A cluster whose machines are only told of: they play nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.cluster.ray_fleet import RayFleet
from agon.arena.fleet.job_ledger import FleetWork
from agon.errors import ArbiterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.arbiter.bot_process import Program
    from agon.arena.cluster.places import ClusterNode


class FakeCluster(RayFleet):
    """Change what it has, and see how a site takes it."""

    def __init__(self, cores: int = 1, nodes: Sequence[ClusterNode] = ()) -> None:
        self.size = cores
        self.nodes = nodes
        self.work = FleetWork()
        self.is_silent = False
        self.deaths = 0

    @property
    def cores(self) -> int:
        return self.size

    def match_obstacle(self, programs: Iterable[Program]) -> str:
        return ""

    def read(self) -> tuple[list[ClusterNode], FleetWork]:
        if self.is_silent:
            raise ArbiterError("the cluster does not answer")
        return list(self.nodes), self.work

    def close(self) -> None:
        pass
