"""Work that can be cut anywhere, on a fleet: blocks of it are jobs of about half a second."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Protocol, TypeVar

from agon.arena.fleet.carry_out import raise_failure
from agon.arena.fleet.jobs import FailedJob

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from concurrent.futures import Future

    from agon.arena.fleet.fleet import Fleet
    from agon.arena.fleet.jobs import Job

WANTED_NS = 500 * 10**6
"""How long a job should take."""
LEAST_NS = WANTED_NS // 2
"""At this the way there and back is still little."""
AHEAD = 2
"""Jobs for each core or GPU: one that is done, and one that is on its way."""


class BlockResult(Protocol):
    """What comes of a block."""

    @property
    def took_ns(self) -> int: ...


BlockT = TypeVar("BlockT", bound=BlockResult)


def carry_out_blocks(
    fleet: Fleet,
    total: int,
    devices: Mapping[str, int],
    make_job: Callable[[str, int, int], Job],
    take: Callable[[BlockT, int], None],
    kind: type[BlockT],
    unit: int = 1,
) -> None:
    """Have the numbers below `total` worked through, by cores ("cpu") and GPUs ("cuda").

    `devices` says how many there are. `make_job` makes the job of a block, from the device, the
    block's first number and how many it has: a multiple of `unit`, but for the last. `take` is
    told what came of each, and how many it had, in order.

    Blocks of a kind of device grow, one after the other, until one takes `LEAST_NS`. From then on
    all devices of the kind have work.
    """

    def carry_out(job: Job) -> BlockT:
        result = fleet.carry_out(job)
        if isinstance(result, FailedJob):
            raise_failure(result)
        assert isinstance(result, kind)  # noqa: S101  such a job was asked for
        return result

    sizes = dict.fromkeys(devices, unit)
    idle = [device for device, number in devices.items() if number]
    growing = set(idle)
    begun = taken = 0
    underway: dict[Future[BlockT], tuple[str, int, int]] = {}
    early: dict[int, tuple[BlockT, int]] = {}
    """What is done before its turn to be taken, by its first number."""
    threads = ThreadPoolExecutor(AHEAD * sum(devices.values()), thread_name_prefix="block")
    try:
        while taken < total:
            while idle and begun < total:
                device = idle.pop()
                count = min(sizes[device], total - begun)
                future = threads.submit(carry_out, make_job(device, begun, count))
                underway[future] = device, begun, count
                begun += count
            for future in wait(underway, return_when=FIRST_COMPLETED).done:
                device, first, count = underway.pop(future)
                early[first] = block, _ = future.result(), count
                sizes[device] = max(1, count * WANTED_NS // max(1, block.took_ns) // unit) * unit
                idle.append(device)
                if device in growing and block.took_ns >= LEAST_NS:
                    growing.remove(device)
                    idle += [device] * (AHEAD * devices[device] - 1)
            while taken in early:
                block, count = early.pop(taken)
                take(block, count)
                taken += count
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
