"""Time that a program waited for a core is not time that it took."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from agon.sandbox.core_times import (
    ThreadTimes,
    is_runnable,
    own_wait_ns,
    ran_between,
    read_core_times,
    waited_between,
)
from benchmarks.fairness import ALLOWED_MS, play_crowd

MS = 10**6
SPIN = "print(end='\\n', flush=True)\nwhile True: pass"


def test_threads_that_wait_for_each_other_do_not_wait_for_a_core() -> None:
    before = {1: ThreadTimes(5, 100), 2: ThreadTimes(0, 0)}
    after = {1: ThreadTimes(55, 150), 2: ThreadTimes(50, 50)}
    assert ran_between(before, after) == 100
    assert waited_between(before, after, 100) == 0
    assert waited_between(before, after, 130) == 30
    assert waited_between(before, after, 1000) == 50


def test_threads_that_begin_later_count_from_their_beginning() -> None:
    assert waited_between({}, {1: ThreadTimes(10, 20)}, 100) == 20
    assert waited_between({1: ThreadTimes(10, 20)}, {}, 100) == 0


def test_what_the_kernel_counts_of_programs_that_share_a_core() -> None:
    core = min(os.sched_getaffinity(0))
    spinners = [
        subprocess.Popen(
            [sys.executable, "-S", "-c", SPIN],
            stdout=subprocess.PIPE,
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        for _ in range(3)
    ]
    try:
        for spinner in spinners:
            assert spinner.stdout is not None
            spinner.stdout.readline()
        pids = [spinner.pid for spinner in spinners]
        before, begin = [read_core_times([pid]) for pid in pids], time.monotonic_ns()
        time.sleep(0.6)
        after, end = [read_core_times([pid]) for pid in pids], time.monotonic_ns()
        assert any(is_runnable(times) for times in after)
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.communicate()
    waited = [waited_between(*pair, end - begin) for pair in zip(before, after, strict=True)]
    assert sum(waited) > end - begin  # two of three wait at any time, but for what is not over yet
    assert read_core_times(pids) == {}
    assert not is_runnable(before[0])


def test_a_thread_that_sleeps_is_not_runnable() -> None:
    told: list[int] = []
    ready, end = threading.Event(), threading.Event()

    def sleep() -> None:
        told.append(threading.get_native_id())
        ready.set()
        end.wait()

    thread = threading.Thread(target=sleep)
    thread.start()
    ready.wait()
    try:
        states = [is_runnable({told[0]: ThreadTimes(0, 0)}) for _ in range(200)]
        assert not states[-1]
        assert is_runnable({threading.get_native_id(): ThreadTimes(0, 0)})
        assert own_wait_ns() >= 0
    finally:
        end.set()
        thread.join()


@pytest.mark.slow
def test_on_a_crowded_host_only_those_lose_that_are_too_slow() -> None:
    matches = 10 * len(os.sched_getaffinity(0))
    quick = play_crowd(40, matches)
    assert (quick.lost_on_time, quick.given_up) == (0, 0)
    assert quick.slowest_ms <= ALLOWED_MS
    assert play_crowd(120, matches).lost_on_time == matches
