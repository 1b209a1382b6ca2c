"""A site among the servers of its datastore: it says that it is there, and takes over what is left.

    lease = SiteLease(store, "agon-1:8000", "http://agon-1:8000", time.time_ns, take_over)
    lease.start()    # before anything is begun
    lease.stop()     # when nothing is under way any more

SQLite has one server at a time; what another one has left there is taken over at once. On
PostgreSQL a server that is gone is noticed after LEASE_NS, or at once if its process has ended on
the machine of another.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from agon.arena.worker_thread import Worker
from agon.datastore.servers import LEASE_NS
from agon.errors import DatabaseError
from agon.sandbox.leftovers import is_left_over, new_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.datastore.servers import Server
    from agon.datastore.store import Store

LOG = logging.getLogger("agon.arena")
BEAT_SECONDS = 5.0
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
PREFIX = "server"
GAP_NS = LEASE_NS // 2


class SiteLease:
    """Start it once; after `stop` it is done."""

    def __init__(
        self,
        store: Store,
        name: str,
        address: str,
        now_ns: Callable[[], int],
        take_over: Callable[[], None],
        rejoin: Callable[[], None] = lambda: None,
    ) -> None:
        """`take_over` takes up what servers have left, when one is gone.

        `rejoin` lets go of what another one has taken up, when this one was taken for gone.
        """
        self._store = store
        self._name = name
        self._address = address
        self._now_ns = now_ns
        self._take_over = take_over
        self._rejoin = rejoin
        self.servers: list[Server] = []
        """All of the datastore, as of a moment ago, the oldest first."""
        self._beaten_ns = 0
        self._steady_ns = 0
        """Since when it has said so without a gap: in a gap the others may have been hindered,
        too."""
        self._workers = [
            Worker("lease", self.beat, BEAT_SECONDS),
            Worker("taking over", self.look, BEAT_SECONDS),  # which may take long
        ]

    def start(self) -> None:
        """Join the servers of the datastore, and stay one of them."""
        self.enter()
        for worker in self._workers:
            worker.start()

    def enter(self) -> None:
        """Join the servers of the datastore; what others have left is free after that."""
        self._beaten_ns = self._now_ns()
        self._join()
        self._remove_gone(self._beaten_ns)
        self.servers = self._store.servers.all()

    def stop(self) -> None:
        """Leave: the others take up at once what is not done."""
        for worker in self._workers:
            worker.stop()
            worker.join(BEAT_SECONDS)
        with suppress(DatabaseError):  # they notice it by themselves
            self._store.servers.leave()

    def beat(self) -> bool:
        """Say that this server is there."""
        now_ns = self._now_ns()
        if not self._store.servers.stay(now_ns):
            LOG.warning("this server was taken for gone; it begins anew")
            self._join()
            self._rejoin()
        if now_ns - self._beaten_ns > GAP_NS:
            self._steady_ns = now_ns
        self._beaten_ns = now_ns
        return False

    def look(self) -> bool:
        """Take over what those have left that are gone."""
        now_ns = self._now_ns()
        is_steady = now_ns - self._beaten_ns <= GAP_NS and now_ns >= self._steady_ns + LEASE_NS
        if is_steady and self._remove_gone(now_ns):
            self._take_over()
        self.servers = self._store.servers.all()
        return False

    def _join(self) -> None:
        self._store.servers.join(self._name, self._address, this_process(), self._now_ns())

    def _remove_gone(self, now_ns: int) -> bool:
        servers = self._store.servers
        others = (one for one in servers.all() if one.id != servers.own_id)
        gone = [one for one in others if self._is_gone(one, now_ns)]
        for one in gone:
            LOG.warning("server %s is gone: what it had begun is taken up here", one.name)
        servers.remove([one.id for one in gone])
        return bool(gone)

    def _is_gone(self, server: Server, now_ns: int) -> bool:
        if self._store.database.is_sqlite:
            return True
        return server.seen_ns < now_ns - LEASE_NS or has_ended(server.process)


def this_process() -> str:
    """Which process this is, of which start of which machine; empty: unknown."""
    try:
        return f"{BOOT_ID.read_text().strip()} {new_name(PREFIX)}"
    except OSError:
        return ""


def has_ended(process: str) -> bool:
    """Whether a process has certainly ended: it ran on this machine, and does not any more."""
    boot, _, name = process.partition(" ")
    return boot == this_process().partition(" ")[0] and is_left_over(name, PREFIX)
