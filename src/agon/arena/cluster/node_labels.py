"""What a machine of a cluster is good for, in labels by which jobs are sent to machines.

agon-version=0.1.0    of Agon: it is sent jobs of processes with the same version
agon-sandbox=holds    or what is missing: then no programs of users are sent there
agon-speed=204        its speed class; matches that are compared are played on one class
agon-steps=211        the speed itself, to be compared with what is measured later
agon-has-node=yes     for commands by which bots are run and built
"""

from __future__ import annotations

import math
import re
import shutil
import time
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from agon.arbiter.sandboxed import missing_layers
from agon.errors import SettingError
from agon.kernel import IntArray, as_int, kernel, mix64, u64
from agon.sandbox.command import search_path
from agon.sandbox.installations import find_allowed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from agon.arbiter.bot_process import Program

VERSION = "agon-version"
SANDBOX, HOLDS = "agon-sandbox", "holds"
SPEED, STEPS_LABEL = "agon-speed", "agon-steps"
HAS, YES = "agon-has-", "yes"
NODE_ID = "ray.io/node-id"
"""A label that Ray gives each machine."""
OWN = ("agon-", "ray.io/")
"""How labels begin that are not of the command line."""
COMMANDS = frozenset(
    {"bash", "bun", "c++", "cabal", "cargo", "cc", "clang", "clang++", "cmake", "crystal", "dart"}
    | {"deno", "dotnet", "elixir", "erl", "escript", "fpc", "g++", "gcc", "gfortran", "ghc", "go"}
    | {"gradle", "guile", "java", "javac", "julia", "kotlin", "kotlinc", "lua", "luajit", "make"}
    | {"mcs", "meson", "mono", "mvn", "nim", "ninja", "node", "npm", "ocaml", "ocamlfind"}
    | {"ocamlopt", "octave", "perl", "php", "pypy", "pypy3", "python", "python3", "racket"}
    | {"Rscript", "ruby", "runghc", "rustc", "sbcl", "scala", "scalac", "sh", "stack", "swift"}
    | {"swiftc", "tclsh", "tsc", "zig"}
)
"""Commands that labels tell of; for another one a job is sent from machine to machine."""
STEPS = 1 << 20
TABLE = 1 << 15
RUNS = 40
CLASSES_PER_OCTAVE = 3
"""A class is a factor of 1.26 wide."""
LABEL = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")


def describe_machine(measure: Callable[[], int] | None = None) -> dict[str, str]:
    """The labels of this machine: takes a second or two, in which it should do nothing else.

    Its speed is measured twice, some time apart: what else it did meanwhile must not count.
    """
    measure = measure or measure_speed
    speed = measure()
    gaps = "_".join(gap.layer.replace(" ", "-") for gap in missing_layers())
    speed = max(speed, measure())
    return {
        VERSION: own_version(),
        SANDBOX: f"lacks-{gaps}"[:60].rstrip("-_.") if gaps else HOLDS,
        SPEED: speed_class(speed),
        STEPS_LABEL: str(speed // 10**6),
        **find_commands(),
    }


def find_commands() -> dict[str, str]:
    """Labels of the commands that bots find on this machine."""
    places = search_path(find_allowed())
    return {_has(name): YES for name in COMMANDS if shutil.which(name, path=places)}


@cache
def own_version() -> str:
    """The version of Agon in this process, as a label."""
    return version("agon").replace("+", "-")


def parse_labels(pairs: Iterable[str]) -> dict[str, str]:
    """Labels of the command line: `K=V`."""
    labels = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (equals and LABEL.fullmatch(name) and LABEL.fullmatch(value)):
            raise SettingError(
                f"--label {pair[:80]!r}: expected NAME=VALUE, of letters, digits, '-', '_' and '.'"
            )
        if name.startswith(OWN) and name != SPEED:
            raise SettingError(
                f"--label {pair[:80]!r}: this is found out, expected {SPEED} or a name of your own"
            )
        labels[name] = value
    return labels


def needed_labels(programs: Iterable[Program], *, unsafe_host: bool) -> dict[str, str]:
    """What a machine must have to do a job with these programs."""
    needs = {VERSION: own_version()}
    for program in programs:
        if not unsafe_host:
            needs[SANDBOX] = HOLDS
        commands = {words[0] for words in (program.run, program.build) if words}
        needs |= {_has(name): YES for name in sorted(commands & COMMANDS)}
    return needs


def fits(labels: Mapping[str, str], needs: Mapping[str, str]) -> bool:
    return all(labels.get(name) == value for name, value in needs.items())


def label_selector(needs: Mapping[str, str], avoided: Collection[str]) -> dict[str, str]:
    """What Ray is told about the machine for a job: labels that it has, and which it is not.

    >>> label_selector({"room": "lab"}, {"b2", "a1"})
    {'room': 'lab', 'ray.io/node-id': '!in(a1, b2)'}
    """
    others = {NODE_ID: f"!in({', '.join(sorted(avoided))})"} if avoided else {}
    return {**needs, **others}


def _has(command: str) -> str:
    return HAS + command.replace("+", "p")


def speed_class(steps_per_second: int) -> str:
    """The class of a speed, named by its middle in million steps per second.

    >>> speed_class(200 * 10**6), speed_class(220 * 10**6), speed_class(110 * 10**6)
    ('203', '203', '102')
    """
    place = round(math.log2(steps_per_second / 10**6) * CLASSES_PER_OCTAVE)
    return str(round(2 ** (place / CLASSES_PER_OCTAVE)))


def is_slow(labels: Mapping[str, str], steps_per_second: int) -> bool:
    """Whether a machine is slower now than its labels say by more than a class is wide."""
    joined = labels.get(STEPS_LABEL, "")
    return joined.isdecimal() and 126 * steps_per_second < 100 * int(joined) * 10**6


def measure_speed(clock: Callable[[], int] = time.perf_counter_ns) -> int:
    """Steps per second of a fixed computation on one core, the best of a few runs."""
    table = _table()
    _scatter(table, 1)  # compiled or loaded
    best = min(_time_run(table, clock) for _ in range(RUNS))
    return STEPS * 10**9 // best


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
