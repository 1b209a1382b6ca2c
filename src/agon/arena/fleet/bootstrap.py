"""The bootstrap of a table on a fleet: blocks of samples are jobs, and ratings come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agon.arena.fleet.blocks import carry_out_blocks
from agon.arena.fleet.jobs import ResampledRatings, ResampleRatings
from agon.ranker.bootstrap import bootstrap_intervals

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arena.fleet.fleet import Fleet
    from agon.ranker.result import Counted, FloatArray


def bootstrap_on_fleet(
    fleet: Fleet,
    counted: Counted,
    samples: int,
    seed: int,
    jobs: int,
    on_progress: Callable[[int], None] = lambda done: None,
) -> dict[str, tuple[float, float]]:
    """The 95 % interval of each bot in these samples, `jobs` blocks at a time."""
    found: list[FloatArray] = []

    def make_job(device: str, first: int, count: int) -> ResampleRatings:
        key = f"ratings {seed} samples {first} to {first + count - 1}"
        return ResampleRatings(key, counted, seed, first, count)

    def take(block: ResampledRatings, count: int) -> None:
        found.append(block.ratings)
        on_progress(count)

    carry_out_blocks(fleet, samples, {"cpu": jobs}, make_job, take, ResampledRatings)
    return dict(zip(counted.bots, bootstrap_intervals(np.concatenate(found)), strict=True))
