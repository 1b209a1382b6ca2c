"""Where in a cluster jobs can be done: machines with fitting labels, matches on one speed class."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from agon.arena.cluster.node_labels import HOLDS, OWN, SANDBOX, SPEED, VERSION, fits, own_version

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

LOOK_SECONDS = 0.5
"""Between two looks at the cluster's machines."""


@dataclass(frozen=True, slots=True)
class ClusterNode:
    """A machine of the cluster."""

    id: str
    address: str
    cores: int
    labels: Mapping[str, str]
    gpus: int = 0

    @property
    def speed(self) -> str:
        """Its speed class; empty if it was not measured."""
        return self.labels.get(SPEED, "")

    @property
    def version(self) -> str:
        return self.labels.get(VERSION, "")

    @property
    def sandbox(self) -> str:
        return self.labels.get(SANDBOX, "not known: no users' bots")

    @property
    def given_labels(self) -> str:
        """The labels of the command line."""
        given = (f"{k}={v}" for k, v in self.labels.items() if not k.startswith(OWN))
        return " ".join(given)


def without_matches(nodes: Sequence[ClusterNode], speed: str) -> list[ClusterNode]:
    """The machines that get no matches as those are played on another speed class, if on any."""
    playing = [node for node in nodes if node.cores and node.version == own_version()]
    if all(node.speed != speed for node in playing):
        return []  # nobody has asked, or its machines are gone: there will be another class
    return [node for node in playing if node.speed != speed]


class ClusterPlaces:
    """The machines of a cluster, for one who sends jobs there. Threads may share it."""

    def __init__(
        self,
        look: Callable[[], Sequence[ClusterNode]],
        clock: Callable[[], float] = time.monotonic,
        agree: Callable[[str, Collection[str]], str] = lambda wanted, there: wanted,
    ) -> None:
        """`look` finds the machines that are alive.

        `agree` takes the speed class that is wanted here and those that are there, and gives the
        one on which all who ask for jobs play.
        """
        self._look = look
        self._clock = clock
        self._agree = agree
        self._seen: Sequence[ClusterNode] = ()
        self._seen_at = -LOOK_SECONDS
        self._speed = ""
        self._lock = Lock()
        self.slow: frozenset[str] = frozenset()
        """The ids of machines that are slower than when they joined; matches avoid them."""

    @property
    def cores(self) -> int:
        """The cores that can play matches now."""
        speed = self.speed_class()
        found = [node for node in self.nodes() if node.speed == speed]
        well = [node for node in found if node.id not in self.slow]
        return sum(node.cores for node in well or found)

    @property
    def machines(self) -> Counter[str]:
        """How many machines there are, by whether the sandbox holds there."""
        return Counter(node.labels.get(SANDBOX, "unknown") for node in self.nodes())

    @property
    def devices(self) -> dict[str, int]:
        """What can simulate: GPUs ("cuda"), and the cores ("cpu") that they leave free."""
        cores = sum(node.cores for node in self.nodes())
        gpus = sum(min(node.cores, node.gpus) for node in self.nodes())
        return {"cuda": gpus, "cpu": cores - gpus}

    def speed_class(self) -> str:
        """The class on which all matches are played: that with most cores at first.

        Where the sandbox holds, if it does anywhere. Another class is taken when no machine of the
        first one is left.
        """
        self.nodes()
        return self._speed

    def _choose_speed(self, nodes: Sequence[ClusterNode]) -> str:
        playing = [node for node in nodes if node.cores]
        held = [node for node in playing if node.labels.get(SANDBOX) == HOLDS]
        cores: Counter[str] = Counter()
        for node in held or playing:
            cores[node.speed] += node.cores
        most = max(cores, key=lambda name: cores[name], default="")
        wanted = self._speed if self._speed in cores else most
        return self._agree(wanted, set(cores)) if cores else ""

    def has(self, needs: Mapping[str, str], avoided: Collection[str] = ()) -> bool:
        """Whether a machine with these labels is there that is not avoided, free or not."""
        return self.most_cores(needs, avoided) > 0

    def is_alive(self, node: str) -> bool:
        """Whether the head hears of this machine."""
        return any(one.id == node for one in self.nodes())

    def most_cores(self, needs: Mapping[str, str], avoided: Collection[str] = ()) -> int:
        """The cores of the largest machine with these labels that is not avoided."""
        fitting = (one for one in self.nodes() if fits(one.labels, needs))
        return max((one.cores for one in fitting if one.id not in avoided), default=0)

    def nodes(self) -> Sequence[ClusterNode]:
        """The machines as they were a moment ago."""
        with self._lock:
            if self._clock() - self._seen_at >= LOOK_SECONDS:
                self._seen, self._seen_at = self._look(), self._clock()
                self._speed = self._choose_speed(self._seen)
            return self._seen


def tell_lack(nodes: Sequence[ClusterNode], needs: Mapping[str, str]) -> str:
    """Why none of a cluster's machines has these labels."""
    if not any(node.cores for node in nodes):
        return "the cluster has no machine that does jobs now"
    return f"no machine of the cluster has {' '.join(f'{k}={v}' for k, v in needs.items())}"
