"""Programs that dial in over TCP, through real processes and sockets."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.dial_in import dials_in, fill_in
from agon.arbiter.entrant import Entrant, launch_on_host, make_seat
from agon.arbiter.limits import Limits
from agon.arbiter.program import ProgramSeat
from agon.arbiter.sandboxed import launch_in_sandbox, missing_layers
from agon.games.bot import no_time
from agon.games.hive.game import GAME
from agon.match.transcript import Fault
from tests.arbiter.programs import (
    PATIENT,
    SECOND,
    TURNS,
    children,
    known_seat,
    open_files,
    table,
    told,
    write_program,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arbiter.bot_process import Launch
    from agon.match.result import MatchResult

DIAL = """
import socket
def dial():
    "Lines come and go over a connection from now on."
    global connection
    connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    sys.stdin, sys.stdout = connection.makefile("r"), connection.makefile("w")
"""


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    missing_layers()  # opens what stays open
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


def dialling_seat(path: Path, body: str, launch: Launch = launch_on_host) -> ProgramSeat:
    command = write_program(path / "bot.py", DIAL + body)
    program = Program("bot", (*command, "{host}", "{port}", "--name={name}"))
    seat = make_seat(GAME, Entrant("Zoë", program), 0, no_time, launch)
    assert isinstance(seat, ProgramSeat)
    return seat


def play(seat: ProgramSeat, limits: Limits = PATIENT, matches: int = 1) -> MatchResult:
    try:
        at = table(seat, known_seat(), limits)
        for _ in range(matches):
            match = at.play(0)
    finally:
        seat.close()
    return match


@pytest.mark.parametrize("matches", [1, 3])
def test_a_program_that_dials_in_plays_like_any_other(tmp_path: Path, matches: int) -> None:
    match = play(dialling_seat(tmp_path, "dial(); play()"), matches=matches)
    assert (match.faults, match.turns) == ((None, None), TURNS)


def test_one_in_the_sandbox_reaches_the_arena_and_nothing_else() -> None:
    """Nothing listens on the port beside it, nor on that of a listener of this machine."""
    body = """
        host, port = sys.argv[1], int(sys.argv[2])
        for other in (port + 1, OTHER):
            try:
                socket.create_connection((host, other), 5)
            except ConnectionRefusedError:
                print("refused", flush=True)
        dial(); play()
    """
    missing_layers()  # opens what stays open
    with (
        socket.create_server(("127.0.0.1", 0)) as other,
        tempfile.TemporaryDirectory(prefix="agon-bot-") as folder,
    ):
        Path(folder).chmod(0o755)
        told = body.replace("OTHER", str(other.getsockname()[1]))
        seat = dialling_seat(Path(folder), dedent(told), launch_in_sandbox)
        match = play(seat)
    assert match.faults == (None, None)
    assert seat.stderr == b"refused\nrefused\n"


def test_it_is_told_its_name_and_may_print_as_much_as_it_likes(tmp_path: Path) -> None:
    seat = dialling_seat(tmp_path, "print(sys.argv[3] * 2**16, flush=True)\ndial(); play()")
    match = play(seat)
    assert match.faults == (None, None)
    assert seat.stderr.decode().endswith("--name=Zoë\n")


@pytest.mark.parametrize(
    ("body", "fault", "detail"),
    [
        ("sys.exit(3)", Fault.CRASH, "exit status 3"),
        ("dial(); sys.exit(4)", Fault.CRASH, "exit status 4"),
        ("dial(); next(asked()); connection.close(); sys.exit(5)", Fault.CRASH, "exit status 5"),
        ("raise SystemExit('no bot today')", Fault.CRASH, "exit status 1: no bot today"),
        ("dial(); say('hello\\n'); sleep()", Fault.PROTOCOL, "move 'hello'"),
        ("dial(); next(asked()); say('wA9\\n'); sleep()", Fault.PROTOCOL, "tile 'wA9'"),
    ],
)
def test_what_goes_wrong_is_the_programs_fault(
    tmp_path: Path, body: str, fault: Fault, detail: str
) -> None:
    match = play(dialling_seat(tmp_path, body))
    assert match.faults == (fault, None)
    assert told(match).startswith(detail)


@pytest.mark.parametrize("body", ["sleep()", "dial(); sleep()", "dial(); sys.stdout.write('w')"])
def test_silence_is_a_timeout(tmp_path: Path, body: str) -> None:
    limits = Limits(turn_ns=SECOND // 10, start_ns=SECOND, turns=TURNS)
    match = play(dialling_seat(tmp_path, f"{body}; sleep()"), limits)
    assert match.faults == (Fault.TIMEOUT, None)


def test_a_program_that_cannot_be_started_leaves_no_socket() -> None:
    program = Program("bot", ("/no/such/program", "{port}"))
    seat = make_seat(GAME, Entrant("bot", program), 0, no_time, launch_on_host)
    match = table(seat, known_seat()).play(0)
    assert match.faults == (Fault.NO_START, None)


def test_placeholders_are_filled_in_and_other_braces_stay() -> None:
    program = Program("bot", ("bot", "http://{host}:{port}/{name}", "{}", "{other}"))
    assert dials_in(program)
    assert not dials_in(Program("bot", ("bot", "{host}")))
    filled = fill_in(program, "a {port} b", 7)
    assert filled.run == ("bot", "http://127.0.0.1:7/a {port} b", "{}", "{other}")
    assert filled.port == 7
