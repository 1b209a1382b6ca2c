"""Random games on a fleet: blocks of them are jobs, and tallies come back, not states.

Cores and GPUs take blocks of the same row of games, each as large as it plays in half a second.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.arena.fleet.blocks import carry_out_blocks
from agon.arena.fleet.jobs import SimulateBlock, SimulatedBlock
from agon.simulate.tally import BLOCK, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.arena.fleet.fleet import Fleet
    from agon.games.game import Game, Options


def simulate_on_fleet(
    fleet: Fleet,
    game: Game,
    options: Options,
    games: int,
    seed: int,
    cap: int,
    devices: Mapping[str, int],
    checksum: bool = False,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Tally:
    """Play as `simulate_on_cores` does; the tally is the same.

    `devices`: how many cores ("cpu") and GPUs ("cuda") the fleet has.
    """
    tally = Tally.of_seats(game.simulation(options).seats, checksum)
    rules, values = game.rules_version, asdict(options)

    def make_job(device: str, first: int, count: int) -> SimulateBlock:
        key = f"{game.name} {seed} games {first} to {first + count - 1}"
        return SimulateBlock(
            key, game.name, rules, values, seed, first, count, cap, checksum, device
        )

    def take(block: SimulatedBlock, count: int) -> None:
        tally.join(block.tally)
        on_progress(count)

    carry_out_blocks(fleet, games, devices, make_job, take, SimulatedBlock, BLOCK)
    return tally
