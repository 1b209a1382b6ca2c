"""Programs as bots, through real processes: good ones, and every kind of bad one.

Whatever a program does, its match ends with the right fault and a detail that helps its author,
the next match works, and no process and no file descriptor is left.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.host import HostProcess
from agon.arbiter.limits import Limits
from agon.arbiter.program import MOST_WAITING, ProgramSeat
from agon.errors import ArbiterError, SandboxError
from agon.games.hive.game import GAME
from agon.games.hive.protocol import LineDialogue
from agon.match.transcript import Fault, TurnEvent, format_transcript, parse_transcript
from tests.arbiter.programs import (
    LINES,
    MOVES,
    PATIENT,
    SECOND,
    SHORT,
    TURNS,
    Launcher,
    children,
    known_seat,
    open_files,
    play,
    table,
    told,
    wait_until_readable,
    write_program,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agon.games.dialogue import Briefing
    from agon.games.game import Position
    from agon.games.hive.move import Move
    from agon.match.result import MatchResult

HASTY = Limits(turn_ns=SHORT, start_ns=60 * SECOND, turns=TURNS)
"""A short time for every turn but the first, so that slow machines can start a program."""

GOOD = "play()"
ONCE = """
import os
if os.path.exists(__file__ + ".again"):
    play()
    sys.exit()
open(__file__ + ".again", "w").close()
"""


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """Every test here ends all that it starts, down to the last descriptor."""
    files, processes = open_files(), children()
    yield
    assert children() <= processes
    assert open_files() <= files


def assert_whole(match: MatchResult) -> None:
    assert (match.faults, match.turns) == ((None, None), TURNS)
    assert match.outcome.reason == "turn limit"


def assert_ends(pid: int, action: Callable[[], None]) -> None:
    """After the action that process must end."""
    descriptor = os.pidfd_open(pid)
    try:
        action()
        wait_until_readable(descriptor)
    finally:
        os.close(descriptor)


# --- good programs -------------------------------------------------------------------------------


@pytest.mark.parametrize("own", [0, 1])
def test_a_good_program_plays_to_the_end(tmp_path: Path, own: int) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", GOOD))
    match = play(launcher, own=own)
    assert_whole(match)
    assert match.transcript.players[own] == {"name": "bot", "kind": "program"}
    assert 0 < match.slowest_ns[own] <= match.thought_ns[own]


def test_two_programs_play_each_other(tmp_path: Path) -> None:
    seats = [Launcher(write_program(tmp_path / f"{name}.py", GOOD)).seat() for name in "ab"]
    assert_whole(table(seats[0], seats[1]).play(0))
    for seat in seats:
        seat.close()


def test_the_wire_has_exactly_what_was_exchanged(tmp_path: Path) -> None:
    """The program keeps what it read and wrote itself; both records agree."""
    body = """
        class Kept:
            def __init__(self, stream): self.stream = stream
            def __iter__(self):
                for line in self.stream:
                    log.write("> " + line); log.flush(); yield line
        log = open(__file__ + ".log", "w")
        sys.stdin = Kept(sys.stdin)
        for move in asked():
            log.write("< " + move + "\\n"); log.flush()
            say(move + "\\n")
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    assert_whole(play(launcher, own=1))
    assert (
        "".join(f"{way} {line}\n" for way, line in launcher.wire)
        == (tmp_path / "bot.py.log").read_text()
    )
    assert launcher.wire == [
        (">", "options variant=Base queen_first=off repetition=on turn_ms=120000"),
        (">", "colour black"),
        *((">" if n % 2 == 0 else "<", move) for n, move in enumerate(MOVES)),  # black's is last
        (">", "end draw turn limit"),
    ]


def test_a_program_is_kept_for_many_matches(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", GOOD))
    assert_whole(play(launcher, matches=3))
    assert len(launcher.processes) == 1
    assert launcher.lines(">").count("colour white") == 3


def test_lines_may_end_as_on_another_system(tmp_path: Path) -> None:
    body = """
        for move in asked():
            say(move + "\\r\\n")
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    assert_whole(play(launcher))
    assert launcher.lines("<") == MOVES[::2]


def test_a_move_may_come_in_pieces(tmp_path: Path) -> None:
    body = """
        for move in asked():
            for letter in move + "\\n":
                say(letter)
    """
    assert_whole(play(Launcher(write_program(tmp_path / "bot.py", body))))


def test_a_closed_seat_has_no_process(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", GOOD))
    seat = launcher.seat()
    assert_whole(table(seat, known_seat()).play(0))
    assert_ends(launcher.processes[0].pid, seat.close)
    assert seat.stderr == b""
    seat.close()


def test_complaints_are_kept_from_the_end(tmp_path: Path) -> None:
    body = """
        for move in asked():
            sys.stderr.write("".join(f"{n:07}\\n" for n in range(40_000)))
            sys.stderr.flush()
            say(move + "\\n")
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    seat = launcher.seat()
    assert_whole(table(seat, known_seat()).play(0))
    seat.close()
    expected = "".join(f"{n:07}\n" for n in range(40_000)).encode() * (TURNS // 2)
    assert seat.stderr == expected[-65536:]


def test_how_much_is_kept_can_be_set(tmp_path: Path) -> None:
    body = """
        sys.stderr.write("hello"); sys.stderr.flush()
        play()
    """
    for kept, found in ((3, b"llo"), (0, b""), (100, b"hello")):
        seat = Launcher(write_program(tmp_path / "bot.py", body)).seat()
        limits = Limits(turn_ns=120 * SECOND, turns=2, stderr_bytes=kept)
        assert table(seat, known_seat(), limits).play(0).faults == (None, None)
        seat.close()
        assert seat.stderr == found


# --- bad programs --------------------------------------------------------------------------------

BAD: dict[str, tuple[str, Fault, str]] = {
    # name: (what it does when it is first asked or before, the fault, what its author is told)
    "exits at once": ("sys.exit(3)", Fault.CRASH, "exit status 3"),
    "exits in its turn": ("next(asked()); sys.exit(0)", Fault.CRASH, "exit status 0"),
    "raises": (
        "next(asked()); raise KeyError('queen')",
        Fault.CRASH,
        "exit status 1: KeyError: 'queen'",
    ),
    "raises with odd letters": (
        "next(asked()); sys.stderr.write('\\x1b[31mred\\x07\\n \\n'); os._exit(9)",
        Fault.CRASH,
        "exit status 9: ?[31mred?",
    ),
    "is killed": (
        "next(asked()); os.kill(os.getpid(), signal.SIGKILL)",
        Fault.CRASH,
        "killed by SIGKILL",
    ),
    "closes its output and lives": (
        "next(asked()); os.close(1); sleep()",
        Fault.CRASH,
        "it closed its output",
    ),
    "closes its output and reads on": (
        "next(asked()); os.close(1); list(sys.stdin); sleep()",
        Fault.CRASH,
        "it closed its output",
    ),
    "says a move and dies of half a line": (
        "next(asked()); say('wS'); os._exit(5)",
        Fault.CRASH,
        "exit status 5",
    ),
    "says rubbish": (
        "next(asked()); os.write(1, b'\\xff\\xfe\\x00\\n'); sleep()",
        Fault.PROTOCOL,
        r"b'\xff\xfe\x00' is not UTF-8",
    ),
    "says what is no move": (
        "next(asked()); say('hello\\n'); sleep()",
        Fault.PROTOCOL,
        "move 'hello': expected a tile, a point of contact and a tile, such as wG2/*bA1",
    ),
    "says nothing": (
        "next(asked()); say('\\n'); sleep()",
        Fault.PROTOCOL,
        "move (an empty line): expected a tile, a point of contact and a tile, such as wG2/*bA1",
    ),
    "plays what is not allowed": (
        "next(asked()); say('wQ1\\n'); sleep()",
        Fault.ILLEGAL,
        "move 'wQ1': that kind of tile cannot be placed on this turn",
    ),
    "says a long line": (
        "next(asked()); say('x' * 10_000_000 + '\\n'); sleep()",
        Fault.PROTOCOL,
        f"b'{'x' * 40}': a line of more than 65536 bytes",
    ),
    "floods without an end": (
        "next(asked())\nwhile True: say('y' * 65536)",
        Fault.PROTOCOL,
        f"b'{'y' * 40}': a line of more than 65536 bytes",
    ),
    "floods with lines": (
        "next(asked())\nwhile True: say('wS1' * 1000 + '\\n')",
        Fault.PROTOCOL,
        f"move '{'wS1' * 13}w': expected a tile, a point of contact",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_program_loses_and_its_author_is_told_why(tmp_path: Path, name: str) -> None:
    body, fault, detail = BAD[name]
    match = play(Launcher(write_program(tmp_path / "bot.py", body)))
    assert match.faults == (fault, None)
    assert (match.outcome.winner, match.outcome.reason) == (1, f"white: {fault.value}")
    assert told(match).startswith(detail)
    assert len(told(match)) < 300


@pytest.mark.parametrize("name", BAD)
def test_the_match_after_a_failure_has_a_new_process(tmp_path: Path, name: str) -> None:
    body, _, _ = BAD[name]
    launcher = Launcher(write_program(tmp_path / "bot.py", body, LINES + ONCE))
    assert_whole(play(launcher, matches=2))
    assert len(launcher.processes) == 2


SILENT: dict[str, tuple[str, str]] = {
    # it answers its first turn, and then:
    "never answers": ("say(MOVES[0] + '\\n'); sleep()", ""),
    "never answers but reads": (
        "say(MOVES[0] + '\\n'); list(sys.stdin); sleep()",
        "",
    ),
    "half a line and silence": (
        "say(MOVES[0] + '\\nwS'); sleep()",
        ": half a line 'wS', no line end",
    ),
    "half a letter and silence": (
        "sys.stdout.buffer.write(MOVES[0].encode() + b'\\n\\xc3'); sys.stdout.flush(); sleep()",
        r": half a line '\\xc3', no line end",
    ),
    "floods its complaints": (
        "say(MOVES[0] + '\\n')\nwhile True: os.write(2, b'no! ' * 16384)",
        "",
    ),
    "burns": ("say(MOVES[0] + '\\n')\nwhile True: pass", ""),
    "closes its input": ("say(MOVES[0] + '\\n'); os.close(0); sleep()", ""),
    "leaves its output to a child": (
        "say(MOVES[0] + '\\n'); subprocess.Popen(['sleep', '600']); os._exit(3)",
        "",
    ),
    "ignores the end": (
        "say(MOVES[0] + '\\n')\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\nsleep()",
        "",
    ),
}


@pytest.mark.parametrize("name", SILENT)
def test_a_silent_program_loses_on_time(tmp_path: Path, name: str) -> None:
    body, hint = SILENT[name]
    launcher = Launcher(write_program(tmp_path / "bot.py", f"next(asked()); {body}", LINES + ONCE))
    seat = launcher.seat()
    played_at = table(seat, known_seat(), HASTY)
    match = played_at.play(0)
    assert (match.faults, match.turns) == ((Fault.TIMEOUT, None), 2)
    assert told(match) == f"no turn within 0.15 s{hint}"
    assert match.thought_ns[0] > SHORT
    assert len(seat.stderr) <= 65536
    played_at.limits = PATIENT
    assert_whole(played_at.play(0))
    seat.close()


def test_the_first_turn_has_the_time_to_start_once_more(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", "sleep()"))
    match = play(launcher, Limits(turn_ns=SHORT // 2, start_ns=SHORT // 2))
    assert match.faults == (Fault.TIMEOUT, None)
    assert told(match) == "no turn within 0.15 s"


def test_a_turn_may_have_years(tmp_path: Path) -> None:
    """More milliseconds than the system can wait for at once."""
    launcher = Launcher(write_program(tmp_path / "bot.py", GOOD))
    assert_whole(play(launcher, Limits(turn_ns=10**18, bank_ns=10**18, turns=TURNS)))
    assert_whole(play(launcher, Limits(turns=TURNS)))


def test_a_second_answer_is_found_at_the_next_question(tmp_path: Path) -> None:
    """The first line is the turn; what follows it was not asked for, however fast it comes."""
    body = """
        for move in asked():
            say(move + "\\n" + move + "\\n")
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    match = play(launcher)
    assert (match.faults, match.turns) == ((Fault.PROTOCOL, None), 2)
    assert told(match) == f"{MOVES[0]!r}: it was not asked for a turn"
    assert launcher.lines("<") == [MOVES[0], MOVES[0]]


@pytest.mark.parametrize(("own", "turns"), [(0, 2), (1, 1)])
def test_who_speaks_in_the_others_turn_is_found_when_asked(
    tmp_path: Path, own: int, turns: int
) -> None:
    """White says more after its first move; black does not wait for white's."""
    body = """
        if sys.argv[1] == "0":
            next(asked())
            say(MOVES[0] + "\\n")
        open(__file__ + ".cue").close()
        say("I think I am winning\\n")
        play()
    """
    command = write_program(tmp_path / "bot.py", body)
    cue = tmp_path / "bot.py.cue"
    os.mkfifo(cue)
    launcher = Launcher([*command, str(own)])
    seat = launcher.seat()

    def give_cue() -> None:
        launcher.processes[0].resume()  # this is its time to be paused
        cue.open("w").close()  # when the program has opened its side
        wait_until_readable(launcher.processes[0].stdout_fd)

    other = known_seat(give_cue)
    match = table(seat, other).play(0) if own == 0 else table(other, seat).play(0)
    seat.close()
    assert (match.faults[own], match.faults[1 - own]) == (Fault.PROTOCOL, None)
    assert match.turns == turns
    assert told(match) == "'I think I am winning': it was not asked for a turn"


def test_bytes_are_counted_for_each_turn_anew(tmp_path: Path) -> None:
    """Together the turns have more bytes than one may have."""
    longest = max(len(move) + 1 for move in MOVES)
    assert sum(len(move) + 1 for move in MOVES[::2]) > longest
    limits = Limits(turn_ns=120 * SECOND, turns=TURNS, turn_bytes=longest)
    assert_whole(play(Launcher(write_program(tmp_path / "bot.py", GOOD)), limits))


def test_rubbish_is_on_the_wire_too(tmp_path: Path) -> None:
    body = "next(asked()); os.write(1, b'\\xff a\\n'); sleep()"
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    play(launcher)
    assert launcher.lines("<") == [r"\xff a"]


def test_what_a_program_leaves_behind_is_ended_with_it(tmp_path: Path) -> None:
    body = """
        child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
        open(__file__ + ".child", "w").write(str(child.pid))
        play()
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    seat = launcher.seat()
    assert_whole(table(seat, known_seat()).play(0))
    assert_ends(int((tmp_path / "bot.py.child").read_text()), seat.close)


def test_what_a_crashed_program_leaves_behind_is_ended(tmp_path: Path) -> None:
    body = """
        next(asked())
        child = subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL)
        open(__file__ + ".child", "w").write(str(child.pid))
        say(MOVES[0] + "\\n")
        sys.stdin.readline()
        os._exit(4)
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))
    seat = launcher.seat()
    pidfds: list[int] = []

    def look() -> None:
        pidfds.append(os.pidfd_open(int((tmp_path / "bot.py.child").read_text())))

    match = table(seat, known_seat(look)).play(0)
    assert match.faults == (Fault.CRASH, None)
    assert told(match) == "exit status 4"
    wait_until_readable(pidfds[0])
    os.close(pidfds[0])
    seat.close()


# --- programs that do not start ------------------------------------------------------------------


def test_a_command_that_does_not_exist_could_not_start(tmp_path: Path) -> None:
    launcher = Launcher([str(tmp_path / "nowhere")])
    match = play(launcher, matches=2)
    assert match.faults == (Fault.NO_START, None)
    assert told(match) == f"[Errno 2] No such file or directory: '{tmp_path / 'nowhere'}'"
    assert launcher.wire == []


def test_a_file_that_is_no_program_could_not_start(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("buy milk")
    assert told(play(Launcher([str(file)]))).startswith("[Errno 13] Permission denied")
    file.chmod(0o755)
    assert told(play(Launcher([str(file)]))).startswith("[Errno 8] Exec format error")
    folder = tmp_path / "gone"
    assert str(folder) in told(play(Launcher([sys.executable], folder=folder)))


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOMEM, errno.EAGAIN])
def test_that_this_machine_has_no_more_is_no_bots_fault(number: int) -> None:
    def launch() -> HostProcess:
        raise OSError(number, os.strerror(number))

    seat = ProgramSeat("bot", launch, LineDialogue)
    with pytest.raises(ArbiterError, match=f"bot cannot be started: {os.strerror(number)}"):
        table(seat, known_seat()).play(0)
    seat.close()


def test_that_a_launcher_refuses_is_told() -> None:
    def launch() -> HostProcess:
        raise SandboxError("program 'x': not found in /usr/bin")

    seat = ProgramSeat("bot", launch, LineDialogue, {"command": "x"})
    match = table(known_seat(), seat).play(0)
    seat.close()
    assert match.faults == (None, Fault.NO_START)
    assert told(match) == "program 'x': not found in /usr/bin"
    assert match.transcript.players[1] == {"name": "bot", "kind": "program", "command": "x"}


def test_a_program_that_has_gone_cannot_be_asked(tmp_path: Path) -> None:
    seat = Launcher(write_program(tmp_path / "bot.py", "sys.exit(3)")).seat()
    match = table(seat, known_seat()).play(0)
    assert match.faults == (Fault.CRASH, None)
    seat.ask(GAME.start(), None)
    assert seat.answer is not None
    assert seat.answer.failure is not None
    assert seat.answer.failure.detail == "it does not run any more"
    assert seat.waits_on() == ()
    seat.on_event(0)
    seat.close()


# --- programs that do not read -------------------------------------------------------------------


class Talkative(LineDialogue):
    """Says much more than fits a pipe with every question."""

    length = 1_000_000

    def ask(self, position: Position[Any]) -> list[str]:
        return ["options " + "x" * self.length, *super().ask(position)]


class Endless(Talkative):
    length = 2 * MOST_WAITING


def test_long_lines_are_sent_piece_by_piece(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", GOOD), make_dialogue=Talkative)
    assert_whole(play(launcher))


def test_who_does_not_read_its_input_loses_on_time(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", "sleep()"), make_dialogue=Talkative)
    match = play(launcher, Limits(turn_ns=SHORT, start_ns=0))
    assert match.faults == (Fault.TIMEOUT, None)
    assert told(match) == "no turn within 0.15 s: it does not read its input"


def test_what_waits_for_a_program_is_bounded(tmp_path: Path) -> None:
    launcher = Launcher(write_program(tmp_path / "bot.py", "sleep()"), make_dialogue=Endless)
    match = play(launcher)
    assert match.faults == (Fault.PROTOCOL, None)
    assert told(match) == "it does not read its input"


def test_a_full_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A program that plays without reading, with a pipe that holds no more than a page."""
    body = """
        import select
        for move in MOVES[::2]:
            select.select([0], [], [])
            say(move + "\\n")
            sleep()
    """
    launcher = Launcher(write_program(tmp_path / "bot.py", body))

    def launch() -> HostProcess:
        process = launcher()
        fcntl.fcntl(process.stdin_fd, fcntl.F_SETPIPE_SZ, 4096)
        return process

    class Page(Talkative):
        length = 5_000

    seat = ProgramSeat("bot", launch, Page)
    match = table(seat, known_seat(), HASTY).play(0)
    seat.close()
    assert (match.faults, match.turns) == ((Fault.TIMEOUT, None), 2)
    assert told(match) == "no turn within 0.15 s: it does not read its input"


class Polite(LineDialogue):
    """Tells a program its name, and its author what is odd about a turn."""

    def arguments(self, seat: int, briefing: Briefing) -> tuple[str, ...]:
        return (f"{briefing.names[seat]} in seat {seat}",)

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        self.warnings = (f"{text}: hm",) if text == MOVES[0] else ()
        return super().parse(position, seat, text)


def test_a_protocol_may_add_arguments_and_warn_of_turns(tmp_path: Path) -> None:
    command = write_program(tmp_path / "bot.py", "os.write(2, sys.argv[1].encode()); play()")
    started: list[HostProcess] = []

    def launch(*words: str) -> HostProcess:
        started.append(HostProcess([*command, *words]))
        return started[-1]

    seat = ProgramSeat("bot", launch, Polite)
    match = table(seat, known_seat()).play(0)
    seat.close()
    assert_whole(match)
    assert seat.stderr == b"bot in seat 0"
    turns = [event for event in match.transcript.events if isinstance(event, TurnEvent)]
    assert turns[0].extra == {"warnings": {"0": [f"{MOVES[0]}: hm"]}}
    assert not any(turn.extra for turn in turns[1:])
    assert parse_transcript(format_transcript(match.transcript)) == match.transcript
