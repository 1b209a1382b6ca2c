"""What is told of a fleet: jobs by machine, rates, what waits, failures and the ends of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arena.fleet.job_ledger import (
    LONGEST_MESSAGE,
    MOST_FAILURES,
    FailedAttempt,
    JobLedger,
    NodeWork,
)
from agon.arena.fleet.job_logs import MOST_BYTES, MOST_LINES, last_lines, read_last_lines

if TYPE_CHECKING:
    from pathlib import Path

SECOND = 10**9
MINUTE = 60 * SECOND


class Clock:
    """A time of day that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_ns = 1000 * MINUTE

    def __call__(self) -> int:
        return self.now_ns


def do_jobs(ledger: JobLedger, count: int, node: str = "n1") -> None:
    for number in range(count):
        ledger.end("site", f"{number}", "", node)


def test_jobs_are_counted_by_machine() -> None:
    clock = Clock()
    ledger = JobLedger(clock)
    for key, failure in (("a", ""), ("b", "it died"), ("c", None)):
        ledger.wait("site", key)
        ledger.begin("site", key, "n1")
        ledger.end("site", key, failure, log=("boom",) if failure else ())
    ledger.begin("site", "d", "n1")
    ledger.begin("other", "d", "n2")
    ledger.wait("other", "e")
    assert ledger.askers() == {"site", "other"}
    ledger.forget({"other"})
    assert ledger.askers() == {"site"}
    work = ledger.read()
    assert work.nodes == {"n1": NodeWork(("d",), 1, 1, 1.0)}
    assert work.waiting == 0
    assert work.failures == (FailedAttempt("n1", "b", "it died", ("boom",), clock.now_ns),)


def test_jobs_wait_until_a_machine_has_them() -> None:
    ledger = JobLedger()
    for key in "abc":
        ledger.wait("site", key)
        ledger.wait("site", key)
    assert ledger.read().waiting == 3
    ledger.begin("site", "a", "n1")
    ledger.end("site", "b", None)
    assert ledger.read().waiting == 1
    ledger.end("site", "c", "no machine is left")
    assert ledger.read().waiting == 0
    assert ledger.read().nodes[""].failed == 1


def test_the_rate_is_that_of_the_last_minutes() -> None:
    clock = Clock()
    ledger = JobLedger(clock)

    def rate() -> float:
        return ledger.read().nodes["n1"].per_minute

    do_jobs(ledger, 6)
    assert rate() == 6.0  # not 6 in no time
    clock.now_ns += 2 * MINUTE
    assert rate() == 3.0
    do_jobs(ledger, 6)
    assert rate() == 6.0
    clock.now_ns += MINUTE  # the first ones are too old
    assert rate() == 2.0
    clock.now_ns += 60 * MINUTE
    assert rate() == 0.0
    assert ledger.read().nodes["n1"].done == 12


def test_the_rate_of_a_quick_machine_is_all_that_it_does() -> None:
    clock = Clock()
    ledger = JobLedger(clock)
    for _ in range(400):
        do_jobs(ledger, 50)
        clock.now_ns += SECOND
    assert ledger.read().nodes["n1"].per_minute == pytest.approx(50 * 60, rel=0.01)


def test_the_last_failures_are_kept_and_are_short() -> None:
    ledger = JobLedger()
    for number in range(MOST_FAILURES + 5):
        ledger.end("site", f"{number}", "x" * 10**5 + f"{number}", "n1")
    failures = ledger.read().failures
    assert [one.key for one in failures] == [f"{number}" for number in range(5, 25)]
    assert failures[-1].message.endswith("x24")
    assert len(failures[-1].message) == LONGEST_MESSAGE


def test_the_end_of_a_log_cannot_play_tricks(tmp_path: Path) -> None:
    log = tmp_path / "worker.err"
    log.write_bytes(b":job_id:01\nTraceback\n  \x1b[2J\xff\xe2\x80\xae<b>\n:task_name:play\n\n")
    told = ("Traceback", "  \\x1b[2J\ufffd\\u202e<b>")
    assert read_last_lines(str(log)) == told
    assert last_lines("Traceback\r\n  \x1b[2J\ufffd\u202e<b>") == told


def test_what_a_process_crashed_of_is_not_cut_off() -> None:
    crash = "Fatal Python error: Segmentation fault"
    stacks = [f'  File "many.py", line {number} in call' for number in range(3 * MOST_LINES)]
    lines = last_lines("\n".join(["started", crash, *stacks, "Extension modules: " + "x, " * 3000]))
    assert lines[0] == crash
    assert lines[1:-1] == tuple(stacks[1 - MOST_LINES :])
    assert last_lines(crash) == (crash,)


def test_the_end_of_a_log_is_short(tmp_path: Path) -> None:
    log = tmp_path / "worker.err"
    log.write_text("".join(f"line {number}\n" for number in range(10**5)))
    lines = read_last_lines(str(log))
    assert lines == tuple(f"line {10**5 - MOST_LINES + number}" for number in range(MOST_LINES))
    log.write_text("y" * 10**6)
    (line,) = read_last_lines(str(log))
    assert len(line) < MOST_BYTES
    assert read_last_lines(str(tmp_path / "none")) == (
        "its log cannot be read: No such file or directory",
    )
