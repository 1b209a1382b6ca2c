"""What a job has to itself on its machine: cores and GPUs."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from agon.arena.fleet.jobs import PlayMatch, SimulateBlock, job_options
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.jobs import Job


def needed_cores(job: Job, bots: Sequence[Entrant], most: int) -> int:
    """One for each program that thinks at a time, as far as a machine has so many."""
    programs = sum(bot.program is not None for bot in bots)
    if not isinstance(job, PlayMatch) or programs < 2:
        return 1
    at_once = seats_at_once(job.game, json.dumps(job.options), len(job.players))
    return max(1, min(programs, at_once, most))


@lru_cache
def seats_at_once(game: str, options: str, seats: int) -> int:
    """How many seats think at a time; kept, as the start of a match may take milliseconds."""
    found = find_game(game)
    start = found.start(job_options(found, json.loads(options)), 1, seats)
    return len(start.to_act)


def needed_gpus(job: Job) -> int:
    return int(isinstance(job, SimulateBlock) and job.device == "cuda")
