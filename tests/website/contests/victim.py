"""A site that is killed in the middle of a contest: `python -m tests.website.contests.victim`.

Its arguments are the file of its store, and after how many matches it dies: when the next one has
begun, it kills itself as nothing can be caught.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agon.arena.bot_builds import BotBuilds
from agon.arena.contests.scheduler import ContestScheduler
from agon.arena.fleet.local_fleet import LocalFleet
from agon.arena.live_matches import LiveMatches
from agon.datastore import Store
from tests.website.people import NOON

if TYPE_CHECKING:
    from agon.arena.live_matches import LiveMatch


class Trapdoor(LiveMatches):
    """Kills the process when one match too many begins."""

    def __init__(self, matches: int) -> None:
        """So many are allowed."""
        super().__init__()
        self._left = matches

    def begin(self, *args: Any, **settings: Any) -> LiveMatch:
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1
        return super().begin(*args, **settings)


def main(file: str, matches: str) -> None:
    """Play until it is over."""
    with Store.open(Path(file)) as store:
        scheduler = ContestScheduler(
            store, Trapdoor(int(matches)), BotBuilds(store), LocalFleet(1), lambda: NOON
        )
        scheduler.start()
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
