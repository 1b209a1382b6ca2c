"""The long run: `make fuzz` gives each reader a million inputs that Atheris (libFuzzer) makes.

    python -m tests.fuzz [--inputs N] [READER ...]

Atheris sees which branches of a reader an input reaches, and goes on from those that reach new
ones. An input for which a reader fails is written to a file, and ends the run.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import atheris

from tests.fuzz.readers import READERS, read, samples

WATCHED = [
    "agon.arbiter.entrant",
    "agon.games.atlantis.document",
    "agon.games.atlantis.match_text",
    "agon.games.atlantis.transcript_form",
    "agon.games.battlebots.mapfile",
    "agon.games.battlebots.notation",
    "agon.games.battlebots.protocol",
    "agon.games.hive.notation",
    "agon.games.hive.uhp",
    "agon.games.hive.uhp_notation",
    "agon.games.http_exchange",
    "agon.games.mebipenny.wire",
    "agon.games.skyport.mapfile",
    "agon.games.skyport.notation",
    "agon.games.skyport.wire",
    "agon.games.transcript_form",
    "agon.match.transcript",
    "agon.strict_json",
    "agon.website.bots.upload",
    "agon.website.bots.upload_form",
    "agon.website.bots.zips",
    "agon.website.contests.form",
    "starlette.formparsers",
    "tomllib._parser",
    "zipfile",
]
"""Modules whose branches are followed: none with kernels, which Numba reads as bytecode."""
LONGEST = 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("readers", nargs="*")
    given = parser.parse_args()
    logging.disable()
    for name in WATCHED:
        watch(import_module(name))
    for name in given.readers or READERS:
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as corpus:
            for number, sample in enumerate(samples(name)):
                Path(corpus, str(number)).write_bytes(sample)
            options = [f"-runs={given.inputs}", f"-max_len={LONGEST}", "-timeout=20", corpus]
            if (child := os.fork()) == 0:  # libFuzzer ends the process
                atheris.Setup([sys.argv[0], *options], partial(read, name))
                atheris.Fuzz()
            _, status = os.waitpid(child, 0)
        seconds = time.monotonic() - begin
        print(f"{name}: {given.inputs} inputs, {seconds:.0f} s, status {status}", flush=True)  # noqa: T201
        if status:
            sys.exit(f"{name}: see the input that was written")


def watch(module: ModuleType) -> None:
    """Have Atheris follow the branches of the module's own functions."""
    owners = [module, *(one for one in vars(module).values() if isinstance(one, type))]
    for owner in owners:
        for function in vars(owner).values():
            if isinstance(function, FunctionType) and function.__module__ == module.__name__:
                atheris.instrument_func(function)


if __name__ == "__main__":
    main()
