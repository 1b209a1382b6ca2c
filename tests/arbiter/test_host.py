"""This machine: how late it is, and how its processes end."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.host import KEPT, TICK_NS, HostProcess, HostWatch, format_status
from tests.arbiter.programs import PYTHON, children, open_files, wait_until_readable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MILLISECOND = 10**6


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


# --- how late it is ------------------------------------------------------------------------------


SECOND = 1000 * MILLISECOND


def watch_of(*late_ms: int) -> HostWatch:
    """A watch that saw one such delay every five seconds, without a thread."""
    watch = HostWatch()
    for number, late in enumerate(late_ms, 1):
        watch.expect(5 * number * SECOND)
        watch.wake(5 * number * SECOND + late * MILLISECOND)
    return watch


def test_lateness_counts_on_the_way_there_and_back() -> None:
    watch = watch_of(40, 5, 90, 7)
    assert watch.late_since(0) == 180 * MILLISECOND
    assert watch.late_since(15 * SECOND) == 180 * MILLISECOND
    assert watch.late_since(20 * SECOND) == 14 * MILLISECOND
    assert watch.late_since(25 * SECOND) == 0
    assert HostWatch().late_since(0) == 0


def test_a_second_before_the_question_counts_too() -> None:
    watch = watch_of(40)
    woken = 5 * SECOND + 40 * MILLISECOND
    assert watch.late_since(woken + SECOND) == 80 * MILLISECOND
    assert watch.late_since(woken + SECOND + 1) == 0


def test_what_every_machine_is_late_does_not_count() -> None:
    assert watch_of(1, 2, 0).late_since(0) == 0
    watch = HostWatch()
    watch.expect(0)
    watch.wake(TICK_NS)
    assert watch.late_since(0) == 0
    watch.expect(0)
    watch.wake(TICK_NS + 1)
    assert watch.late_since(0) == 2 * (TICK_NS + 1)


def test_old_delays_are_forgotten() -> None:
    watch = watch_of(500, *[3] * KEPT)
    assert watch.late_since(0) == 6 * MILLISECOND


def test_it_watches_in_a_thread_of_its_own() -> None:
    names = [thread.name for thread in threading.enumerate()]
    begin = time.monotonic_ns()
    with HostWatch() as watch:
        assert "host-watch" in [thread.name for thread in threading.enumerate()]
        assert watch.late_since(begin) >= 0
    assert [thread.name for thread in threading.enumerate()] == names
    assert watch.late_since(time.monotonic_ns() + 2 * SECOND) == 0


def test_a_machine_that_is_late_right_now_is_seen_before_its_watch_wakes() -> None:
    """A thread that is not yet woken: the thread that asks was woken before it."""
    watch, now = HostWatch(), time.monotonic_ns()
    watch.expect(now - 700 * MILLISECOND)
    assert watch.late_since(now) >= 1_400 * MILLISECOND
    watch.expect(now + 10**9 * MILLISECOND)
    assert watch.late_since(0) == 0


def test_work_of_ours_that_lets_no_other_thread_run_is_lateness() -> None:
    with HostWatch() as watch:

        def late() -> int:
            begin = time.monotonic_ns()
            assert 3**1_500_000 > 0  # one long step of the interpreter
            return watch.late_since(begin)

        assert any(late() for _ in range(10))  # at first the thread may not have begun


# --- how processes end ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "exit status 0"),
        (3, "exit status 3"),
        (255, "exit status 255"),
        (-signal.SIGKILL, "killed by SIGKILL"),
        (-signal.SIGSEGV, "killed by SIGSEGV"),
        (-(signal.SIGRTMIN + 3), f"killed by signal {signal.SIGRTMIN + 3}"),
    ],
)
def test_an_end_in_words(status: int, words: str) -> None:
    assert format_status(status) == words


def run_to_its_end(code: str) -> HostProcess:
    """A process whose output is at its end."""
    process = HostProcess([*PYTHON, "-c", code])
    wait_until_readable(process.stdout_fd)
    return process


@pytest.mark.parametrize(
    ("code", "how"),
    [
        ("pass", "exit status 0"),
        ("raise SystemExit(3)", "exit status 3"),
        ("import os; os.kill(os.getpid(), 9)", "killed by SIGKILL"),
        ("import os; os.kill(os.getpid(), 37)", "killed by signal 37"),
        ("import os, time; os.close(1); time.sleep(600)", None),
        ("import os, sys; os.close(1); sys.stdin.read()", None),
    ],
)
def test_how_it_had_ended_by_itself(code: str, how: str | None) -> None:
    process = run_to_its_end(code)
    assert process.end() == how
    assert process.limit_reached() is None


@pytest.mark.parametrize("code", ["import time; time.sleep(600)", "input()"])
def test_what_still_runs_is_ended(code: str) -> None:
    process = HostProcess([*PYTHON, "-c", code])
    descriptor = os.pidfd_open(process.pid)
    assert process.end() is None
    wait_until_readable(descriptor)
    os.close(descriptor)


def test_a_process_has_its_folder_and_its_environment(tmp_path: Path) -> None:
    code = "import os; print(os.getcwd(), dict(os.environ).get('COLOUR'), os.getpgid(0))"
    process = HostProcess([*PYTHON, "-c", code], tmp_path, {"COLOUR": "white"})
    wait_until_readable(process.stdout_fd)
    said = os.read(process.stdout_fd, 1000).decode()
    assert said == f"{tmp_path} white {process.pid}\n"
    process.end()


FORKS_ALL_THE_TIME = """
import os
while True:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    print("one more")
"""


def test_what_is_forked_while_it_is_paused_goes_on_too() -> None:
    process = HostProcess([*PYTHON, "-u", "-c", FORKS_ALL_THE_TIME])
    os.set_blocking(process.stdout_fd, False)
    try:
        for _ in range(300):
            wait_until_readable(process.stdout_fd)
            process.pause()
            process.resume()
            assert os.read(process.stdout_fd, 1 << 20), "it has ended"
    finally:
        process.end()


def test_what_cannot_be_started_leaves_nothing() -> None:
    with pytest.raises(FileNotFoundError):
        HostProcess(["/nowhere/at/all"])
