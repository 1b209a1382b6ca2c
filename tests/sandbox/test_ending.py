"""What an exit code means, given what the program has used."""

from __future__ import annotations

import signal

import pytest

from agon.sandbox.ending import Ended, Ending, Usage, judge_exit, signal_name

KILL = 128 + signal.SIGKILL


@pytest.mark.parametrize(
    ("code", "usage", "how", "status"),
    [
        (0, Usage(None, None), Ending.EXIT, 0),
        (3, Usage(None, None), Ending.EXIT, 3),
        (128, Usage(None, None), Ending.EXIT, 128),
        (129, Usage(None, None), Ending.SIGNAL, 1),
        (128 + 64, Usage(None, None), Ending.SIGNAL, 64),
        (128 + 65, Usage(None, None), Ending.EXIT, 193),
        (KILL, Usage(10 * 10**9 - 1, None), Ending.SIGNAL, 9),
        (KILL, Usage(10 * 10**9, None), Ending.CPU_LIMIT, 9),
        (KILL, Usage(None, None), Ending.SIGNAL, 9),
        (139, Usage(99 * 10**9, None), Ending.SIGNAL, 11),
        (128 + signal.SIGXCPU, Usage(0, None), Ending.CPU_LIMIT, signal.SIGXCPU),
        (128 + signal.SIGXFSZ, Usage(0, None), Ending.FILE_LIMIT, signal.SIGXFSZ),
        (128 + signal.SIGSYS, Usage(0, None), Ending.FORBIDDEN_CALL, signal.SIGSYS),
        (KILL, Usage(0, 0, oom_kills=1), Ending.OUT_OF_MEMORY, 9),
        (1, Usage(0, 0, oom_kills=1), Ending.OUT_OF_MEMORY, 1),
        (0, Usage(0, 0, oom_kills=1, refused_forks=1), Ending.EXIT, 0),
        (1, Usage(0, 0, refused_forks=1), Ending.PROCESS_LIMIT, 1),
        (134, Usage(0, 0, refused_forks=1), Ending.PROCESS_LIMIT, 6),
        (1, Usage(0, 0, oom_kills=1, refused_forks=1), Ending.OUT_OF_MEMORY, 1),
    ],
)
def test_what_an_exit_code_means(code: int, usage: Usage, how: Ending, status: int) -> None:
    assert judge_exit(code, usage, cpu_seconds=10) == Ended(how, status)


@pytest.mark.parametrize("how", Ending)
def test_every_ending_has_its_own_words(how: Ending) -> None:
    words = {other: str(Ended(other, 1)) for other in Ending}
    assert [other for other in Ending if words[other] == words[how]] == [how]


def test_signals_have_names() -> None:
    assert [signal_name(number) for number in (9, 34, 37)] == ["SIGKILL", "SIGRTMIN", "signal 37"]
