"""What a sandbox costs: `python -m tests.sandbox.startup` prints the figures.

Measured from the call to the program's first byte, sandboxed and bare taking turns, so that both
see the same machine.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from agon.sandbox import launch
from agon.sandbox.group import NoGroup

if TYPE_CHECKING:
    from collections.abc import Sequence


def start_bare(command: Sequence[str]) -> int:
    """Nanoseconds until the first byte of a plain process."""
    begin = time.perf_counter_ns()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdout is not None
        os.read(process.stdout.fileno(), 1)
        return time.perf_counter_ns() - begin


def start_sandboxed(command: Sequence[str]) -> int:
    """Nanoseconds until the first byte of a sandboxed one."""
    begin = time.perf_counter_ns()
    with launch(command) as child:
        os.read(child.stdout, 1)
        return time.perf_counter_ns() - begin


def measure(command: Sequence[str], rounds: int) -> tuple[list[int], list[int]]:
    """Times of both, one after the other, after one start each to warm up."""
    start_bare(command)
    start_sandboxed(command)
    pairs = [(start_bare(command), start_sandboxed(command)) for _ in range(rounds)]
    return [bare for bare, _ in pairs], [boxed for _, boxed in pairs]


def measure_pause(with_group: bool, rounds: int) -> list[int]:
    """Nanoseconds of pausing a program and letting it go on, by its group or by signals."""
    times = []
    with launch(["cat"]) as child:
        group = child._group
        if not with_group:
            child._group = NoGroup()
        for _ in range(rounds):
            begin = time.perf_counter_ns()
            child.pause()
            child.resume()
            times.append(time.perf_counter_ns() - begin)
        child._group = group
    return times


def main() -> None:
    """Print medians, best and worst of 50 starts, and the price of a pause."""
    for command in (["/bin/echo", "hi"], ["/usr/bin/python3", "-c", "print(1)"]):
        bare, boxed = measure(command, 50)
        for name, times in (("bare", bare), ("sandboxed", boxed)):
            middle, best, worst = statistics.median(times), min(times), max(times)
            figures = " ".join(f"{ns / 10**6:7.2f}" for ns in (middle, best, worst))
            sys.stdout.write(f"{command[0]:20} {name:10} median, best, worst ms: {figures}\n")
        cost = statistics.median(boxed) - statistics.median(bare)
        sys.stdout.write(f"{command[0]:20} cost of the sandbox: {cost / 10**6:.2f} ms\n")
    for name, with_group in (("control group", True), ("signals", False)):
        middle = statistics.median(measure_pause(with_group, 1000))
        sys.stdout.write(f"pause and resume by {name}: {middle / 1000:.1f} us\n")


if __name__ == "__main__":
    main()
