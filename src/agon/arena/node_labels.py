"""What a machine of a cluster is good for, in labels by which jobs are sent to machines.

agon-sandbox=holds    or what is missing: then no programs of users are sent there
agon-speed=204        its speed class; matches that are compared are played on one class
agon-has-node=yes     for commands by which bots are run and built
"""

from __future__ import annotations

import math
import re
import shutil
import time
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from agon.arbiter.sandboxed import missing_layers
from agon.errors import SettingError
from agon.kernel import IntArray, as_int, kernel, mix64, u64
from agon.sandbox.command import SYSTEM_PATH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from agon.arbiter.bot_process import Program

SANDBOX, HOLDS = "agon-sandbox", "holds"
SPEED = "agon-speed"
HAS, YES = "agon-has-", "yes"
COMMANDS = frozenset(
    {"bash", "cargo", "clang", "cmake", "dotnet", "g++", "gcc", "ghc", "go", "java", "javac"}
    | {"julia", "kotlin", "lua", "make", "mono", "node", "npm", "ocaml", "perl", "php", "pypy3"}
    | {"python3", "Rscript", "ruby", "rustc", "scala", "sh", "zig"}
)
"""Commands that labels tell of; a bot that is run by another one is sent anywhere."""
STEPS = 1 << 20
TABLE = 1 << 15
RUNS = 40
CLASSES_PER_OCTAVE = 3
"""A class is a factor of 1.26 wide."""
LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")


def describe_machine() -> dict[str, str]:
    """The labels of this machine: takes a second or two, in which it should do nothing else."""
    gaps = "_".join(gap.layer.replace(" ", "-") for gap in missing_layers())
    found = {_has(name): YES for name in COMMANDS if shutil.which(name, path=SYSTEM_PATH)}
    return {
        SANDBOX: f"lacks-{gaps}"[:60].rstrip("-_.") if gaps else HOLDS,
        SPEED: speed_class(measure_speed()),
        **found,
    }


def parse_labels(pairs: Iterable[str]) -> dict[str, str]:
    """Labels of the command line: `K=V`."""
    labels = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (equals and LABEL.fullmatch(name) and LABEL.fullmatch(value)):
            raise SettingError(
                f"--label {pair[:80]!r}: expected NAME=VALUE, of letters, digits, '-', '_' and '.'"
            )
        labels[name] = value
    return labels


def needed_labels(programs: Iterable[Program], *, unsafe_host: bool) -> dict[str, str]:
    """What a machine must have to play these programs."""
    needs: dict[str, str] = {}
    for program in programs:
        if not unsafe_host:
            needs[SANDBOX] = HOLDS
        commands = {words[0] for words in (program.run, program.build) if words}
        needs |= {_has(name): YES for name in sorted(commands & COMMANDS)}
    return needs


def fits(labels: Mapping[str, str], needs: Mapping[str, str]) -> bool:
    return all(labels.get(name) == value for name, value in needs.items())


def _has(command: str) -> str:
    return HAS + command.replace("+", "p")


def speed_class(steps_per_second: float) -> str:
    """The class of a speed, named by its middle in million steps per second.

    >>> speed_class(200e6), speed_class(220e6), speed_class(110e6)
    ('203', '203', '102')
    """
    place = round(math.log2(steps_per_second / 10**6) * CLASSES_PER_OCTAVE)
    return str(round(2 ** (place / CLASSES_PER_OCTAVE)))


def measure_speed(clock: Callable[[], int] = time.perf_counter_ns) -> float:
    """Steps per second of a fixed computation on one core, the best of a few runs."""
    table = _table()
    _scatter(table, 1)  # compiled or loaded
    best = min(_time_run(table, clock) for _ in range(RUNS))
    return STEPS * 10**9 / best


def _time_run(table: IntArray, clock: Callable[[], int]) -> int:
    begin = clock()
    _scatter(table, STEPS)
    return max(1, clock() - begin)


@cache
def _table() -> IntArray:
    return np.arange(TABLE, dtype=np.uint64)


@kernel
def _scatter(table: IntArray, steps: int) -> int:
    """Each step waits for the one before, for its arithmetic and for the memory."""
    value = u64(1)
    for _ in range(steps):
        place = as_int(value & u64(TABLE - 1))
        value = mix64(value ^ u64(table[place]))
        if value & u64(1):
            table[place] = value
    return value
