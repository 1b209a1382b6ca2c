"""A fleet of many machines, by Ray.

    with RayFleet("10.0.0.1:6379") as fleet:
        result = fleet.carry_out(job, bots)    # from as many threads as there are cores

A job is a task of Ray with cores of its own, on a machine whose labels fit. Ray finds the place,
and starts processes there. If one dies, or its machine, the job is done on another machine, if
another one fits; a job at which three have died is given up.
"""

from __future__ import annotations

import logging
import time
from contextlib import ExitStack, suppress
from functools import partial
from itertools import count
from tempfile import TemporaryDirectory
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.arbiter.pool import StoppedError
from agon.arena.cluster.connection import (
    agree_on_speed,
    connect,
    equal_nodes,
    living_nodes,
    open_ledger,
    read_log,
    read_work,
)
from agon.arena.cluster.deaths import Death, Unbuilt, named_node, tell_death, tell_deaths
from agon.arena.cluster.job_needs import needed_cores, needed_gpus
from agon.arena.cluster.node_labels import (
    NODE_ID,
    SPEED,
    label_selector,
    measure_speed,
    needed_labels,
)
from agon.arena.cluster.node_worker import MOMENT_SECONDS, Shipment, carry_out_here
from agon.arena.cluster.own_desk import open_desk
from agon.arena.cluster.places import LOOK_SECONDS, ClusterPlaces, tell_lack
from agon.arena.cluster.settings import LOCAL
from agon.arena.cluster.speed_watch import SpeedWatch
from agon.arena.fleet.job_logs import last_lines
from agon.arena.fleet.jobs import FailedJob, JobFailure, PlayMatch
from agon.arena.fleet.local_fleet import CANCELLED, GRACE_SECONDS, MOST_DEATHS
from agon.arena.fleet.task_runner import Cancelled, FleetSettings
from agon.errors import AgonError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Self

    from agon.arbiter.bot_process import Program
    from agon.arbiter.entrant import Entrant
    from agon.arena.cluster.own_desk import OwnDesk
    from agon.arena.cluster.places import ClusterNode
    from agon.arena.fleet.fleet import OnPart
    from agon.arena.fleet.job_ledger import FleetWork
    from agon.arena.fleet.jobs import Job, JobResult

LOG = logging.getLogger("agon.arena")
FOLLOW_SECONDS = 0.1
"""Between two questions how a match goes on that is followed."""
PATIENCE_SECONDS = 30.0
MEASURE_SECONDS = 60.0
"""How long machines have to be measured again: their cores may be busy."""


class RayFleet:
    """Use it in a `with` statement: at its end what is under way is given up."""

    def __init__(
        self,
        address: str,
        settings: FleetSettings | None = None,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        """`patience_seconds`: for a machine that can do a job, if there is none."""
        self._settings = settings or FleetSettings()
        self._patience = patience_seconds
        self._folders = ExitStack()
        folder = self._folders.enter_context(_new_folder()) if address == LOCAL else ""
        self._ray = ray = connect(address, folder)
        self._asker = ray.get_runtime_context().get_job_id()
        self._ledger = open_ledger(ray)
        # max_calls: processes with a GPU are kept, too
        self._task = ray.remote(num_cpus=1, max_retries=0, max_calls=0)(carry_out_here)
        self._desk = open_desk(ray, self._settings)
        self._attempts = count(1)
        self._jobs: dict[str, str] = {}
        """The jobs that wait or are under way, and the names of their attempts."""
        self._cancelled: set[str] = set()
        self._is_closed = False
        self._places = ClusterPlaces(
            lambda: equal_nodes(ray), agree=partial(agree_on_speed, ray, self._ledger)
        )
        self.speed_watch = SpeedWatch(self._places, self._measure)
        self.speed_watch.start()
        self._lock = Lock()
        self.deaths = 0
        """Processes that died at a job, and machines."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def cores(self) -> int:
        """The cores that can play matches now."""
        return self._places.cores

    @property
    def machines(self) -> Counter[str]:
        """How many machines there are, by whether the sandbox holds there."""
        return self._places.machines

    @property
    def devices(self) -> dict[str, int]:
        """How many cores ("cpu") and GPUs ("cuda") can simulate now."""
        return self._places.devices

    def match_obstacle(self, programs: Iterable[Program]) -> str:
        """Why no machine can play a match of these programs now; empty if one can, free or not."""
        needs = self._match_needs(programs)
        return "" if self._places.has(needs) else tell_lack(living_nodes(self._ray), needs)

    def read(self) -> tuple[list[ClusterNode], FleetWork]:
        """The machines, and what they do for all who ask; ArbiterError if there is no answer."""
        return read_work(self._ray, self._ledger)

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        """Have a job done on some machine; StoppedError if it was cancelled."""
        deaths: list[Death] = []
        unbuilt_at: list[str] = []
        with self._lock:
            self._check(job.key)
            self._jobs[job.key] = ""
        try:
            while len(deaths) < MOST_DEATHS:
                result = self._attempt(job, bots, on_part, deaths, unbuilt_at)
                if isinstance(result, Unbuilt):
                    unbuilt_at.append(result.node)
                elif isinstance(result, Death):
                    with self._lock:
                        self.deaths += 1
                    deaths.append(result)
                elif result is not None:
                    return result
        finally:
            with self._lock:
                del self._jobs[job.key]
                self._cancelled.discard(job.key)
        return FailedJob(job.key, tell_deaths(deaths), JobFailure.JOB)

    def cancel(self, key: str) -> None:
        """Give up the job of that key, if it waits or is under way. From any thread."""
        with self._lock:
            if key not in self._jobs:
                return
            self._cancelled.add(key)
            self._desk.actor.cancel.remote(self._jobs[key])

    def close(self) -> None:
        """Give up what is under way, and leave the cluster."""
        from ray.exceptions import RayError

        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            keys = list(self._jobs)
        self.speed_watch.stop()
        for key in keys:
            self.cancel(key)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._jobs and time.monotonic() < deadline:
            time.sleep(0.05)
        with suppress(RayError):  # the ledger's process may be late, or the head be gone
            self._ray.get(self._ledger.forget.remote([self._asker]), timeout=GRACE_SECONDS)
        self._ray.shutdown()  # ends processes that are still busy for us
        self._folders.close()

    def _attempt(
        self,
        job: Job,
        bots: Sequence[Entrant],
        on_part: OnPart | None,
        deaths: Sequence[Death],
        unbuilt_at: Sequence[str],
    ) -> JobResult | Death | Unbuilt | None:
        """Have a job done by one process, elsewhere than where others have failed, if possible.

        None if no machine is left that it could be sent to, or the desk was lost.
        """
        from ray.exceptions import ActorDiedError, RayError, RayTaskError

        key, desk = job.key, self._desk
        attempt = f"{next(self._attempts)} {key}"
        is_followed = on_part is not None or bool(deaths)  # then it says at once where it is
        failure: str | None = None
        node = ""
        log: tuple[str, ...] = ()
        begin = time.monotonic()
        try:
            try:
                shipment = desk.shipper.ship(job, bots, is_followed)
            except AgonError as error:
                return FailedJob(key, str(error), JobFailure.JOB)
            failed_at = {*unbuilt_at, *(one.node for one in deaths)} - {""}
            node, result = self._send(desk, shipment, attempt, on_part, failed_at)
            if isinstance(result, FailedJob):
                failure, log = result.message, result.log
                if (
                    result.is_unbuilt
                    and (result.is_host or not unbuilt_at)
                    and self._fits(shipment, failed_at | {node})
                ):
                    return Unbuilt(node)
            elif result is not None and not isinstance(result, Cancelled):
                failure = ""
        except ActorDiedError:  # here, or in the process that does the job
            self._renew(desk)
            return None
        except RayTaskError as error:
            log = last_lines(str(error).partition("\n")[2])  # the first one is about Ray
            failure = log[-1]
            return FailedJob(key, failure, JobFailure.HOST, log)
        except RayError as error:
            failure = tell_death(error)
            node, log = read_log(self._ray, desk.actor, attempt)
            node = named_node(error) or node
            LOG.warning("%s: the process that did it died: %s: %.200s", key, failure, error)
            return Death(node, failure)
        finally:
            if is_followed or time.monotonic() - begin > MOMENT_SECONDS:
                desk.actor.clear.remote(attempt)  # a short job has not come to the desk
            self._ledger.end.remote(self._asker, key, failure, node, log)
        if isinstance(result, Cancelled):
            raise StoppedError(CANCELLED)
        return result

    def _renew(self, lost: OwnDesk) -> None:
        """Have another desk instead of one whose process has died, unless there is one."""
        with self._lock:
            if self._desk is lost:
                LOG.warning("the desk of this process died: its jobs begin again")
                self._desk = open_desk(self._ray, self._settings)

    def _send(
        self,
        desk: OwnDesk,
        shipment: Shipment,
        attempt: str,
        on_part: OnPart | None,
        failed_at: Collection[str],
    ) -> tuple[str, JobResult | Cancelled | None]:
        """Send a job to a machine, when one fits; that machine, and what comes of the job."""
        key = shipment.job.key
        needs = self._await_place(shipment)
        if isinstance(needs, FailedJob):
            return "", needs
        avoided = self._avoided(shipment.job, failed_at)
        if not self._places.has(needs, avoided):
            avoided = set()
        most_cores = partial(self._places.most_cores, needs, avoided)
        cores = needed_cores(shipment.job, shipment.bots, most_cores())
        with self._lock:
            self._check(key)
            self._jobs[key] = attempt
            place = self._task.options(
                label_selector=label_selector(needs, avoided),
                num_cpus=cores,
                num_gpus=needed_gpus(shipment.job),
            )
            task = place.remote(shipment, attempt, desk.name)
        return self._follow(task, attempt, key, lambda: most_cores() >= cores, on_part)

    def _follow(
        self,
        task: Any,
        attempt: str,
        key: str,
        has_place: Callable[[], bool],
        on_part: OnPart | None,
    ) -> tuple[str, JobResult | Cancelled | None]:
        """The machine that does a task, and what comes of it; None if none is left for it.

        `has_place`: whether a machine is there that can do it, free or not.
        """
        from ray.exceptions import NodeDiedError

        node, is_told, was_alive = "", False, False
        try:
            while True:
                wait = FOLLOW_SECONDS if on_part else LOOK_SECONDS
                ready, _ = self._ray.wait([task], timeout=wait)
                if on_part or not (node or ready):
                    node = self._take_parts(attempt, key, node, on_part)
                if ready:
                    done: tuple[str, JobResult | Cancelled] = self._ray.get(task)
                    return done
                is_alive = bool(node) and self._places.is_alive(node)
                if was_alive and not is_alive:
                    # Ray waits until the connection breaks: minutes, if the network is cut.
                    raise NodeDiedError(f"ID: {node}")  # type: ignore[no-untyped-call]
                was_alive = is_alive
                if not node:
                    self._check(key)
                    if not is_told:
                        self._ledger.wait.remote(self._asker, key)
                        is_told = True
                    if not has_place():
                        self._ray.cancel(task)
                        return "", None
        except BaseException:  # of the caller: the process must not go on with a job of no use
            self._desk.actor.cancel.remote(attempt)
            if not node:
                self._ray.cancel(task)
            raise

    def _take_parts(self, attempt: str, key: str, node: str, on_part: OnPart | None) -> str:
        """Hand on what is new of a job; the machine that does it, if one has come to the desk."""
        place, parts = self._ray.get(self._desk.actor.take.remote(attempt))
        if place and not node:
            node = place.node
            self._ledger.begin.remote(self._asker, key, node)
        if on_part is not None:
            for part in parts:
                on_part(part)
        return node

    def _measure(self, nodes: Sequence[ClusterNode]) -> dict[str, int]:
        """How fast machines are now, on a core that is free or becomes so: those that answer."""
        measure = self._ray.remote(num_cpus=1, max_retries=0)(measure_speed)
        tasks = {
            measure.options(label_selector={NODE_ID: one.id}).remote(): one.id for one in nodes
        }
        done, late = self._ray.wait([*tasks], num_returns=len(tasks), timeout=MEASURE_SECONDS)
        for one in late:
            self._ray.cancel(one)
        return {tasks[one]: self._ray.get(one) for one in done}

    def _check(self, key: str) -> None:
        if self._is_closed or key in self._cancelled:
            raise StoppedError(CANCELLED)

    def _needs(self, shipment: Shipment) -> dict[str, str]:
        programs = [bot.program for bot in shipment.bots if bot.program is not None]
        if isinstance(shipment.job, PlayMatch):
            return self._match_needs(programs)
        return needed_labels(programs, unsafe_host=self._settings.unsafe_host)

    def _match_needs(self, programs: Iterable[Program]) -> dict[str, str]:
        needs = needed_labels(programs, unsafe_host=self._settings.unsafe_host)
        speed = self._places.speed_class()
        return {**needs, SPEED: speed} if speed else needs

    def _fits(self, shipment: Shipment, failed_at: Collection[str]) -> bool:
        """Whether a machine fits a job at which it has not failed."""
        return self._places.has(self._needs(shipment), self._avoided(shipment.job, failed_at))

    def _avoided(self, job: Job, failed_at: Collection[str]) -> set[str]:
        """The machines to which a job is not sent if there are others."""
        return {*failed_at, *(self._places.slow if isinstance(job, PlayMatch) else ())}

    def _await_place(self, shipment: Shipment) -> dict[str, str] | FailedJob:
        """The labels that the job's machine must have, when there is one."""
        deadline = time.monotonic() + self._patience
        while not self._places.has(needs := self._needs(shipment)):
            self._check(shipment.job.key)
            self._ledger.wait.remote(self._asker, shipment.job.key)
            if time.monotonic() > deadline:
                told = tell_lack(living_nodes(self._ray), needs)
                return FailedJob(shipment.job.key, told, JobFailure.NO_MACHINE)
            time.sleep(LOOK_SECONDS)
        return needs


def _new_folder() -> TemporaryDirectory[str]:
    """For sockets, whose paths must be short, and logs."""
    return TemporaryDirectory(prefix="agon-ray-", ignore_cleanup_errors=True)
