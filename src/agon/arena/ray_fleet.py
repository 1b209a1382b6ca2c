"""A fleet of many machines, by Ray: the only module that knows it.

    with RayFleet("10.0.0.1:6379") as fleet:
        result = fleet.carry_out(job, bots)    # from as many threads as there are cores

A job is a task of Ray with cores of its own, on a machine whose labels fit. Ray finds the place,
and starts processes there. If one dies, or its machine, the job is done elsewhere; a job at which
three have died is given up.
"""

from __future__ import annotations

import logging
import os
import secrets
import tempfile
import time
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from agon.arbiter.pool import StoppedError
from agon.arbiter.sandboxed import settle
from agon.arena.bot_versions import read_files
from agon.arena.cluster_places import LOOK_SECONDS, ClusterNode, ClusterPlaces
from agon.arena.cluster_settings import (
    LOCAL,
    LOOPBACK,
    STORE_BYTES,
    check_address,
    find_token,
    ray_environment,
)
from agon.arena.file_packs import FilePack, pack_kernels
from agon.arena.job_ledger import Failure, JobDesk, JobLedger, NodeWork
from agon.arena.jobs import FailedJob, JobFailure, PlayMatch, job_options
from agon.arena.local_fleet import CANCELLED, GRACE_SECONDS, MOST_DEATHS
from agon.arena.node_labels import SPEED, describe_machine, needed_labels
from agon.arena.node_worker import MOMENT_SECONDS, Shipment, worker_here
from agon.arena.task_runner import Cancelled, FleetSettings
from agon.errors import AgonError, ArbiterError, MissingPartError
from agon.games.registry import find_game
from agon.kernel import kept_cache
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from agon.arbiter.bot_process import Program
    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet import OnPart
    from agon.arena.jobs import Job, JobResult

LOG = logging.getLogger("agon.arena")
SPACE = "agon"
LEDGER = "job-ledger"
FOLLOW_SECONDS = 0.1
"""Between two questions how a match goes on that is followed."""
PATIENCE_SECONDS = 30.0


def connect(address: str, folder: str = "") -> Any:
    """Ray, as a member of the cluster at this address, or of one that is started on this machine.

    That one has its sockets and logs in this folder.
    """
    if find_spec("ray") is None:
        raise MissingPartError("a cluster needs ray: install agon[cluster]")
    if address != LOCAL:
        check_address(address)
    is_local = address == LOCAL
    host = LOOPBACK[0] if is_local else address.rpartition(":")[0]
    token = secrets.token_hex(32) if is_local else find_token()
    os.environ.update(ray_environment(host, token))
    import ray

    settings: dict[str, Any] = {}
    if is_local:
        settings = {
            "num_cpus": available_cores(),
            "labels": describe_machine(),
            "object_store_memory": STORE_BYTES,
            "include_dashboard": False,
            "_temp_dir": folder,
        }
    try:
        ray.init(
            address, namespace=SPACE, log_to_driver=False, logging_level=logging.ERROR, **settings
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise ArbiterError(f"cluster {address!r} cannot be reached: {error}") from error
    return ray


def carry_out_here(
    shipment: Shipment, attempt: str, desk: Any
) -> tuple[str, JobResult | Cancelled]:
    """What a process of Ray does with a job; on which machine, and what came of it."""
    import ray

    node = ray.get_runtime_context().get_node_id()

    def is_cancelled() -> bool:
        return bool(ray.get(desk.look_in.remote(attempt, node)))

    if shipment.is_followed:
        desk.look_in.remote(attempt, node)
    result = worker_here(shipment.settings).carry_out(
        shipment,
        lambda digest: ray.get(desk.fetch.remote(digest)),
        lambda part: desk.tell.remote(attempt, part),
        is_cancelled,
    )
    if shipment.is_followed:
        is_cancelled()  # all that was told has arrived
    return node, result


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
        self._folder = tempfile.TemporaryDirectory(prefix="agon-ray-", ignore_cleanup_errors=True)
        self._ray = ray = connect(address, self._folder.name)
        self._asker = ray.get_runtime_context().get_job_id()
        self._ledger = open_ledger(ray)
        self._task = ray.remote(num_cpus=1, max_retries=0)(carry_out_here)
        here = {"ray.io/node-id": ray.get_runtime_context().get_node_id()}
        self._desk = ray.remote(num_cpus=0, label_selector=here)(JobDesk).remote()
        self._attempts = count(1)
        self._jobs: dict[str, str] = {}
        """The jobs that wait or are under way, and the names of their attempts."""
        self._cancelled: set[str] = set()
        self._is_closed = False
        self._sent: dict[Path, str] = {}
        """The digest of what was packed, by its folder."""
        self._shipped_games: set[str] = set()
        self._places = ClusterPlaces(lambda: living_nodes(ray))
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

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        """Have a job done on some machine; StoppedError if it was cancelled."""
        told = ""
        with self._lock:
            self._check(job.key)
            self._jobs[job.key] = ""
        try:
            try:
                shipment = self._ship(job, bots, on_part is not None)
            except AgonError as error:
                return FailedJob(job.key, str(error), JobFailure.JOB)
            for _ in range(MOST_DEATHS):
                result = self._attempt(shipment, on_part)
                if not isinstance(result, str):
                    return result
                with self._lock:
                    self.deaths += 1
                LOG.warning("%s: the process that did it died: %s", job.key, result)
                told = f"{MOST_DEATHS} processes died of it, the last so: {result}"
        finally:
            with self._lock:
                del self._jobs[job.key]
                self._cancelled.discard(job.key)
        return FailedJob(job.key, told, JobFailure.JOB)

    def cancel(self, key: str) -> None:
        """Give up the job of that key, if it waits or is under way. From any thread."""
        with self._lock:
            if key not in self._jobs:
                return
            self._cancelled.add(key)
            self._desk.cancel.remote(self._jobs[key])

    def close(self) -> None:
        """Give up what is under way, and leave the cluster."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            keys = list(self._jobs)
        for key in keys:
            self.cancel(key)
        deadline = time.monotonic() + GRACE_SECONDS
        while self._jobs and time.monotonic() < deadline:
            time.sleep(0.05)
        self._ray.get(self._ledger.forget.remote(self._asker), timeout=GRACE_SECONDS)
        self._ray.shutdown()  # ends processes that are still busy for us
        self._folder.cleanup()

    def _attempt(self, shipment: Shipment, on_part: OnPart | None) -> JobResult | str:
        """Have a job done by one process; a text if that dies: how it ended."""
        from ray.exceptions import RayError, RayTaskError

        key = shipment.job.key
        needs = self._await_place(shipment)
        if isinstance(needs, FailedJob):
            return needs
        attempt = f"{next(self._attempts)} {key}"
        with self._lock:
            self._check(key)
            self._jobs[key] = attempt
            place = self._task.options(label_selector=needs, num_cpus=self._cores(shipment, needs))
            task = place.remote(shipment, attempt, self._desk)
        failure: str | None = None
        node = ""
        begin = time.monotonic()
        try:
            node, result = self._follow(task, attempt, shipment, needs, on_part)
            if not isinstance(result, Cancelled):
                failure = result.message if isinstance(result, FailedJob) else ""
        except RayTaskError as error:
            failure = str(error)
            return FailedJob(key, failure.strip().rpartition("\n")[2], JobFailure.HOST)
        except RayError as error:
            failure = " ".join(f"{type(error).__name__}: {error}".split())
            return failure
        finally:
            if on_part is not None or time.monotonic() - begin > MOMENT_SECONDS:
                self._desk.clear.remote(attempt)  # a short job has not come to the desk
            self._ledger.end.remote(self._asker, key, failure, node)
        if isinstance(result, Cancelled):
            raise StoppedError(CANCELLED)
        return result

    def _follow(
        self,
        task: Any,
        attempt: str,
        shipment: Shipment,
        needs: Mapping[str, str],
        on_part: OnPart | None,
    ) -> tuple[str, JobResult | Cancelled]:
        """The machine that does a task, and what comes of it."""
        key, node = shipment.job.key, ""
        try:
            while True:
                wait = FOLLOW_SECONDS if on_part else LOOK_SECONDS
                ready, _ = self._ray.wait([task], timeout=wait)
                found = self._take_parts(attempt, on_part) if on_part or not ready else ""
                if found and not node:
                    node = found
                    self._ledger.begin.remote(self._asker, key, node)
                if ready:
                    done: tuple[str, JobResult | Cancelled] = self._ray.get(task)
                    return done
                if not node:
                    self._check(key)
                    if not self._places.has(needs):
                        self._ray.cancel(task)
                        told = f"no machine of the cluster is left with {_format(needs)}"
                        return "", FailedJob(key, told, JobFailure.EXHAUSTED)
        except BaseException:  # of the caller: the process must not go on with a job of no use
            self._desk.cancel.remote(attempt)
            if not node:
                self._ray.cancel(task)
            raise

    def _take_parts(self, attempt: str, on_part: OnPart | None) -> str:
        """Hand on what is new of a job; the machine that does it, if one has come to the desk."""
        node, parts = self._ray.get(self._desk.take.remote(attempt))
        if on_part is not None:
            for part in parts:
                on_part(part)
        return str(node)

    def _check(self, key: str) -> None:
        if self._is_closed or key in self._cancelled:
            raise StoppedError(CANCELLED)

    def _needs(self, shipment: Shipment) -> dict[str, str]:
        programs = [bot.program for bot in shipment.bots if bot.program is not None]
        needs = needed_labels(programs, unsafe_host=self._settings.unsafe_host)
        if isinstance(shipment.job, PlayMatch) and (speed := self._places.speed_class()):
            needs[SPEED] = speed
        return needs

    def _cores(self, shipment: Shipment, needs: Mapping[str, str]) -> int:
        """How many cores the job has to itself: one for each program that thinks at a time."""
        job = shipment.job
        if not isinstance(job, PlayMatch):
            return 1
        game = find_game(job.game)
        start = game.start(job_options(game, job.options), job.seed, len(job.players))
        programs = sum(bot.program is not None for bot in shipment.bots)
        return max(1, min(programs, len(start.to_act), self._places.most_cores(needs)))

    def _await_place(self, shipment: Shipment) -> dict[str, str] | FailedJob:
        """The labels that the job's machine must have, when there is one."""
        deadline = time.monotonic() + self._patience
        while not self._places.has(needs := self._needs(shipment)):
            self._check(shipment.job.key)
            if time.monotonic() > deadline:
                told = f"no machine of the cluster has {_format(needs)}"
                return FailedJob(shipment.job.key, told, JobFailure.EXHAUSTED)
            time.sleep(LOOK_SECONDS)
        return needs

    def _ship(self, job: Job, bots: Sequence[Entrant], is_followed: bool) -> Shipment:
        files, travelling = {}, []
        for bot in bots:
            if bot.program is not None:
                program = bot.program if bot.program.folder else settle(bot.program)
                if (folder := program.folder) is not None:
                    files[bot.name] = self._send_bot(folder, is_built=bool(program.build))
                bot = replace(bot, program=without_folder(program))
            travelling.append(bot)
        kernels = self._send_kernels(job.game)
        return Shipment(job, tuple(travelling), files, kernels, is_followed, self._settings)

    def _send_bot(self, folder: Path, *, is_built: bool) -> str:
        """A bot's files, as they are when it is first sent, for all machines to fetch."""
        with self._lock:
            if folder not in self._sent:
                found = read_files(folder, is_built)
                files = ((name, file.content, file.executable) for name, file in found.items())
                self._sent[folder] = self._send(FilePack.of(files))
            return self._sent[folder]

    def _send_kernels(self, game: str) -> str:
        """The compiled rules of this machine, again for another game: they may be new."""
        home = kept_cache()
        if home is None:
            return ""
        with self._lock:
            if game not in self._shipped_games:
                self._shipped_games.add(game)
                self._sent[home] = self._send(pack_kernels(home))
            return self._sent[home]

    def _send(self, pack: FilePack) -> str:
        self._ray.get(self._desk.keep.remote(pack.digest, pack))
        return pack.digest


def without_folder(program: Program) -> Program:
    """The program as it travels: words of its command that name its files are relative."""
    folder = f"{program.folder}/"
    run = tuple(word.removeprefix(folder) for word in program.run)
    return replace(program, run=run, folder=None)


def _format(needs: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in needs.items()) or "a core"


def open_ledger(ray: Any) -> Any:
    """The ledger of a cluster: it is on the head, and there for all who ask for jobs."""
    on_head = {"node:__internal_head__": 0.001}
    return (
        ray.remote(JobLedger)
        .options(
            name=LEDGER, get_if_exists=True, lifetime="detached", num_cpus=0, resources=on_head
        )
        .remote()
    )


def living_nodes(ray: Any) -> list[ClusterNode]:
    return [
        ClusterNode(
            node["NodeID"],
            node["NodeManagerAddress"],
            int(node["Resources"].get("CPU", 0)),
            node["Labels"],
        )
        for node in ray.nodes()
        if node["Alive"]
    ]


def read_cluster(address: str) -> tuple[list[ClusterNode], dict[str, NodeWork], list[Failure]]:
    """The machines of a cluster, what each does, and the last jobs that failed."""
    ray = connect(address)
    try:
        work, failures = ray.get(open_ledger(ray).read.remote())
        return living_nodes(ray), work, failures
    finally:
        ray.shutdown()
