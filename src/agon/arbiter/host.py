"""The machine that the arbiter runs on: how late it is, and plain processes without a sandbox."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import threading
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

from agon.sandbox.core_times import read_core_times
from agon.sandbox.ending import Ended, Ending
from agon.sandbox.processes import descendants, signal_all, stop_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Self

    from agon.sandbox.core_times import CoreTimes

TICK_NS = 2_000_000
LOOKBACK_NS = 10**9
KEPT = 4096
GRACE_SECONDS = 0.02  # for a program that was told to end, or whose end is not yet known


class HostWatch:
    """Measures how late this machine wakes a process that asked to be woken.

    A thread sleeps for two milliseconds at a time and notes by how much it overslept. A program
    waits for this machine twice: to be woken by the question, and until the arbiter is woken by the
    answer. An answer that is late by no more than that is not charged to any seat.
    """

    def __init__(self) -> None:
        """Not watching yet: use it in a `with` statement."""
        self._late: deque[tuple[int, int]] = deque(maxlen=KEPT)
        self._wanted: int | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="host-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self._wanted = None

    def _watch(self) -> None:
        while not self._stop.is_set():
            self.expect(time.monotonic_ns() + TICK_NS)
            time.sleep(TICK_NS / 10**9)
            self.wake(time.monotonic_ns())

    def expect(self, wanted: int) -> None:
        """The thread is to be woken at that reading of the clock."""
        self._wanted = wanted

    def wake(self, woken: int) -> None:
        """It was woken at that one."""
        if self._wanted is not None and woken - self._wanted > TICK_NS:
            self._late.append((woken, woken - self._wanted))
        self._wanted = None

    def late_since(self, begin: int) -> int:
        """How many nanoseconds an answer may be late for this machine's sake, if asked for then.

        One thread cannot see all that goes on: the second before counts, too. And it may be late at
        this very moment: the caller was woken before it.
        """
        wanted = self._wanted
        begin -= LOOKBACK_NS
        late = max((late for woken, late in list(self._late) if woken >= begin), default=0)
        late_now = 0 if wanted is None else time.monotonic_ns() - wanted
        return 2 * max(late, late_now if late_now > TICK_NS else 0)


class HostProcess:
    """A program started as it is, in a process group of its own: for programs that one trusts."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Start it; raises OSError if that cannot be done."""
        self._child = subprocess.Popen(  # noqa: S603
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            process_group=0,  # in our session: if we are killed while it is paused, it goes on
        )
        assert self._child.stdin and self._child.stdout and self._child.stderr  # noqa: S101, PT018
        self._pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self.stdin_fd, self.stdout_fd, stderr_fd = (pipe.fileno() for pipe in self._pipes)
        self.print_fds = (stderr_fd,)
        self.pid = self._child.pid

    def read(self, most: int) -> bytes:
        """What it says, as far as it is there; nothing at the end."""
        return os.read(self.stdout_fd, most)

    def write(self, data: bytes) -> int:
        """Say this to it; how much of it could be said now."""
        return os.write(self.stdin_fd, data)

    def pause(self) -> None:
        stop_all(self._processes)

    def resume(self) -> None:
        signal_all(self._processes(), signal.SIGCONT)

    def _processes(self) -> list[int]:
        """It and what it has started."""
        return descendants(self.pid) if self._child.returncode is None else []

    def stop(self) -> None:
        if self._child.returncode is None:  # else its number may be another process's by now
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def end(self) -> str | None:
        """Close its input, wait a moment, kill the process group; how it had ended before."""
        status = self._wait() if self._has_closed_output() else self._child.poll()
        self._pipes[0].close()  # tells a program that lives to end by itself
        if status is None:
            self._wait()
        with suppress(ProcessLookupError, PermissionError):  # what it has left behind, too
            os.killpg(self.pid, signal.SIGKILL)
        self._child.wait()
        for pipe in self._pipes:
            pipe.close()
        return None if status is None else format_status(status)

    def _has_closed_output(self) -> bool:
        """Whether it has ended, or is about to: what it has to say may still be in the pipe."""
        poll = select.poll()
        poll.register(self.stdout_fd, 0)
        return bool(poll.poll(0))

    def _wait(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self._child.wait(GRACE_SECONDS)
        return None

    def core_times(self) -> CoreTimes:
        """Of it and what it has started."""
        return read_core_times(descendants(self.pid))

    def limit_reached(self) -> str | None:
        """A process without a sandbox has no limits."""
        return None


def format_status(status: int) -> str:
    """How a process ended, in words.

    >>> format_status(3), format_status(-9)
    ('exit status 3', 'killed by SIGKILL')
    """
    return str(Ended(Ending.EXIT, status) if status >= 0 else Ended(Ending.SIGNAL, -status))
