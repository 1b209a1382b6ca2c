"""Programs in the sandbox: how they run, how they end, and that nothing of them stays."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agon.errors import SandboxError, SettingError, UnfitBotError
from agon.sandbox import Ending, ResourceLimits, SandboxedChild, launch, launcher
from agon.sandbox.cgroups import NoHierarchy, detect_hierarchy
from agon.sandbox.leftovers import owner
from agon.sandbox.processes import children
from tests.sandbox.host import SECOND, ask, finish, groups_of, left_groups, left_processes
from tests.waiting import wait_for

SOURCES = Path(__file__).parents[2] / "src"


def run(source: str, folder: Path | None = None, limits: ResourceLimits | None = None) -> str:
    with launch(["python3", "-c", source], folder, limits) as child:
        return finish(child).strip()


def test_runs_in_its_folder_with_few_variables(open_folder: Path) -> None:
    (open_folder / "data.txt").write_text("17")
    said = run("import os; print(os.getcwd(), open('data.txt').read(), *os.environ)", open_folder)
    where, data, *names = said.split()
    assert (where, data) == ("/bot", "17")
    # PWD is bubblewrap's, LC_CTYPE is Python's own doing.
    assert set(names) - {"PWD", "LC_CTYPE"} == {
        *("PATH", "HOME", "TMPDIR", "USER", "LANG", "TZ"),
        *("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE"),
    }


def test_extra_variables_are_given() -> None:
    command = ["sh", "-c", "echo $SEAT"]
    with launch(command, environment={"SEAT": "1"}) as child:
        assert finish(child) == "1\n"


def test_talks_over_pipes() -> None:
    with launch(["cat"]) as child:
        for word in (b"one\n", b"two\n"):
            assert ask(child, word) == word
        assert child.ended_by() is None
        assert child.wait(0) is None


@pytest.mark.parametrize(
    ("script", "how", "status"),
    [
        ("exit 0", Ending.EXIT, 0),
        ("exit 3", Ending.EXIT, 3),
        ("kill -SEGV $$", Ending.SIGNAL, signal.SIGSEGV),
        ("kill -KILL $$", Ending.SIGNAL, signal.SIGKILL),
        ("kill -XCPU $$", Ending.CPU_LIMIT, signal.SIGXCPU),
    ],
)
def test_tells_how_it_ended(script: str, how: Ending, status: int) -> None:
    with launch(["sh", "-c", script]) as child:
        ended = child.wait(5 * SECOND)
        assert ended is not None
        assert (ended.how, ended.status) == (how, status)
        assert child.ended_by() == ended


def test_a_bot_that_ignores_the_signal_of_the_cpu_limit_is_killed_a_second_later() -> None:
    script = "trap '' XCPU; while :; do :; done"
    with launch(["sh", "-c", script], limits=ResourceLimits(cpu_seconds=1)) as child:
        ended = child.wait(60 * SECOND)
        assert ended is not None
        assert (ended.how, ended.status) == (Ending.CPU_LIMIT, signal.SIGKILL)


def test_our_own_kill_is_told_from_a_crash() -> None:
    with launch(["sleep", "100"]) as child:
        child.kill()
        ended = child.ended_by()
        assert ended is not None
        assert ended.how is Ending.KILLED
        child.kill()
    child.close()
    assert child.ended_by() == ended
    assert child.usage().cpu_ns is not None


def test_the_end_can_be_selected() -> None:
    with launch(["true"]) as child:
        assert select.select([child.exit_fd], [], [], 5)[0] == [child.exit_fd]


def test_a_program_that_cannot_be_executed_did_not_start(open_folder: Path) -> None:
    script = open_folder / "bot"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(UnfitBotError, match="'/bot/bot' cannot be executed: No such file"):
        launch(["./bot"], open_folder)
    assert not left_groups()


def test_a_start_that_fails_before_the_first_process_leaves_no_group() -> None:
    with pytest.raises(OSError, match="Argument list too long"):
        launch(["true", "x" * (1 << 20)])
    assert not left_groups()


def test_it_runs_when_it_is_handed_over() -> None:
    with launch(["sleep", "100"]) as child:
        init = child.init_pid(SECOND)
        names = [Path(f"/proc/{pid}/comm").read_text() for pid in children(init or 0)]
        assert names == ["sleep\n"]


def test_a_program_that_is_not_there_is_an_error(open_folder: Path) -> None:
    with pytest.raises(SandboxError, match="no-such-program"):
        launch(["no-such-program"])
    with pytest.raises(SandboxError, match="relative"):
        launch(["./bot"])
    with pytest.raises(SandboxError, match="cannot be executed: No such file"):
        launch(["./bot"], open_folder)
    with pytest.raises(SandboxError, match="empty"):
        launch([])


def test_folders_with_more_than_a_bot_are_refused(open_folder: Path) -> None:
    for folder in (Path.home(), Path("/"), Path("/usr")):
        with pytest.raises(SandboxError, match="a folder of its own"):
            launch(["true"], folder)
    with pytest.raises(SandboxError, match="expected a folder"):
        launch(["true"], open_folder / "missing")


def test_limits_are_checked() -> None:
    with pytest.raises(SettingError, match="processes"):
        ResourceLimits(processes=0)


@pytest.mark.skipif(os.getuid() != 0, reason="only root's bots run as another user")
def test_a_bot_of_root_may_not_have_closed_files(open_folder: Path) -> None:
    (open_folder / "private").touch(mode=0o600)
    with pytest.raises(SandboxError, match="chmod -R o"):
        launch(["true"], open_folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root's bots run as another user")
def test_a_folder_behind_a_closed_one_is_shown_alone(open_folder: Path) -> None:
    bot = open_folder / "closed" / "bot"
    bot.mkdir(parents=True)
    (bot / "data").write_text("mine")
    (bot.parent / "secret").write_text("not mine")
    bot.parent.chmod(0o700)
    before = Path("/proc/self/mountinfo").read_text()
    assert run("print(open('/bot/data').read())", bot) == "mine"
    said = run(f"import os; print(os.path.exists({str(bot.parent)!r}))", bot)
    assert said == "False"
    assert Path("/proc/self/mountinfo").read_text() == before


@pytest.mark.skipif(os.getuid() != 0, reason="only root's bots run as another user")
def test_many_from_behind_a_closed_folder_at_once(open_folder: Path) -> None:
    open_folder.chmod(0o700)

    def visit(number: int) -> str:
        bot = open_folder / str(number)
        bot.mkdir()
        (bot / "data").write_text(str(number))
        with launch(["cat", "data"], bot) as child:
            return finish(child)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(visit, range(24))) == [str(number) for number in range(24)]
    # A folder that comes back under the same name is the new one.
    shutil.rmtree(open_folder / "7")
    assert visit(7) == "7"


def test_is_the_user_nobody_outside_and_user_1000_inside() -> None:
    with launch(["sh", "-c", "id -u; id -un; exec sleep 100"]) as child:
        assert os.read(child.stdout, 100).split()[0] == b"1000"
        init = child.init_pid(SECOND)
        lines = Path(f"/proc/{init}/status").read_text().splitlines()
        users = next(line.split()[1:] for line in lines if line.startswith("Uid:"))
        assert len(set(users)) == 1
        assert users[0] == str(os.getuid()) if os.getuid() else int(users[0]) >= 1_900_000_000


def test_killed_at_any_moment_of_its_start_nothing_is_left(open_folder: Path) -> None:
    token = f"agon-early-{os.urandom(6).hex()}"
    before = set(children(os.getpid()))  # other tests may keep a server
    for step in range(20):
        child = launch(["sh", "-c", "sleep 100; :", token], open_folder)
        time.sleep(step * 0.0005)
        child.close()
    assert not left_processes(token)
    assert not left_groups()
    assert not set(children(os.getpid())) - before


def test_the_thread_that_launched_may_end() -> None:
    made: list[SandboxedChild] = []
    thread = threading.Thread(target=lambda: made.append(launch(["cat"])))
    thread.start()
    thread.join()
    with made[0] as child:
        assert ask(child, b"hi\n") == b"hi\n"


@pytest.mark.skipif(os.getuid() != 0, reason="needs control groups")
def test_what_an_arena_has_begun_to_start_when_it_is_killed_is_swept_up() -> None:
    """Bubblewrap's process 1 does not die with its parent until the bot runs."""
    token = f"agon-begun-{os.urandom(6).hex()}"
    source = f"""
import sys, time
from agon.sandbox import launch
from agon.sandbox.wiring import Wiring
send = Wiring.send_arguments
def send_and_stop(wiring, words):
    send(wiring, words)
    print(flush=True)
    time.sleep(1000)
Wiring.send_arguments = send_and_stop
launch(["sleep", "1000", "{token}"])
"""
    command = [sys.executable, "-c", source]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={"PYTHONPATH": str(SOURCES)}) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"\n"
        wait_for(lambda: len(left_processes(token, 0)) == 3)  # its own, and two of bubblewrap
        one.kill()
    sweep()
    assert not left_processes(token)


def sweep() -> None:
    """As a later run does."""
    mounts, membership = (Path(f"/proc/self/{file}") for file in ("mountinfo", "cgroup"))
    detect_hierarchy(mounts.read_text(), membership.read_text()).sweep()


@pytest.mark.parametrize("is_paused", [False, True])
def test_dies_with_an_arena_that_is_killed_and_is_swept_up(is_paused: bool) -> None:
    token = f"agon-orphan-{os.urandom(6).hex()}"
    source = f"""
import os, sys, time
from agon.sandbox import launch
child = launch(["sh", "-c", "echo up; sleep 1000 & sleep 1000", "{token}"])
os.read(child.stdout, 2)
if {is_paused}: child.pause()
sys.stdout.write("up\\n"); sys.stdout.flush()
time.sleep(1000)
"""
    arena = subprocess.Popen(
        [sys.executable, "-c", source], stdout=subprocess.PIPE, env={"PYTHONPATH": str(SOURCES)}
    )
    assert arena.stdout is not None
    with arena.stdout:
        assert arena.stdout.readline() == b"up\n"
    assert len(left_processes(token, 0)) >= 1
    process = owner(arena.pid)
    assert groups_of(process) or os.getuid()
    arena.kill()
    arena.wait()
    assert not left_processes(token)
    sweep()
    assert not groups_of(process)


def test_many_at_once() -> None:
    children = [launch(["cat"]) for _ in range(20)]
    try:
        for number, child in enumerate(children):
            line = f"{number}\n".encode()
            assert ask(child, line) == line
    finally:
        for child in children:
            child.close()
    assert not left_groups()


def test_usage_counts_all_processes() -> None:
    source = """
import os, time
end = time.monotonic() + 0.2
os.fork()
while time.monotonic() < end: pass
x = bytearray(40 << 20)
print('done', flush=True)
time.sleep(60)
"""
    with launch(["python3", "-c", source]) as child:
        assert os.read(child.stdout, 4) == b"done"
        usage = child.usage()
        assert usage.cpu_ns is not None
        assert usage.peak_memory is not None
        assert usage.cpu_ns > SECOND // 20
        assert usage.peak_memory > 40 << 20


def test_paused_it_can_still_be_killed() -> None:
    with launch(["cat"]) as child:
        child.pause()
        assert ask(child, b"hi\n", SECOND // 10) == b""
        child.resume()
        assert ask(child, b"") == b"hi\n"
        child.pause()
        begin = time.monotonic_ns()
        child.kill()
        assert time.monotonic_ns() - begin < 2 * SECOND


@pytest.fixture
def _no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host on which we may make no control group."""
    monkeypatch.setattr(launcher, "find_hierarchy", lambda: NoHierarchy("none"))


@pytest.mark.usefixtures("_no_groups")
def test_without_groups_it_is_counted_paused_and_ended_all_the_same() -> None:
    source = """
import os, time
end = time.process_time() + 0.1
block = bytearray(40 << 20)
child = os.fork()
while time.process_time() < end: pass
if not child: time.sleep(600)
for line in open(0): os.write(1, line.encode())
"""
    with launch(["python3", "-c", source]) as child:
        assert child.held == frozenset()
        assert ask(child, b"ready\n") == b"ready\n"
        assert len(child.core_times()) >= 4  # bubblewrap, process 1, the bot, its child
        usage = child.usage()
        assert usage.cpu_ns is not None
        assert usage.cpu_ns >= SECOND // 20
        assert usage.peak_memory is not None
        assert usage.peak_memory > 40 << 20
        child.pause()
        assert ask(child, b"hi\n", SECOND // 10) == b""
        child.resume()
        assert ask(child, b"") == b"hi\n"
        child.pause()
        child.kill()
        after = child.usage()
        assert after.cpu_ns is not None
        assert after.cpu_ns >= usage.cpu_ns
        assert after.peak_memory is not None
        assert after.peak_memory >= usage.peak_memory


@pytest.mark.usefixtures("_no_groups")
def test_without_groups_each_process_is_held() -> None:
    small = ResourceLimits(memory=48 << 20, processes=5)
    said = run("try: bytearray(100 << 20)\nexcept MemoryError: print('held')", limits=small)
    assert said == "held"
    forks = """
import os, time
count = 0
try:
    while count < 20:
        if os.fork() == 0: time.sleep(60)
        count += 1
except OSError: pass
print(count, flush=True)
"""
    with launch(["python3", "-c", forks], None, small) as child:
        assert 0 < int(os.read(child.stdout, 100)) < 5


@pytest.mark.skipif(os.getuid() != 0, reason="the other tests run as an unprivileged user already")
def test_works_for_an_unprivileged_user(open_folder: Path) -> None:
    """The doctor as a user without any privilege: all walls, no control groups."""
    python = shutil.which("python3", path="/usr/local/bin:/usr/bin")
    if python is None or subprocess.run([python, "-c", "import tomllib"], check=False).returncode:
        pytest.skip("root's own Python is closed to others, and the system has none of 3.11")
    shutil.copytree(SOURCES / "agon" / "sandbox", open_folder / "agon" / "sandbox")
    shutil.copy(SOURCES / "agon" / "errors.py", open_folder / "agon")
    source = """
import json, os, socket, threading
from agon.sandbox import Endpoint, launch
from agon.sandbox.doctor import examine
found = {finding.layer: finding.active for finding in examine().findings}
arena = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=lambda: arena.accept()[0].send(b"hello"), daemon=True).start()
client = "import socket; print(socket.create_connection(('arena', 4000)).recv(9))"
with launch(["python3", "-c", client], endpoint=Endpoint(4000, arena.getsockname())) as child:
    child.wait(5 * 10**9)
    found["relay"] = b"hello" in os.read(child.stdout, 99)
print(json.dumps(found))
"""
    user = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
    done = subprocess.run(
        [*user, python, "-W", "error", "-c", source],
        cwd="/",
        env={"PYTHONPATH": str(open_folder), "HOME": "/nonexistent", "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    missing = {layer for layer, active in found.items() if not active}
    assert missing <= {"memory limit", "CPU share"}, (missing, done.stderr)
