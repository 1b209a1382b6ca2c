"""What plays for this site, for organisers: machines, queues, and the last jobs that failed."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass
from socket import gethostname
from threading import Lock, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from agon.arbiter.sandboxed import missing_layers
from agon.arena.cluster.places import without_matches
from agon.arena.fleet.job_ledger import NodeWork
from agon.arena.fleet.local_fleet import LocalFleet
from agon.datastore.bookings import WAITING
from agon.datastore.enums import BookingKind, BookingState, CheckState
from agon.datastore.gauges import booking_queues, check_queues
from agon.errors import ArbiterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agon.arena.fleet.job_ledger import FailedAttempt
    from agon.arena.workers import Workers
    from agon.datastore.gauges import QueueLength
    from agon.website.site import Site

T = TypeVar("T")
PATIENCE_SECONDS = 2.0
NOT_MEASURED = "not measured"


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine that plays, and what it does."""

    id: str
    name: str
    cores: int
    sandbox: str
    speed: str
    labels: str
    work: NodeWork
    other_speed: str = ""
    """The speed class on which matches are played, if it is not that of this machine."""


@dataclass(frozen=True, slots=True)
class Machines:
    """All machines at a moment."""

    machines: Sequence[Machine]
    waiting: int
    """Jobs that were sent and wait for a machine."""
    failures: Sequence[FailedAttempt]
    """The latest first."""

    def name_of(self, node: str) -> str:
        found = (one.name for one in self.machines if one.id == node)
        return next(found, "a machine that is gone" if node else "no machine")


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits in the datastore, of one kind."""

    name: str
    waiting: int
    running: int
    oldest_ns: int | None
    """When the oldest of those that wait was asked for."""


class SingleReader(Generic[T]):
    """Reads something that may not answer, in one thread however many ask. They wait a moment."""

    def __init__(self, read: Callable[[], T], patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._read = read
        self._patience = patience_seconds
        self._future: Future[T] | None = None
        self._lock = Lock()

    def read(self) -> T | None:
        """What was read; None if there is no answer yet."""
        with self._lock:
            if self._future is None or self._future.done():
                self._future = Future()
                Thread(target=self._run, args=(self._future,), daemon=True).start()
            future = self._future
        try:
            return future.result(self._patience)
        except (TimeoutError, ArbiterError):
            return None

    def _run(self, future: Future[T]) -> None:
        try:
            future.set_result(self._read())
        except BaseException as error:  # noqa: BLE001  it belongs to those who wait
            future.set_exception(error)


def read_machines(site: Site) -> Machines | None:
    """What plays for this site; None if the cluster does not answer."""
    workers = site.workers
    if workers is None:
        return Machines((), 0, ())
    return site.part(SingleReader, lambda: SingleReader(lambda: _read(workers))).read()


def _read(workers: Workers) -> Machines:
    fleet = workers.processes
    if isinstance(fleet, LocalFleet):
        work = fleet.read()
        own = work.nodes.get("", NodeWork())
        unsafe_host = workers.settings.unsafe_host
        machines = [Machine("", gethostname(), fleet.cores, _sandbox(unsafe_host), "", "", own)]
    else:
        nodes, work = fleet.read()
        idle = without_matches(nodes, work.speed)
        machines = [
            Machine(
                node.id,
                f"{node.address} {node.id[:6]}",
                node.cores,
                node.sandbox,
                node.speed or NOT_MEASURED,
                node.given_labels,
                work.nodes.get(node.id, NodeWork()),
                work.speed if node in idle else "",
            )
            for node in nodes
        ]
    return Machines(machines, work.waiting, work.failures[::-1])


def _sandbox(unsafe_host: bool) -> str:
    if unsafe_host:
        return "off"
    gaps = ", ".join(gap.layer for gap in missing_layers())
    return f"lacks {gaps}" if gaps else "holds"


def read_queues(site: Site) -> list[Queue]:
    """What waits and runs, for all servers of the datastore."""
    database = site.store.database
    bookings, checks = booking_queues(database), check_queues(database)
    by_kind = [
        _queue(
            kind,
            [bookings.get((kind, state)) for state in WAITING],
            bookings.get((kind, BookingState.RUNNING)),
        )
        for kind in BookingKind
    ]
    waiting, running = checks.get(CheckState.QUEUED), checks.get(CheckState.RUNNING)
    return [*by_kind, _queue("check", [waiting], running)]


def _queue(name: str, waiting: Iterable[QueueLength | None], running: QueueLength | None) -> Queue:
    waits = [one for one in waiting if one is not None]
    return Queue(
        name,
        sum(one.length for one in waits),
        0 if running is None else running.length,
        min((one.oldest_ns for one in waits), default=None),
    )


def own_server(site: Site) -> tuple[str, int]:
    """The name of this server among those of the datastore, and how many they are."""
    servers = site.store.servers
    found = servers.all()
    own = (one.name for one in found if one.id == servers.own_id)
    return next(own, gethostname()), max(1, len(found))
