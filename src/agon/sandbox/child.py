"""A program in the sandbox: its streams, its end, what it used, and the means to stop it.

It is ended by `kill`, which returns when nothing of the program is left, and given back by `close`.
"""

from __future__ import annotations

import json
import os
import select
import signal
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Protocol, Self

from agon.errors import SandboxError
from agon.sandbox.core_times import read_core_times
from agon.sandbox.ending import Ended, Ending, Usage, judge_exit
from agon.sandbox.group import Holds, poll_until
from agon.sandbox.processes import (
    children,
    cpu_ns,
    descendants,
    peak_memory,
    runs_file,
    signal_all,
    signal_child,
    stop_all,
)

if TYPE_CHECKING:
    import subprocess

    from agon.sandbox.core_times import CoreTimes
    from agon.sandbox.group import ControlGroup
    from agon.sandbox.resource_limits import ResourceLimits

LOOK_SECONDS = 0.0004
"""Between two looks at whether it has begun: it is a matter of a few milliseconds."""

SETTLE_NS = 2 * 10**9
"""How long bubblewrap may take to end by itself after the death of its sandbox."""


class Closable(Protocol):
    """Something that belongs to a child and is given back with it."""

    def close(self) -> None: ...


class SandboxedChild:
    """A program in a sandbox: bubblewrap, its process 1 inside, and the program with all of its."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        limits: ResourceLimits,
        group: ControlGroup,
        status_fd: int,
    ) -> None:
        """Take over bubblewrap's process, its group, and the pipe on which it tells its state."""
        self.pid = process.pid
        self.limits = limits
        self.stdin = descriptor(process.stdin)
        self.stdout = descriptor(process.stdout)
        self.stderr = descriptor(process.stderr)
        self.exit_fd = os.pidfd_open(process.pid)
        """Becomes readable when the program has ended: for a selector."""
        self._process = process
        self._group = group
        self._status_fd = status_fd
        os.set_blocking(status_fd, False)
        self._status = b""
        self._belongings: list[Closable] = []
        self._was_killed = False
        self._ended: Ended | None = None
        self._usage = Usage(None, None)
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def held(self) -> frozenset[Holds]:
        """What a control group holds for this program; the rest has resource limits alone."""
        return self._group.holds

    def own(self, belonging: Closable) -> None:
        """Close this with the child."""
        self._belongings.append(belonging)

    # --- its beginning ---

    def init_pid(self, patience_ns: int) -> int | None:
        """The sandbox's process 1, as the host numbers it; None if it does not come to be."""
        deadline = time.monotonic_ns() + patience_ns
        waiter = select.poll()
        waiter.register(self._status_fd, select.POLLIN)
        while (pid := self._state().get("child-pid")) is None:
            left = deadline - time.monotonic_ns()
            if left <= 0 or not waiter.poll(-(-left // 10**6)) or not self._read_status():
                break
        return pid

    def wait_for_start(self, bwrap: str, patience_ns: int) -> None:
        """Wait until bubblewrap has become the program, or has ended."""
        init = self.init_pid(patience_ns)
        file = os.stat(bwrap)

        def has_begun() -> bool:
            pids = children(init) if init is not None else []
            return any(runs_file(pid, file) is False for pid in pids) or self._has_exited(0)

        poll_until(has_begun, patience_ns, LOOK_SECONDS)

    # --- its end ---

    def wait(self, patience_ns: int | None = None) -> Ended | None:
        """Wait for the end; None if it did not come in time."""
        if self._ended is None and self._has_exited(patience_ns):
            self._usage = self.usage()
            self._process.wait()
            self._ended = self._judge()
        return self._ended

    def ended_by(self) -> Ended | None:
        """How it ended; None while it runs."""
        return self.wait(0)

    def close_input(self) -> None:
        """Let it read the end of its input."""
        if self._process.stdin is not None:
            self._process.stdin.close()

    def kill(self) -> None:
        """Kill it and everything that it has started; returns when no process is left."""
        if not self._closed and self._ended is None and not self._has_exited(0):
            self._was_killed = True
        self._kill_all()
        self.wait()

    def stop(self) -> None:
        """Kill it from another thread, and do not wait for its end.

        Process 1 need not know yet that it is to die with bubblewrap: it is killed, too. Bubblewrap
        is stopped first, so that it stays the parent and cannot say that the program has failed.
        """
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.exit_fd, signal.SIGSTOP)
            init = self._state().get("child-pid")
            if init is not None:
                signal_child(init, self.pid, signal.SIGKILL)
            signal.pidfd_send_signal(self.exit_fd, signal.SIGKILL)
        with suppress(OSError):
            self.resume()  # what is frozen cannot die

    def close(self) -> None:
        """Kill what is left and give everything back."""
        if self._closed:
            return
        self.kill()
        self._closed = True
        os.close(self.exit_fd)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        for belonging in self._belongings:
            belonging.close()
        self._group.remove()
        os.close(self._status_fd)

    def _has_exited(self, patience_ns: int | None) -> bool:
        waiter = select.poll()
        waiter.register(self.exit_fd, select.POLLIN)
        # Rounded up: 0 stays a look, everything else is a wait.
        return bool(waiter.poll(None if patience_ns is None else -(-patience_ns // 10**6)))

    def _kill_all(self) -> None:
        if self._process.returncode is None:
            # Process 1 first: with it the kernel ends all others in the sandbox, and bubblewrap
            # outside reaps it. The other way round, the adopter of orphans would have to.
            init = self.init_pid(SETTLE_NS if not self._has_exited(0) else 0)
            if init is not None:
                signal_child(init, self.pid, signal.SIGKILL)
            with suppress(OSError):
                self._group.thaw()
            if init is None or not self._has_exited(SETTLE_NS):
                self._process.kill()
        self._group.kill()

    def _judge(self) -> Ended:
        while self._read_status():
            pass
        code = self._state().get("exit-code")
        if self._was_killed:
            return Ended(Ending.KILLED, signal.SIGKILL)
        if code is not None:
            return judge_exit(code, self._usage, self.limits.cpu_seconds)
        if self._usage.oom_kills:
            return Ended(Ending.OUT_OF_MEMORY, signal.SIGKILL)
        if self._process.returncode < 0:  # bubblewrap itself was killed from the host
            return Ended(Ending.KILLED, -self._process.returncode)
        return Ended(Ending.NOT_STARTED, self._process.returncode)

    # --- its time ---

    def usage(self) -> Usage:
        """What it has used until now, or until its end."""
        if self._ended is not None:
            return self._usage
        counted = self._group.counters()
        pids = (
            descendants(self.pid) if counted.cpu_ns is None or counted.peak_memory is None else []
        )
        before = self._usage
        cpu = counted.cpu_ns
        if cpu is None:
            cpu = max(before.cpu_ns or 0, sum(map(cpu_ns, pids)))
        memory = counted.peak_memory
        if memory is None:
            memory = max(before.peak_memory or 0, sum(map(peak_memory, pids)))
        self._usage = Usage(cpu, memory, counted.oom_kills, counted.refused_forks)
        return self._usage

    def core_times(self) -> CoreTimes:
        """How long its threads ran and waited for a core."""
        return read_core_times(self._group.processes() or descendants(self.pid))

    def pause(self) -> None:
        """Stop it where it is, so that it cannot think while it is not its turn."""
        if Holds.FREEZE in self._group.holds:
            self._group.freeze()
        else:
            stop_all(self._inside)

    def resume(self) -> None:
        if Holds.FREEZE in self._group.holds:
            self._group.thaw()
        else:
            signal_all(self._inside(), signal.SIGCONT)

    def _inside(self) -> list[int]:
        """All processes but bubblewrap's own."""
        return descendants(self.pid)[1:]

    # --- what bubblewrap tells ---

    def _state(self) -> dict[str, int]:
        """What bubblewrap has told: `child-pid` once there is one, `exit-code` at the end."""
        state: dict[str, int] = {}
        for line in self._status.splitlines(keepends=True):
            if line.endswith(b"\n"):
                state |= json.loads(line)
        return state

    def _read_status(self) -> bool:
        """Read on; False when there is nothing more now."""
        try:
            data = os.read(self._status_fd, 4096)
        except BlockingIOError:
            return False
        self._status += data
        return bool(data)


def descriptor(stream: IO[bytes] | None) -> int:
    if stream is None:
        raise SandboxError("expected a process whose streams are pipes")
    return stream.fileno()
