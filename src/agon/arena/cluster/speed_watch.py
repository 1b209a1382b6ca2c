"""Measures the machines of a cluster again, from time to time.

A machine may become slower than it was when it joined: it is throttled, or shared with others. Its
labels stay what they were; matches avoid it until it is as fast as before.
"""

from __future__ import annotations

import logging
from threading import Event, Thread
from typing import TYPE_CHECKING

from agon.arena.cluster.node_labels import is_slow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arena.cluster.places import ClusterNode, ClusterPlaces

LOG = logging.getLogger("agon.arena")
WATCH_SECONDS = 600.0


class SpeedWatch:
    """A thread that tells the places which machines are slow."""

    def __init__(
        self,
        places: ClusterPlaces,
        measure: Callable[[Sequence[ClusterNode]], Mapping[str, int]],
        seconds: float = WATCH_SECONDS,
    ) -> None:
        """`measure` gives steps per second by the ids of machines, of those that answer."""
        self._places = places
        self._measure = measure
        self._seconds = seconds
        self._stopped = Event()
        self._thread = Thread(target=self._watch, name="speed watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()

    def _watch(self) -> None:
        while not self._stopped.wait(self._seconds):
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  the cluster may be gone: look again later
                LOG.warning("the machines of the cluster were not measured: %.200s", error)

    def look(self) -> None:
        """Measure all machines once."""
        before = self._places.slow
        nodes = [node for node in self._places.nodes() if node.cores]
        measured = self._measure(nodes)
        slow = {
            node.id
            for node in nodes
            if node.id in measured and is_slow(node.labels, measured[node.id])
        }
        for node in nodes:
            if node.id in measured and (node.id in slow) != (node.id in before):
                now = "slower than" if node.id in slow else "as fast again as"
                LOG.warning("machine %s is %s when it joined", node.address, now)
        self._places.slow = frozenset(slow | (before - measured.keys()))
