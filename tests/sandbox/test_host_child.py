"""Programs without a sandbox: the same handle, and an end for those that play by the rules."""

from __future__ import annotations

import os
import signal
import time

import pytest

from agon.errors import SandboxError
from agon.sandbox import Dialogue, Ending, Limits, Reading, open_host
from tests.sandbox.host import SECOND, left_processes


def test_talks_and_ends() -> None:
    with open_host(["cat"]) as child:
        talk = Dialogue(child, time.monotonic_ns)
        assert talk.ask(b"hi\n", 5 * SECOND).line == b"hi"
        assert child.ended_by() is None
    ended = child.ended_by()
    assert ended is not None
    assert ended.how is Ending.KILLED


@pytest.mark.parametrize(
    ("script", "how", "status"),
    [("exit 4", Ending.EXIT, 4), ("kill -ABRT $$", Ending.SIGNAL, signal.SIGABRT)],
)
def test_tells_how_it_ended(script: str, how: Ending, status: int) -> None:
    with open_host(["sh", "-c", script]) as child:
        ended = child.wait(5 * SECOND)
        assert ended is not None
        assert (ended.how, ended.status) == (how, status)


def test_limits_of_a_process_hold() -> None:
    source = "import time; time.sleep(0.05)\nwhile True: pass"
    with open_host(["python3", "-c", source], limits=Limits(cpu_seconds=1)) as child:
        ended = child.wait(20 * SECOND)
        assert ended is not None
        assert ended.how is Ending.CPU_LIMIT
        cpu = child.usage().cpu_ns
        assert cpu is not None
        assert cpu >= SECOND * 9 // 10


def test_its_children_end_with_it() -> None:
    token = f"agon-host-{os.urandom(6).hex()}"
    with open_host(["sh", "-c", "sleep 1000 & echo up; wait", token]) as child:
        assert os.read(child.stdout, 2) == b"up"
        assert left_processes(token, 0)
    assert not left_processes(token)


def test_is_paused_with_its_group() -> None:
    with open_host(["cat"]) as child:
        talk = Dialogue(child, time.monotonic_ns)
        assert talk.ask(b"1\n", 5 * SECOND).line == b"1"
        child.pause()
        assert talk.ask(b"2\n", SECOND // 10).reading is Reading.NOTHING
        child.resume()
        assert talk.ask(b"", 5 * SECOND).line == b"2"


def test_a_missing_program_is_an_error() -> None:
    with pytest.raises(SandboxError, match="no-such-program"):
        open_host(["no-such-program"])
    with pytest.raises(SandboxError, match="empty"):
        open_host([])
