"""The desk of one who asks for jobs: a process of Ray beside it, with what was packed for it.

If that process dies, its files and what it was told are gone: then another desk is opened, and all
is packed again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.arena.cluster.job_desk import JobDesk
from agon.arena.cluster.node_labels import NODE_ID
from agon.arena.cluster.shipper import Shipper

if TYPE_CHECKING:
    from agon.arena.fleet.task_runner import FleetSettings

DESK = "desk of "


@dataclass(frozen=True, slots=True, eq=False)
class OwnDesk:
    """A desk and its files."""

    name: str
    actor: Any
    """A JobDesk."""
    shipper: Shipper


def open_desk(ray: Any, settings: FleetSettings) -> OwnDesk:
    here = ray.get_runtime_context()
    # it is known by this name as long as the one who asks lives
    name = f"{DESK}{here.get_job_id()} {time.monotonic_ns()}"
    actor = (
        ray.remote(JobDesk)
        .options(
            name=name,
            num_cpus=0,
            label_selector={NODE_ID: here.get_node_id()},
        )
        .remote()
    )
    keep = actor.keep.remote
    return OwnDesk(name, actor, Shipper(settings, lambda pack: ray.get(keep(pack.digest, pack))))


def living_askers() -> set[str]:
    """Those who ask for jobs in the cluster of which this process is a member."""
    from ray.util import list_named_actors

    names = (name for name in list_named_actors() if name.startswith(DESK))
    return {name.removeprefix(DESK).split()[0] for name in names}
