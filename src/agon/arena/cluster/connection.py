"""How this process becomes a member of a cluster, and what it can read there."""

from __future__ import annotations

import logging
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agon.arena.cluster.node_labels import NODE_ID, describe_machine, own_version
from agon.arena.cluster.own_desk import living_askers
from agon.arena.cluster.places import ClusterNode
from agon.arena.cluster.settings import (
    LOCAL,
    LOOPBACK,
    STORE_BYTES,
    check_address,
    find_token,
    ray_environment,
    reach_head,
    token_place,
)
from agon.arena.fleet.job_ledger import JobLedger
from agon.arena.fleet.job_logs import read_last_lines
from agon.errors import ArbiterError, MissingPartError
from agon.simulate.cuda import count_gpus
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from collections.abc import Collection

    from agon.arena.cluster.job_desk import JobPlace
    from agon.arena.fleet.job_ledger import FleetWork

SPACE = "agon"
LEDGER = "job-ledger"
ANSWER_SECONDS = 10.0
NO_LOG = "there is no log: the machine does not answer"
LOG_SECONDS = 15.0
"""How long a job whose process has died waits for the log of that: then it is done elsewhere.

The log is read by a process that is started there, and a busy machine takes some seconds for that.
"""


def connect(address: str, folder: str = "") -> Any:
    """Ray, as a member of the cluster at this address, or of one that is started on this machine.

    That one has its sockets and logs in this folder.
    """
    if find_spec("ray") is None:
        raise MissingPartError("a cluster needs ray: install agon[cluster]")
    is_local = address == LOCAL
    if not is_local:
        check_address(address)
    host = LOOPBACK[0] if is_local else address.rpartition(":")[0]
    token = secrets.token_hex(32) if is_local else find_token()
    os.environ.update(ray_environment(host, token))
    if not is_local:
        check_head(address)
        check_own_node(address)
    import ray
    from ray._private import worker

    worker._worker_logs_enabled = False  # else Ray tells of deaths on stdout, amid our JSON
    settings: dict[str, Any] = {}
    if is_local:
        settings = {
            "num_cpus": available_cores(),
            "num_gpus": count_gpus(),
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


def check_head(address: str) -> None:
    """Refuse at once what Ray would try for minutes."""
    from ray._raylet import GcsClient  # type: ignore[attr-defined]
    from ray.exceptions import AuthenticationError, RayError

    try:
        reach_head(address)
        GcsClient(address=address)
    except OSError as error:
        told = error.strerror or error
        raise ArbiterError(f"cluster {address!r} cannot be reached: {told}") from error
    except AuthenticationError as error:
        raise ArbiterError(
            f"cluster {address!r} has another token than the one here, in {token_place()}"
        ) from error
    except RayError as error:
        raise ArbiterError(f"cluster {address!r} cannot be reached: {error}") from error


def check_own_node(address: str) -> None:
    """Refuse at once where Ray would end this process: its node on this machine is closed to it."""
    from ray._private.services import get_node_to_connect_for_driver
    from ray._raylet import GcsClient  # type: ignore[attr-defined]

    try:
        node = get_node_to_connect_for_driver(GcsClient(address=address))
    except RuntimeError as error:
        raise ArbiterError(
            f"cluster {address!r}: this machine is not in it: expected `agon cluster head` or"
            " `agon cluster join` to run here"
        ) from error
    check_sockets(address, node.raylet_socket_name, node.object_store_socket_name)


def check_sockets(address: str, *sockets: str) -> None:
    """Refuse a node whose sockets this process cannot open."""
    for path in sockets:
        if not os.access(path, os.R_OK | os.W_OK):
            why = "closed to this user" if os.path.exists(path) else "not to be seen here"
            raise ArbiterError(
                f"cluster {address!r}: {path} is {why}: expected `agon cluster head` or `join` on"
                " this machine by the same user, with the same /tmp (not systemd's PrivateTmp)"
            )


class ClusterLedger(JobLedger):
    """The ledger of a cluster, for all who ask for jobs; they agree here on a speed class."""

    def __init__(self) -> None:
        super().__init__()
        self._speed = ""

    def agree(self, wanted: str, there: Collection[str]) -> str:
        """The class that the first one wanted, until no machine of it is there."""
        if self._speed not in there:
            self._speed = wanted
        return self._speed

    def read(self) -> FleetWork:
        return replace(super().read(), speed=self._speed)


def open_ledger(ray: Any) -> Any:
    """The ledger of a cluster: it is on the head, and stays when those who ask are gone."""
    return (
        ray.remote(ClusterLedger)
        .options(
            name=LEDGER,
            get_if_exists=True,
            lifetime="detached",
            max_restarts=-1,
            num_cpus=0,
            resources={"node:__internal_head__": 0.001},
        )
        .remote()
    )


def agree_on_speed(ray: Any, ledger: Any, wanted: str, there: Collection[str]) -> str:
    """The speed class on which all play; the wanted one, if there is no answer."""
    from ray.exceptions import RayError

    try:
        agreed: str = ray.get(ledger.agree.remote(wanted, there), timeout=ANSWER_SECONDS)
    except RayError:
        return wanted
    return agreed


def living_nodes(ray: Any) -> list[ClusterNode]:
    return [
        ClusterNode(
            node["NodeID"],
            node["NodeManagerAddress"],
            int(node["Resources"].get("CPU", 0)),
            node["Labels"],
            int(node["Resources"].get("GPU", 0)),
        )
        for node in ray.nodes()
        if node["Alive"]
    ]


def equal_nodes(ray: Any) -> list[ClusterNode]:
    """The machines with the version of this process: the others get none of its jobs."""
    return [node for node in living_nodes(ray) if node.version == own_version()]


def read_work(ray: Any, ledger: Any) -> tuple[list[ClusterNode], FleetWork]:
    """The machines of a cluster, and what they do; ArbiterError if it does not answer."""
    from ray.exceptions import RayError

    try:
        known: set[str] = ray.get(ledger.askers.remote(), timeout=ANSWER_SECONDS)
        if gone := known - living_askers():  # killed ones say no good-bye
            ledger.forget.remote(gone)
        work: FleetWork = ray.get(ledger.read.remote(), timeout=ANSWER_SECONDS)
    except RayError as error:
        raise ArbiterError(f"the cluster does not answer: {type(error).__name__}") from error
    return living_nodes(ray), work


def read_cluster(address: str) -> tuple[list[ClusterNode], FleetWork]:
    """The same of a cluster of which this process is no member yet."""
    ray = connect(address)
    try:
        return read_work(ray, open_ledger(ray))
    finally:
        ray.shutdown()


def read_log(ray: Any, desk: Any, attempt: str) -> tuple[str, tuple[str, ...]]:
    """The machine of a process that has died at a job, and the end of its log, if it can be had."""
    from ray.exceptions import RayError

    place: JobPlace | None = None
    with suppress(RayError):  # the desk is gone, too
        place, _ = ray.get(desk.take.remote(attempt))
    if place is None:
        return "", ("it died before it could say where its log is",)
    if all(node.id != place.node for node in living_nodes(ray)):
        return place.node, (NO_LOG,)
    reader = ray.remote(num_cpus=0, max_retries=0, label_selector={NODE_ID: place.node})
    task = reader(read_last_lines).remote(place.log)
    try:
        return place.node, ray.get(task, timeout=LOG_SECONDS)
    except RayError:
        ray.cancel(task)
        return place.node, (NO_LOG,)
