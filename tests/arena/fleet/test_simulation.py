"""Blocks of random games on a fleet of cores and GPUs."""

from __future__ import annotations

from itertools import count
from threading import Event
from typing import TYPE_CHECKING

import pytest

from agon.arena.fleet.blocks import LEAST_NS, WANTED_NS
from agon.arena.fleet.jobs import FailedJob, JobFailure, SimulateBlock, SimulatedBlock
from agon.arena.fleet.simulation import simulate_on_fleet
from agon.errors import SettingError
from agon.simulate.cores import simulate_on_cores
from agon.simulate.tally import BLOCK, Tally
from tests import toy_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.arbiter.entrant import Entrant
    from agon.arena.fleet.fleet import OnPart
    from agon.arena.fleet.jobs import Job, JobResult

GAMES = 40 * BLOCK + 77
SIMULATION = toy_game.GAME.simulation()
OPTIONS = toy_game.GAME.options()


class MixedFleet:
    """Plays here; its GPU, it says, is eight times as fast. The fourth block comes back last."""

    def __init__(self, fails_at: int = -1) -> None:
        self.sizes: dict[str, list[int]] = {"cpu": [], "cuda": []}
        self._fails_at = fails_at
        self._numbers = count(1)
        self._last = Event()

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        assert isinstance(job, SimulateBlock)
        if job.first == self._fails_at:
            self._last.set()
            return FailedJob(job.key, "no luck", JobFailure.JOB)
        if job.first + job.games == GAMES:
            self._last.set()
        elif next(self._numbers) == 4:
            self._last.wait(60)
        tally = simulate_on_cores(
            SIMULATION, job.games, job.seed, job.turn_limit, 1, job.checksum, first=job.first
        )
        self.sizes[job.device].append(job.games)
        speed = 8 if job.device == "cuda" else 1
        return SimulatedBlock(job.key, tally, WANTED_NS * job.games // (speed * BLOCK))

    def cancel(self, key: str) -> None:
        raise AssertionError(key)


class SteadyFleet:
    """Plays nothing, and says how long that would have taken: there is a delay, as on a GPU."""

    def __init__(self) -> None:
        self.played: dict[int, tuple[int, int]] = {}
        """How many games a block has, and how long it takes, by its first number."""

    def carry_out(
        self, job: Job, bots: Sequence[Entrant] = (), on_part: OnPart | None = None
    ) -> JobResult:
        assert isinstance(job, SimulateBlock)
        took_ns = 40 * 10**6 + job.games * (100 if job.device == "cuda" else 1000)
        self.played[job.first] = job.games, took_ns
        return SimulatedBlock(job.key, Tally.of_seats(SIMULATION.seats, job.checksum), took_ns)

    def cancel(self, key: str) -> None:
        raise AssertionError(key)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_blocks_grow_until_they_are_worth_the_way(device: str) -> None:
    fleet = SteadyFleet()
    simulate_on_fleet(fleet, toy_game.GAME, OPTIONS, 10**8, 7, 50, {device: 3})
    *blocks, _ = (block for _, block in sorted(fleet.played.items()))  # the last may be short
    short = [games for games, took_ns in blocks if took_ns < LEAST_NS]
    assert short == [games for games, _ in blocks[: len(short)]] == sorted(set(short))
    assert len(blocks) > 2 * len(short)


def test_cores_and_gpus_share_the_games() -> None:
    fleet = MixedFleet()
    told: list[int] = []
    tally = simulate_on_fleet(
        *(fleet, toy_game.GAME, OPTIONS, GAMES, 7, 50),
        {"cpu": 2, "cuda": 1},
        checksum=True,
        on_progress=told.append,
    )
    assert tally == simulate_on_cores(SIMULATION, GAMES, 7, 50, 2, checksum=True)
    assert sum(told) == GAMES == sum(map(sum, fleet.sizes.values()))
    assert set(fleet.sizes["cpu"]) <= {BLOCK, 77}
    assert max(fleet.sizes["cuda"]) == 8 * BLOCK


def test_devices_may_be_of_one_kind() -> None:
    for device in ("cpu", "cuda"):
        fleet = MixedFleet()
        devices = {"cpu": 0, "cuda": 0, device: 2}
        tally = simulate_on_fleet(fleet, toy_game.GAME, OPTIONS, GAMES, 7, 50, devices)
        assert tally == simulate_on_cores(SIMULATION, GAMES, 7, 50, 2)
        assert [name for name, sizes in fleet.sizes.items() if sizes] == [device]


def test_a_block_that_fails_ends_it_all() -> None:
    with pytest.raises(SettingError, match="no luck"):
        simulate_on_fleet(
            MixedFleet(fails_at=2 * BLOCK), toy_game.GAME, OPTIONS, GAMES, 7, 50, {"cpu": 3}
        )
