"""What machines of a cluster tell: the ledger is for people, the desk for one who asks for jobs.

The ledger is kept on the cluster's head. A desk is the asker's own: processes on other machines
leave there what happens in their matches, see there which jobs were cancelled, and fetch files.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.arena.file_packs import FilePack
    from agon.arena.jobs import JobPart

MOST_FAILURES = 20


@dataclass(frozen=True, slots=True)
class NodeWork:
    """The jobs of one machine."""

    playing: tuple[str, ...] = ()
    done: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """A job that had no result on a machine, and why."""

    node: str
    key: str
    message: str


class JobLedger:
    """Counts jobs by machine, as those tell it who ask for jobs."""

    def __init__(self) -> None:
        self._playing: dict[tuple[str, str], str] = {}
        """The machine that plays a job, by who asked for it and its key."""
        self._done: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._failures: deque[Failure] = deque(maxlen=MOST_FAILURES)

    def begin(self, asker: str, key: str, node: str) -> None:
        self._playing[asker, key] = node

    def end(self, asker: str, key: str, failure: str | None, node: str = "") -> None:
        """A job is over: done (""), failed for this reason, or given up (None).

        A short one was not told of before: then `node` says where it was done.
        """
        node = self._playing.pop((asker, key), node)
        if failure == "":
            self._done[node] += 1
        elif failure:
            self._failed[node] += 1
            self._failures.append(Failure(node, key, failure))

    def forget(self, asker: str) -> None:
        """The one who asked is gone, and with it its jobs."""
        self._playing = {job: node for job, node in self._playing.items() if job[0] != asker}

    def read(self) -> tuple[dict[str, NodeWork], list[Failure]]:
        """The work of each machine, and the last failures."""
        nodes = {*self._playing.values(), *self._done, *self._failed}
        work = {
            node: NodeWork(
                tuple(sorted(key for (_, key), where in self._playing.items() if where == node)),
                self._done[node],
                self._failed[node],
            )
            for node in nodes
        }
        return work, list(self._failures)


class JobDesk:
    """Between one who asks for jobs, and the processes that do them."""

    def __init__(self) -> None:
        self._nodes: dict[str, str] = {}
        self._parts: defaultdict[str, list[JobPart]] = defaultdict(list)
        self._cancelled: set[str] = set()
        self._packs: dict[str, FilePack] = {}

    def keep(self, digest: str, pack: FilePack) -> None:
        """Files that machines may need."""
        self._packs[digest] = pack

    def fetch(self, digest: str) -> FilePack:
        return self._packs[digest]

    def look_in(self, key: str, node: str) -> bool:
        """A machine does a job; whether that was cancelled."""
        self._nodes[key] = node
        return key in self._cancelled

    def tell(self, key: str, part: JobPart) -> None:
        self._parts[key].append(part)

    def take(self, key: str) -> tuple[str, list[JobPart]]:
        """The machine that does a job, if one does; and the parts that are new."""
        return self._nodes.get(key, ""), self._parts.pop(key, [])

    def cancel(self, key: str) -> None:
        self._cancelled.add(key)

    def clear(self, key: str) -> None:
        """Forget a job, but not that it was cancelled: its process may still have to see that."""
        self._nodes.pop(key, None)
        self._parts.pop(key, None)
