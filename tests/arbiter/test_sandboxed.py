"""Programs in the sandbox: where they run, how their end is told, and who is to blame."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import tempfile
import threading
import time
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.arbiter import Arbiter
from agon.arbiter.bot_process import Program
from agon.arbiter.dial_in import DialInProcess
from agon.arbiter.entrant import Entrant, find_entrant, launch_on_host, start_program
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.sandboxed import (
    PLAY,
    SandboxedProcess,
    choose_launch,
    launch_in_sandbox,
    missing_layers,
    require_sandbox,
    settle,
    tell_missing,
)
from agon.arbiter.seat import BotSeat
from agon.errors import ArbiterError, SandboxError, UnfitBotError
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from agon.sandbox import ResourceLimits
from agon.sandbox.doctor import DoctorReport, LayerFinding
from agon.sandbox.installations import SETTING
from tests.arbiter.attack_match import STARTER, TURNS, play_normally
from tests.arbiter.programs import children, open_files, table, told
from tests.sandbox.host import MIB, SECOND, left_groups

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.bot import Budget
    from agon.games.game import Position


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    processes = children()
    missing_layers()  # opens what stays open
    files = open_files()
    yield
    assert children() <= processes
    assert open_files() <= files
    assert not left_groups()


@pytest.fixture
def folder() -> Iterator[Path]:
    """An empty folder that a bot, run as the user nobody, may see: pytest's own are closed."""
    made = Path(tempfile.mkdtemp(prefix="agon-bot-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def run(
    *command: str, folder: Path | None = None, amounts: ResourceLimits = PLAY
) -> SandboxedProcess:
    return launch_in_sandbox(Program("bot", command, folder), amounts)


def said_by(process: SandboxedProcess) -> str:
    """All that it says until it closes its output."""
    said = b""
    while data := process.read(1000):
        said += data
    process.end()
    return said.decode()


# --- how it ends --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 0", "exit status 0"),
        ("exit 3", "exit status 3"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("exec sleep 100", None),
    ],
)
def test_how_it_had_ended_by_itself(script: str, how: str | None) -> None:
    process = run("sh", "-c", script)
    if "exec sleep" not in script:
        assert process.read(100) == b""
    assert (process.end(), process.limit_reached()) == (how, None)


@pytest.mark.parametrize(
    ("source", "amounts", "limit"),
    [
        (
            "x = []\nwhile True: x.append(bytearray(1 << 20))",
            ResourceLimits(memory=32 * MIB),
            "used more memory than allowed: 32 MiB",
        ),
        (
            "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\n"
            "f = open('/tmp/x', 'wb', 0)\nwhile True: f.write(bytes(65536))",
            ResourceLimits(file_size=2 * MIB),
            "wrote a larger file than allowed: 2 MiB for one file",
        ),
        (
            "while True: pass",
            ResourceLimits(cpu_seconds=1),
            "used more CPU time than allowed: 1 s for one process",
        ),
        (
            "import os, time\nwhile True:\n  if os.fork() == 0: time.sleep(100)",
            ResourceLimits(processes=8),
            "wanted more processes than allowed: 8 at a time, threads included",
        ),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGSYS)",
            PLAY,
            "made a system call that is not allowed",
        ),
    ],
)
def test_the_limit_that_ended_it_is_named(source: str, amounts: ResourceLimits, limit: str) -> None:
    process = run("python3", "-c", source, amounts=amounts)
    if amounts.processes != 8:  # there the children keep the output open
        assert process.read(100) == b""
    else:
        ended = process._child.wait(20 * SECOND)
        assert ended is not None
    assert process.end() is not None
    assert process.limit_reached() == limit


def test_a_sandbox_that_another_process_ends_is_no_fault_of_the_bot() -> None:
    process = run("sleep", "100")
    os.kill(process.pid, signal.SIGKILL)
    assert process.read(1) == b""
    with pytest.raises(ArbiterError, match="ended from outside"):
        process.end()


@pytest.mark.parametrize("is_paused", [True, False])
def test_it_can_be_stopped_from_another_thread(is_paused: bool) -> None:
    process = run("sh", "-c", "sleep 100 & sleep 100")
    if is_paused:
        process.pause()
    thread = threading.Thread(target=process.stop)
    thread.start()
    thread.join()
    assert process.read(1) == b""
    assert process.end() == "killed by the arena"
    process.stop()  # does nothing any more


def test_what_is_paused_does_nothing_and_can_be_ended() -> None:
    process = run("cat")
    process.pause()
    process.write(b"hello\n")
    assert select.select([process.stdout_fd], [], [], 0.1)[0] == []
    process.resume()
    assert process.read(100) == b"hello\n"
    process.pause()
    begin = time.monotonic_ns()
    assert process.end() is None
    assert time.monotonic_ns() - begin < 2 * SECOND


# --- who is to blame ----------------------------------------------------------------------------


def seat_of(program: Program) -> ProgramSeat:
    return ProgramSeat("bot", lambda: launch_in_sandbox(program), lambda: GAME.dialogue(None))


def test_a_program_that_cannot_be_run_is_the_bots_failure_to_start(folder: Path) -> None:
    bad = folder / "bad"
    bad.write_text("#!/no/such/interpreter\n")
    bad.chmod(0o755)
    for command, words in (
        ("./bad", "'/bot/bad' cannot be executed: No such file or directory"),
        ("./missing", "'/bot/missing' cannot be executed: No such file or directory"),
        ("no-such-program", "not found"),
    ):
        seat = seat_of(Program("bot", (command,), folder))
        other = BotSeat("random", GAME.bots()["random"], 1, time.monotonic_ns)
        match = table(seat, other, Limits(SECOND, turns=2)).play(0)
        assert match.faults == (Fault.NO_START, None)
        assert words in told(match)


def test_a_host_that_fails_is_no_seats_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*arguments: object, **settings: object) -> None:
        raise SandboxError("no control group for a bot")

    monkeypatch.setattr("agon.arbiter.sandboxed.launch", fails)
    seat = seat_of(Program("bot", ("cat",)))
    with pytest.raises(ArbiterError, match="cannot be started: no control group"):
        seat.begin(GAME.start(), 0, Limits(), ("a", "b"))


# --- which folder -------------------------------------------------------------------------------


def test_a_command_runs_in_the_current_folder(folder: Path) -> None:
    (folder / "bot.py").write_text("import os; print(os.getcwd(), open('data.txt').read())")
    (folder / "data.txt").write_text("17")
    with chdir(folder):
        assert settle(Program("x", ("python3", "bot.py"))).folder == folder
        assert said_by(run("python3", "bot.py")) == "/bot 17\n"
        assert said_by(run("python3", str(folder / "bot.py"))) == "/bot 17\n"


def test_an_installation_is_seen_if_its_owner_allows_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "bot.py").write_text("print(17)")
    with chdir(folder):
        with pytest.raises(UnfitBotError, match="it is not in the sandbox"):
            run(sys.executable, "-I", "bot.py")
        monkeypatch.setenv(SETTING, sys.executable)
        assert said_by(run(sys.executable, "-I", "bot.py")) == "17\n"


def test_a_command_may_name_a_file_elsewhere(folder: Path) -> None:
    (folder / "bot.py").write_text("import os; print(sorted(os.listdir()))")
    script = folder / "bot.sh"
    script.write_text("#!/bin/sh\nls\n")
    script.chmod(0o755)
    with chdir("/"):  # which no sandbox shows
        assert said_by(run("python3", "-u", str(folder / "bot.py"))) == "['bot.py', 'bot.sh']\n"
        assert said_by(run(str(script))) == "bot.py\nbot.sh\n"
        assert said_by(run("ls", "/bot")) == ""
        relative = folder.relative_to("/")
        assert said_by(run("python3", f"{relative}/bot.py")) == "['bot.py', 'bot.sh']\n"
        assert said_by(run(f"{relative}/bot.sh")) == "bot.py\nbot.sh\n"


@pytest.mark.parametrize("name", ["", "tmp", "usr"])
def test_a_folder_of_others_is_not_shown(name: str) -> None:
    place = Path("/") / name
    with chdir(place):
        file = next((path for path in sorted(Path(".").iterdir()) if path.is_file()), None)
        if file is not None:
            with pytest.raises(UnfitBotError, match="a folder of its own, or trust it"):
                settle(Program("x", ("cat", str(file))))
        assert settle(Program("x", ("cat",))).folder is None


def test_the_home_folder_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    (folder / "bot.py").touch()
    with chdir(folder), pytest.raises(UnfitBotError, match="--unsafe-host"):
        run("python3", "bot.py")
    with pytest.raises(UnfitBotError, match="would show the bot your own files"):
        settle(Program("x", ("./bot",), folder))


def test_a_program_of_the_folder_goes_before_one_of_the_system(folder: Path) -> None:
    (folder / "true").write_text("#!/bin/sh\necho mine in $(pwd)\n")
    (folder / "true").chmod(0o755)
    for command in ("true", "./true"):
        assert said_by(run(command, folder=folder)) == "mine in /bot\n"


# --- which way of starting ----------------------------------------------------------------------

BUILT_IN = Entrant("random", built_in="random")
PROGRAM = Entrant("cat", Program("cat", ("cat",)))


@pytest.fixture
def _host_without_groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A host on which we may make no control group."""
    found = LayerFinding("memory limit", False, True, "96 MiB", "run it as root")
    monkeypatch.setattr("agon.sandbox.doctor.examine_minimum", lambda: DoctorReport((found,), ""))
    missing_layers.cache_clear()
    yield
    missing_layers.cache_clear()


@pytest.mark.usefixtures("_host_without_groups")
def test_limits_of_each_process_are_enough_for_programs_of_ones_own() -> None:
    assert choose_launch([PROGRAM], unsafe_host=False, ranked=False) is launch_in_sandbox
    with pytest.raises(SandboxError, match="ranked play: memory limit"):
        choose_launch([PROGRAM], unsafe_host=False, ranked=True)
    assert tell_missing() == "missing here: memory limit; run it as root"


@pytest.fixture
def _poor_host(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A host that lacks a layer, without which the next was not tried."""
    found = LayerFinding("own network", False, True, "it was reached", "do something")
    rest = LayerFinding("own IPC", False, True, "not tried", "do more")
    report = DoctorReport((found, rest), "")
    monkeypatch.setattr("agon.sandbox.doctor.examine_minimum", lambda: report)
    missing_layers.cache_clear()
    yield
    missing_layers.cache_clear()


def test_programs_run_in_the_sandbox_unless_they_are_trusted() -> None:
    for ranked in (True, False):
        assert choose_launch([PROGRAM, BUILT_IN], unsafe_host=False, ranked=ranked) is (
            launch_in_sandbox
        )
        assert choose_launch([PROGRAM], unsafe_host=True, ranked=ranked) is launch_on_host


@pytest.mark.usefixtures("_poor_host")
def test_a_host_below_the_minimum_refuses_programs() -> None:
    with pytest.raises(
        SandboxError,
        match=r"ranked play: own network \(it was reached\): do something. `agon sandbox doctor`",
    ):
        choose_launch([BUILT_IN, PROGRAM], unsafe_host=False, ranked=True)
    with pytest.raises(SandboxError, match=r"doctor.*--unsafe-host"):
        choose_launch([PROGRAM], unsafe_host=False, ranked=False)
    assert choose_launch([PROGRAM], unsafe_host=True, ranked=True) is launch_on_host
    choose_launch([BUILT_IN], unsafe_host=False, ranked=True)  # needs nothing


def test_this_host_is_good_enough() -> None:
    require_sandbox()
    assert not missing_layers()


# --- at the table -------------------------------------------------------------------------------


def test_a_whole_match(folder: Path) -> None:
    match = play_normally(folder)
    assert (match.faults, match.turns) == ((None, None), TURNS)


def test_a_program_that_dials_in_finds_its_port_and_no_other(folder: Path) -> None:
    source = """
import socket, sys
with socket.create_connection((sys.argv[1], int(sys.argv[2]))) as connection:
    sys.stdin, sys.stdout = connection.makefile("r"), connection.makefile("w")
    import hive_bot
    hive_bot.main()
"""
    (folder / "hive_bot.py").write_text(STARTER.read_text())
    (folder / "dial.py").write_text(source)
    program = Program("bot", ("python3", "dial.py", "{host}", "{port}"), folder)
    seat = ProgramSeat(
        "bot",
        lambda: start_program(program, "bot", launch_in_sandbox),
        lambda: GAME.dialogue(None),
    )
    other = BotSeat("random", GAME.bots()["random"], 1, time.monotonic_ns)
    match = table(seat, other, Limits(30 * SECOND, turns=TURNS)).play(0)
    assert isinstance(seat._process, DialInProcess)
    seat.close()
    assert match.faults == (None, None), match.transcript.events


class SlowBot:
    """Plays at random after a while, and looks at what the other used meanwhile."""

    def __init__(self, processes: list[SandboxedProcess]) -> None:
        self.processes = processes
        self.used_ns: list[int] = []
        self._bot = GAME.bot("random", 1)

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Any:
        child = self.processes[0]._child
        time.sleep(0.02)  # it may take a moment to stop
        before = child.usage().cpu_ns
        time.sleep(0.1)
        after = child.usage().cpu_ns
        assert before is not None
        assert after is not None
        self.used_ns.append(after - before)
        return self._bot.choose(position, seat, budget)


def test_no_bot_thinks_in_the_opponents_time(folder: Path) -> None:
    source = """
import os
if os.fork() == 0:
    while True: pass
import hive_bot
hive_bot.main()
"""
    (folder / "hive_bot.py").write_text(STARTER.read_text())
    (folder / "burner.py").write_text(source)
    processes: list[SandboxedProcess] = []

    def launch() -> SandboxedProcess:
        processes.append(run("python3", "burner.py", folder=folder))
        return processes[-1]

    slow = SlowBot(processes)
    seats = [
        ProgramSeat("burner", launch, lambda: GAME.dialogue(None)),
        BotSeat("slow", lambda _: slow, 0, time.monotonic_ns),
    ]
    limits = Limits(30 * SECOND, turns=TURNS)
    match = Arbiter(GAME, GAME.options(), seats, limits, time.monotonic_ns).play(0)
    seats[0].close()
    assert match.faults == (None, None)
    assert max(slow.used_ns[1:]) < SECOND // 100  # that it thinks for long shows after a turn


def test_a_command_line_is_an_entrant_like_any_other(folder: Path) -> None:
    (folder / "hive_bot.py").write_text(STARTER.read_text())
    entrant = find_entrant(GAME, f"python3 {folder / 'hive_bot.py'}")
    assert entrant.program is not None
    process = launch_in_sandbox(entrant.program)
    process.write(b"options variant=Base turn_ms=1000\ncolour white\n")
    assert process.read(1) == b"l"
    assert process.end() is None
