"""Between one who asks for jobs and the processes on other machines that do them.

A desk is the asker's own: the processes leave there what happens in their matches, see there which
jobs were cancelled, and fetch files.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.arena.cluster.file_packs import FilePack
    from agon.arena.fleet.jobs import JobPart


@dataclass(frozen=True, slots=True)
class JobPlace:
    """The process that does a job: its machine, and the file there that it logs to."""

    node: str
    log: str


class JobDesk:
    """Used by one thread at a time, as an actor of Ray."""

    def __init__(self) -> None:
        self._places: dict[str, JobPlace] = {}
        self._parts: defaultdict[str, list[JobPart]] = defaultdict(list)
        self._cancelled: set[str] = set()
        self._packs: dict[str, FilePack] = {}

    def keep(self, digest: str, pack: FilePack) -> None:
        """Files that machines may need."""
        self._packs[digest] = pack

    def fetch(self, digest: str) -> FilePack:
        return self._packs[digest]

    def look_in(self, key: str, place: JobPlace) -> bool:
        """A process does a job; whether that was cancelled."""
        self._places[key] = place
        return key in self._cancelled

    def tell(self, key: str, part: JobPart) -> None:
        self._parts[key].append(part)

    def take(self, key: str) -> tuple[JobPlace | None, list[JobPart]]:
        """The process that does a job, if one does; and the parts that are new."""
        return self._places.get(key), self._parts.pop(key, [])

    def cancel(self, key: str) -> None:
        self._cancelled.add(key)

    def clear(self, key: str) -> None:
        """Forget a job, but not that it was cancelled: its process may still have to see that."""
        self._places.pop(key, None)
        self._parts.pop(key, None)
