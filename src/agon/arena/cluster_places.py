"""Where in a cluster jobs can be done: machines with fitting labels, matches on one speed class."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from agon.arena.node_labels import HOLDS, SANDBOX, SPEED, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LOOK_SECONDS = 0.5
"""Between two looks at the cluster's machines."""


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A machine of the cluster."""

    id: str
    address: str
    cores: int
    labels: Mapping[str, str]

    @property
    def speed(self) -> str:
        """Its speed class; empty if it was not measured."""
        return self.labels.get(SPEED, "")


class ClusterPlaces:
    """The machines of a cluster, for one who sends jobs there. Threads may share it."""

    def __init__(
        self,
        look: Callable[[], Sequence[ClusterNode]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`look` finds the machines that are alive."""
        self._look = look
        self._clock = clock
        self._seen: Sequence[ClusterNode] = ()
        self._seen_at = -LOOK_SECONDS
        self._speed: str | None = None
        self._lock = Lock()

    @property
    def cores(self) -> int:
        """The cores that can play matches now."""
        speed = self.speed_class()
        return sum(node.cores for node in self._nodes() if node.speed == speed)

    @property
    def machines(self) -> Counter[str]:
        """How many machines there are, by whether the sandbox holds there."""
        return Counter(node.labels.get(SANDBOX, "unknown") for node in self._nodes())

    def speed_class(self) -> str:
        """The class on which all matches are played: that with most cores at first.

        Where the sandbox holds, if it does anywhere. Another class is taken when no machine of the
        first one is left.
        """
        nodes = self._nodes()
        held = [node for node in nodes if node.cores and node.labels.get(SANDBOX) == HOLDS]
        cores: Counter[str] = Counter()
        for node in held or nodes:
            cores[node.speed] += node.cores
        if self._speed is None or not cores[self._speed]:
            self._speed = max(cores, key=lambda name: cores[name], default="")
        return self._speed

    def has(self, needs: Mapping[str, str]) -> bool:
        """Whether a machine with these labels is there, free or not."""
        return any(node.cores and fits(node.labels, needs) for node in self._nodes())

    def most_cores(self, needs: Mapping[str, str]) -> int:
        """The cores of the largest machine with these labels."""
        return max((one.cores for one in self._nodes() if fits(one.labels, needs)), default=0)

    def _nodes(self) -> Sequence[ClusterNode]:
        """The machines as they were a moment ago."""
        with self._lock:
            if self._clock() - self._seen_at >= LOOK_SECONDS:
                self._seen, self._seen_at = self._look(), self._clock()
            return self._seen
