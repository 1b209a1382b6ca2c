"""`agon uhp` as viewers meet it: a process behind two pipes."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.system

COMMAND = [sys.executable, "-m", "agon", "uhp"]
CAPABILITIES = "Mosquito;Ladybug;Pillbug"
PATIENCE = 300  # seconds after which a test gives up: far more than compiling takes
PLIES = 60


@contextmanager
def engine_process() -> Iterator[subprocess.Popen[bytes]]:
    """A running engine, which is ended whatever happens."""
    process = subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def session(text: bytes) -> list[list[str]]:
    """The replies to this input, the one on start first; the engine must end well by itself."""
    with engine_process() as process:
        out, _ = process.communicate(text, timeout=PATIENCE)
    assert process.returncode == 0
    replies: list[list[str]] = [[]]
    for line in out.decode().splitlines():
        replies[-1].append(line)
        if line == "ok":
            replies.append([])
    assert replies.pop() == []
    return [reply[:-1] for reply in replies]


class Player:
    """A talk with a running engine, command by command."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout

    def reply(self) -> list[str]:
        """The lines up to `ok`."""
        lines = []
        while (line := self.stdout.readline().decode().removesuffix("\n")) != "ok":
            assert line, "the engine ended before it said ok"
            lines.append(line)
        return lines

    def ask(self, command: str) -> str:
        """The one line of the reply to a command."""
        self.stdin.write(f"{command}\n".encode())
        self.stdin.flush()
        (line,) = self.reply()
        return line


def test_it_introduces_itself_and_ends_with_the_input() -> None:
    ((identity, capabilities),) = session(b"")
    assert identity.startswith("id Agon v")
    assert capabilities == CAPABILITIES


def test_a_session_with_a_game() -> None:
    _, new, played, refused, undone, gone = session(
        b"newgame Base+MLP\nplay wS1\nplay wS2\nundo\nexit\ninfo\n"
    )
    assert new == ["Base+MLP;NotStarted;White[1]"]
    assert played == ["Base+MLP;InProgress;Black[1];wS1"]
    assert len(refused) == 1
    assert refused[0].startswith("invalidmove ")
    assert undone == new
    assert gone == []  # exit; what follows is not read


def test_line_ends_of_other_systems_blank_lines_and_a_byte_order_mark() -> None:
    _, *replies = session(b"\xef\xbb\xbfnewgame\r\n\r\n\n  \nplay wS1\r\nvalidmoves x\r\n")
    assert replies[:2] == [["Base;NotStarted;White[1]"], ["Base;InProgress;Black[1];wS1"]]
    assert replies[2] == ["err 'validmoves x': expected validmoves"]


@pytest.mark.parametrize("last", [b"info", b"info\r"])
def test_a_last_line_without_its_end_is_a_command(last: bytes) -> None:
    start, reply = session(last)
    assert reply == start


def test_the_input_ends_in_the_middle_of_a_word() -> None:
    _, reply = session(b"newga")
    assert reply[0].startswith("err command 'newga': expected one of info, newgame")


def test_rubbish_is_refused_line_by_line() -> None:
    rubbish = [
        *(b"\xff\xfe\x00\x01", b"\x00" * 50, b"play \xc3", bytes(range(128, 256)), b"\x1b[2J"),
        *(b"play", b"newgame ;;;;", b"bestmove", b"undo -1", b"options set", b"perft 99"),
        *(b"{}", b"GET / HTTP/1.1", b"%s%n", "päss".encode(), b"9" * 60_000),
    ]
    start, *replies, again = session(b"\n".join([*rubbish, b"info"]))
    assert again == start
    assert len(replies) == len(rubbish)
    assert all(len(reply) == 1 and reply[0].startswith("err ") for reply in replies)
    assert all(len(reply[0]) < 400 and reply[0].isprintable() for reply in replies)


@pytest.mark.parametrize("end", [b"\n", b"\r\ninfo\n", b""])
def test_a_line_of_ten_megabytes_is_one_error(end: bytes) -> None:
    start, error, *rest = session(b"newgame " + b"x" * 10_000_000 + end)
    assert error == ["err line b'newgame " + "x" * 32 + "'…: expected at most 65536 bytes"]
    assert rest == ([start] if b"info" in end else [])


@pytest.mark.parametrize(("length", "fits"), [(65_536, True), (65_537, False)])
def test_the_longest_line(length: int, fits: bool) -> None:
    _, reply, again = session(b"info".ljust(length) + b"\ninfo\n")
    assert (reply == again) is fits
    assert fits or reply[0].startswith("err line ")


def test_a_viewer_that_closes_its_end_is_no_error() -> None:
    with engine_process() as process:
        assert process.stdout is not None
        Player(process).reply()
        process.stdout.close()
        process.stdout = None
        _, errors = process.communicate(b"help\n" * 10, timeout=PATIENCE)
    assert process.returncode == 0
    assert errors == b""


def test_the_session_in_the_docs_is_a_real_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "uhp.md").read_text("utf-8")
    written = page.split("```text\n")[1].split("```")[0].split("ok\n")[:-1]
    typed = [part.partition("\n")[0].removeprefix("> ") for part in written[1:]]
    replies = session("\n".join(typed).encode())
    assert written[0].splitlines() == replies[0]
    for command, part, reply in zip(typed, written[1:], replies[1:], strict=True):
        if command.startswith("bestmove"):  # the bot may learn to play better
            assert len(reply) == len(part.splitlines()) - 1 == 1
        else:
            assert part.splitlines()[1:] == reply


@pytest.mark.parametrize(("variant", "depth"), [("Base", 2), ("Base+MLP", 1)])
def test_two_engines_play_each_other_and_agree(variant: str, depth: int) -> None:
    with engine_process() as first, engine_process() as second:
        players = Player(first), Player(second)
        assert players[0].reply() == players[1].reply()
        for seed, player in enumerate(players):
            player.ask(f"options set Seed {seed}")
            assert player.ask(f"newgame {variant}") == f"{variant};NotStarted;White[1]"
        game, ply = "", 0
        while ply < PLIES and game.split(";")[1:2] in ([], ["InProgress"]):
            move = players[ply % 2].ask(f"bestmove depth {depth}")
            assert move in players[1 - ply % 2].ask("validmoves").split(";")
            game, other = (player.ask(f"play {move}") for player in players)
            assert game == other
            ply += 1
        assert len(game.split(";")) == 3 + ply
        assert players[0].ask(f"newgame {game}") == game
