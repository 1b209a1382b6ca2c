"""How a process ended that did a job on a machine of a cluster, in words for people."""

from __future__ import annotations

import re
from dataclasses import dataclass

NAMED_NODE = re.compile(r"\bID: ([0-9a-f]{56})\b")
"""A machine in what Ray says."""
OUT_OF_MEMORY = "killed because its machine ran out of memory"
LOST = "its machine was lost"
CRASHED = "killed or crashed (the system, too, kills processes when memory runs out)"


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a process, or of its machine, before the job was done."""

    node: str
    """The machine; empty if that is not known."""
    told: str


@dataclass(frozen=True, slots=True)
class Unbuilt:
    """A bot could not be built or started on a machine, and there is another one that may try."""

    node: str


def tell_death(error: Exception) -> str:
    """What happened, by the error that Ray has for it."""
    from ray.exceptions import NodeDiedError, OutOfMemoryError, WorkerCrashedError

    match error:
        case OutOfMemoryError():
            return OUT_OF_MEMORY
        case NodeDiedError():
            return LOST
        case WorkerCrashedError():
            return CRASHED
    return " ".join(f"{type(error).__name__}: {error}".split())


def named_node(error: Exception) -> str:
    """The machine that an error of Ray names, if it does."""
    found = NAMED_NODE.search(str(error))
    return found[1] if found else ""


def tell_deaths(deaths: list[Death]) -> str:
    """Why a job was given up."""
    causes = dict.fromkeys(death.told for death in deaths)
    return f"{len(deaths)} processes died of it: {'; '.join(causes)}"
