"""How a program ended, and what it has used: what an arbiter must know to judge it fairly."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """Why a program is no longer there."""

    EXIT = "exit"
    """It ended by itself; the status says how."""
    SIGNAL = "signal"
    """It crashed, or killed itself."""
    OUT_OF_MEMORY = "out of memory"
    """It wanted more memory than its limit."""
    CPU_LIMIT = "cpu limit"
    """It used more CPU seconds than its limit."""
    FILE_LIMIT = "file limit"
    """It wrote a larger file than its limit."""
    PROCESS_LIMIT = "process limit"
    """It ended in failure after it was refused a process or thread."""
    FORBIDDEN_CALL = "forbidden call"
    """It tried a system call by an entry point that is closed."""
    KILLED = "killed"
    """We ended it."""
    NOT_STARTED = "not started"
    """It never ran: the sandbox could not be set up, or there is no such program in it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: `status` is the exit status, or the signal's number where there was one."""

    how: Ending
    status: int

    def __str__(self) -> str:
        """In words.

        >>> str(Ended(Ending.EXIT, 3)), str(Ended(Ending.SIGNAL, 11)), str(Ended(Ending.KILLED, 9))
        ('exit status 3', 'killed by SIGSEGV', 'killed by the arena')
        """
        if self.how is Ending.EXIT:
            return f"exit status {self.status}"
        if self.how is Ending.SIGNAL:
            return f"killed by {signal_name(self.status)}"
        return {
            Ending.OUT_OF_MEMORY: "used more memory than allowed",
            Ending.CPU_LIMIT: "used more CPU time than allowed",
            Ending.FILE_LIMIT: "wrote a larger file than allowed",
            Ending.PROCESS_LIMIT: "wanted more processes than allowed",
            Ending.FORBIDDEN_CALL: "made a system call that is not allowed",
            Ending.KILLED: "killed by the arena",
            Ending.NOT_STARTED: "did not start",
        }[self.how]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a program and all that it started have used; None where it could not be counted."""

    cpu_ns: int | None
    peak_memory: int | None
    oom_kills: int = 0
    """Processes that the kernel ended because the memory limit was reached."""
    refused_forks: int = 0
    """How often a process or thread was refused because of the limit."""


SIGNAL_ENDINGS = {
    signal.SIGXCPU: Ending.CPU_LIMIT,
    signal.SIGXFSZ: Ending.FILE_LIMIT,
    signal.SIGSYS: Ending.FORBIDDEN_CALL,
}


def judge_exit(code: int, usage: Usage, cpu_seconds: int) -> Ended:
    """What an exit code means; above 128 it is that of a signal, as in a shell.

    A program can fake the code of a signal; it is then reported as crashed.

    >>> judge_exit(139, Usage(None, None), 10).how
    <Ending.SIGNAL: 'signal'>
    """
    number = code - 128
    by_signal = 0 < number < signal.NSIG
    if usage.oom_kills and code != 0:
        return Ended(Ending.OUT_OF_MEMORY, number if by_signal else code)
    if usage.refused_forks and code != 0:
        return Ended(Ending.PROCESS_LIMIT, number if by_signal else code)
    if not by_signal:
        return Ended(Ending.EXIT, code)
    spent = usage.cpu_ns is not None and usage.cpu_ns >= cpu_seconds * 10**9
    if number == signal.SIGKILL and spent:
        return Ended(Ending.CPU_LIMIT, number)
    how = next((how for sig, how in SIGNAL_ENDINGS.items() if sig == number), Ending.SIGNAL)
    return Ended(how, number)


def signal_name(number: int) -> str:
    """The name of a signal, real-time ones included."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
