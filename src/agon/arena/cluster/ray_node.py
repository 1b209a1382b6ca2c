"""This machine's part of Ray, as a process: until it is to stop, and again after it was cut off."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from agon.arena.cluster.settings import LOST_SECONDS, reach_head

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

LOOK_SECONDS = 0.2
RETRY_SECONDS = 1.0
STARTED = "Ray runtime started"


def run_ray(
    command: Sequence[str],
    environ: Mapping[str, str],
    goes_on: Callable[[], bool],
    on_started: Callable[[], None],
) -> int | None:
    """Run `ray start --block`: its status, or None if it was ended here.

    What it prints is shown if it fails: its hints are for those who use Ray without Agon.
    """
    setpriv = shutil.which("setpriv")  # so that it ends if this process is killed
    words = [*([setpriv, "--pdeathsig=TERM"] if setpriv else []), *command]
    is_started = False
    # Ray may kill its whole process group: not this one.
    with (
        NamedTemporaryFile("w", prefix="agon-ray-") as output,
        subprocess.Popen(words, env=environ, stdout=output, start_new_session=True) as ray,  # noqa: S603
    ):
        while goes_on():
            with suppress(subprocess.TimeoutExpired):
                if status := ray.wait(LOOK_SECONDS):
                    sys.stderr.write(printed_in(output.name))
                return status
            if not is_started and STARTED in printed_in(output.name):
                is_started = True
                on_started()
        ray.terminate()
    return None


def printed_in(file: str) -> str:
    return Path(file).read_text("utf-8", "replace")


def stay_joined(
    run: Callable[[], int | None],
    address: str,
    goes_on: Callable[[], bool],
    tell: Callable[[str], None],
) -> int | None:
    """Be a member of the cluster at this address; again, when the head has given this machine up.

    The status of Ray if it ends at once, and has said why.
    """
    while True:
        await_head(address, goes_on, tell)
        begin = time.monotonic()
        status = run() if goes_on() else None
        if status is None or time.monotonic() - begin < LOST_SECONDS:
            return status
        tell("this machine was cut off from the head, or the head was restarted: joining again")


def await_head(address: str, goes_on: Callable[[], bool], tell: Callable[[str], None]) -> None:
    """Wait until the head answers."""
    is_told = False
    while goes_on():
        try:
            reach_head(address)
            return
        except OSError as error:
            if not is_told:
                tell(f"waiting for the head at {address}: {error.strerror or error}")
            is_told = True
            time.sleep(RETRY_SECONDS)
