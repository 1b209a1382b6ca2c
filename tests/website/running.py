"""The whole arena as a user has it: `agon serve` as a process of its own, on free ports."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 120  # seconds after which a test gives up
FREE_PORTS = ("--port", "0", "--game-port", "skyport=0", "--game-port", "mebipenny=0")


@dataclass
class Arena:
    """One that runs."""

    process: subprocess.Popen[str]
    address: str
    """Of its front page, without the last slash."""
    skyport_port: int
    mebipenny: str
    told: list[str]
    """What it said when it was up."""
    log: Path
    """What it says on stderr."""

    def stop(self, number: signal.Signals = signal.SIGTERM) -> list[str]:
        """End it; what it said last."""
        self.process.send_signal(number)
        rest, _ = self.process.communicate(timeout=PATIENCE)
        return rest.splitlines()


@contextmanager
def running_arena(
    data: Path, *arguments: str, files: int | None = None, log: Path | None = None
) -> Iterator[Arena]:
    """The arena for this block, on the data in this folder, with so many descriptors."""
    data.mkdir(exist_ok=True)
    log = log or data / "log.txt"
    command = [sys.executable, "-m", "agon", "serve", "--data", str(data), *FREE_PORTS, *arguments]
    if files is not None:
        command = ["sh", "-c", f'ulimit -n {files} && exec "$@"', "sh", *command]
    with log.open("a") as stderr:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        try:
            yield await_welcome(process, log)
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.communicate(timeout=PATIENCE)
            finally:
                process.kill()


def await_welcome(process: subprocess.Popen[str], log: Path) -> Arena:
    """Wait until the arena says where everything is, and until all games are ready."""
    assert process.stdout is not None
    told: list[str] = []
    for line in process.stdout:
        told.append(line.rstrip())
        if line.startswith("  sandbox:"):
            break
    else:
        raise AssertionError(f"the arena did not start: {log.read_text()}")
    text = "\n".join(told)
    address = find(r"at (http:\S+)/ ", text)
    end = time.monotonic() + PATIENCE
    while httpx.get(f"{address}/play").status_code == 503:
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.02)
    return Arena(process, address, int(find(r" port (\d+)", text)),
                 find(r"HTTP clients:  (http:\S+)/ ", text), told, log)  # fmt: skip


def find(pattern: str, text: str) -> str:
    """The part of the text that is marked in the pattern."""
    found = re.search(pattern, text)
    assert found, (pattern, text)
    return found[1]
