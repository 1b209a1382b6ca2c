"""Who enters a match: every spelling of a bot on the command line, and every bad `bot.toml`."""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.entrant import (
    LONGEST_SETTINGS,
    Entrant,
    command_in,
    find_entrant,
    launch_on_host,
    load_program,
    make_seat,
    new_dialogue,
)
from agon.arbiter.program import ProgramSeat
from agon.arbiter.seat import BotSeat
from agon.errors import SettingError
from agon.games.bot import no_time
from agon.games.hive.game import GAME
from agon.games.hive.protocol import LineDialogue, UhpDialogue
from tests.arbiter.programs import wait_until_readable
from tests.toy_game import GAME as TOY

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """
name = "crawler"
games = ["hive"]
language = "python"
build = "make -j 'all of it'"
run = "python3 crawler.py"
protocol = "lines"
"""


def write_settings(folder: Path, text: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(text)
    return folder


def refusal(text: str) -> str:
    with pytest.raises(SettingError) as caught:
        find_entrant(GAME, text)
    return str(caught.value)


# --- on the command line -------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAME.bot_names)
def test_a_built_in_bot_has_a_plain_name(name: str) -> None:
    entrant = find_entrant(GAME, name)
    assert (entrant.name, entrant.program) == (name, None)
    assert type(make_seat(GAME, entrant, 1, no_time, launch_on_host)) is BotSeat


PYTHON = sys.executable
COMMANDS: list[tuple[str, tuple[str, ...], str | None]] = [
    ("python3 mybot.py", ("python3", "mybot.py"), None),
    ("python3 'my bot.py' -x \"a b\"", ("python3", "my bot.py", "-x", "a b"), None),
    (f"{PYTHON}", (PYTHON,), None),
    (f"{PYTHON} -m agon uhp", (PYTHON, "-m", "agon", "uhp"), None),
    (f"uhp:{PYTHON} -m agon uhp", (PYTHON, "-m", "agon", "uhp"), "uhp"),
    ("uhp:python3", ("python3",), "uhp"),
    ("lines:python3 mybot.py", ("python3", "mybot.py"), "lines"),
    ("python3 uhp:x", ("python3", "uhp:x"), None),
    ("python3 -c 'print(1); print(2)'", ("python3", "-c", "print(1); print(2)"), None),
    ("  python3   mybot.py  ", ("python3", "mybot.py"), None),
]


@pytest.mark.parametrize(("text", "command", "protocol"), COMMANDS)
def test_a_command_line_is_a_bot(text: str, command: tuple[str, ...], protocol: str | None) -> None:
    entrant = find_entrant(GAME, text)
    assert entrant.program == Program(text, command, protocol=protocol)
    assert entrant.name == text
    seat = make_seat(GAME, entrant, 1, no_time, launch_on_host)
    assert type(seat) is ProgramSeat
    assert type(GAME.dialogue(protocol)) is (UhpDialogue if protocol == "uhp" else LineDialogue)


def test_a_relative_path_is_a_command(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    with chdir(tmp_path):
        found = find_entrant(GAME, "./bot"), find_entrant(GAME, "uhp:./bot")
    assert found[0].program == Program("./bot", ("./bot",))
    assert found[1].program == Program("uhp:./bot", ("./bot",), protocol="uhp")


@pytest.mark.parametrize("length", [300, 5_000, 100_000])
def test_a_long_command_line_is_no_path(length: int) -> None:
    entrant = find_entrant(GAME, f"python3 -c {'x' * length}")
    assert len(entrant.name) == 64
    assert entrant.program is not None
    assert len(entrant.program.run[2]) == length


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "nobody", "Random", "python3", "random greedy", "random ", "''"),
        *("./nowhere", "/etc/passwd", "nowhere mybot.py"),
        *("uhp:", "uhp:nowhere", "uhp:random", "http:python3"),
    ],
)
def test_what_is_no_bot_is_not_guessed(text: str) -> None:
    assert refusal(text) == (
        f"bot {text!r}: expected one of random, greedy, search, search:1 to search:10, a folder"
        " with bot.toml, or a command such as 'python3 mybot.py'"
    )


@pytest.mark.parametrize("text", ["python3 'mybot.py", 'python3 "', "python3 \\"])
def test_open_quotes_are_told(text: str) -> None:
    assert refusal(text) in (
        f"bot {text!r}: No closing quotation",
        f"bot {text!r}: No escaped character",
    )


def test_a_protocol_of_another_game_is_none(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match="bot 'uhp:python3': expected one of random, highest"):
        find_entrant(TOY, "uhp:python3")


# --- legal moves ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "wanted"), [("true", True), ("false", False)])
def test_a_folder_may_ask_for_the_legal_moves(tmp_path: Path, value: str, wanted: bool) -> None:
    folder = write_settings(tmp_path / "bot", f"{WHOLE}legal = {value}\n")
    program = find_entrant(GAME, str(folder)).program
    assert program is not None
    assert program.legal is wanted
    assert new_dialogue(GAME, program).lists_moves is wanted


def test_legal_moves_that_cannot_be_listed_are_refused(tmp_path: Path) -> None:
    text = WHOLE.replace('"lines"', '"uhp"') + "legal = true\n"
    folder = write_settings(tmp_path / "bot", text)
    assert refusal(str(folder)) == (
        f"{folder}/bot.toml: legal = true, protocol uhp:"
        " 'legal': this protocol has no list of legal moves"
    )
    write_settings(folder, WHOLE + 'legal = "yes"\n')
    assert refusal(str(folder)) == f"{folder}/bot.toml: legal = 'yes': expected true or false"


# --- folders -------------------------------------------------------------------------------------


def test_a_folder_has_settings(tmp_path: Path) -> None:
    folder = write_settings(tmp_path / "bot", WHOLE)
    expected = Program(
        "crawler",
        ("python3", "crawler.py"),
        folder.resolve(),
        ("make", "-j", "all of it"),
        "python",
        ("hive",),
        "lines",
    )
    assert load_program(folder) == expected
    assert find_entrant(GAME, str(folder)) == Entrant("crawler", expected)
    assert find_entrant(GAME, f"{folder}/") == Entrant("crawler", expected)


def test_the_current_folder_is_a_folder(tmp_path: Path) -> None:
    write_settings(tmp_path, WHOLE)
    with chdir(tmp_path):
        found = find_entrant(GAME, ".").program
        assert "expected one of" in refusal("")
    assert found is not None
    assert found.folder == tmp_path.resolve()


def test_a_name_and_a_command_are_enough(tmp_path: Path) -> None:
    folder = write_settings(tmp_path / "bot", 'name = "Ant Ünïcode 蟻"\nrun = "./ant"')
    program = load_program(folder)
    assert program == Program("Ant Ünïcode 蟻", ("./ant",), folder.resolve())
    assert find_entrant(TOY, str(folder)).program == program


def test_a_built_in_name_goes_before_a_folder(tmp_path: Path) -> None:
    write_settings(tmp_path / "random", WHOLE)
    with chdir(tmp_path):
        assert find_entrant(GAME, "random").program is None
        assert find_entrant(GAME, "./random").name == "crawler"


DEFECTS: list[tuple[str, str]] = [
    ("", "{file}: expected at least a name and a run command"),
    ('name = "x"', "{file}: expected at least a name and a run command"),
    ('run = "x"', "{file}: expected at least a name and a run command"),
    ('name = " "\nrun = "x"', "{file}: expected at least a name and a run command"),
    ('name = "x"\nrun = "  "', "{file}: expected at least a name and a run command"),
    ('name = "x"\nrun = 5', "{file}: run = 5: expected a text of one line"),
    ('name = ["x"]\nrun = "x"', "{file}: name = ['x']: expected a text of one line"),
    ('name = "a\\nb"\nrun = "x"', "{file}: name = 'a\\nb': expected a text of one line"),
    ('name = "x"\nrun = "a\\u0000b"', "{file}: run = 'a\\x00b': expected a text of one line"),
    ('name = "x"\nrun = "sh \'x"', '{file}: run = "sh \'x": No closing quotation'),
    ('name = "x"\nrun = "x"\nbuild = "\'"', '{file}: build = "\'": No closing quotation'),
    ('name = "x"\nrun = "x"\nbuild = true', "{file}: build = True: expected a text of one line"),
    ('name = "x"\nrun = "x"\ngames = "hive"', "{file}: games = 'hive': expected a list of texts"),
    ('name = "x"\nrun = "x"\ngames = [1]', "{file}: games = [1]: expected a list of texts"),
    ('name = "x"\nrun = "x"\nlanguage = 3', "{file}: language = 3: expected a text of one line"),
    ('name = "x"\nrun = "x"\nprotocol = []', "{file}: protocol = []: expected a text of one line"),
    (
        'name = "x"\nrun = "x"\nprotocol = "http"',
        "{file}: protocol 'http': hive has lines, lines-xy, uhp, uhp-fractions",
    ),
    (
        'name = "x"\nrun = "x"\ngames = ["toy", "go"]',
        "bot '{folder}' plays toy, go, not hive",
    ),
    (
        'name = "x"\nrun = "x"\nprotocl = "uhp"',
        "{file}: 'protocl': expected one of build, games, language, legal, name, protocol, run",
    ),
    ('[bot]\nname = "x"', "{file}: 'bot': expected one of build, games, language, legal, name"),
    ("name = x", "{file}: Invalid value (at line 1, column 8)"),
    ('name = "x', "{file}: "),
    ('name = "x"\nname = "y"', "{file}: Cannot overwrite a value"),
    ("x = " + "[" * 5000, "{file}: "),
]


@pytest.mark.parametrize(("text", "told"), DEFECTS)
def test_bad_settings_are_told_with_their_file(tmp_path: Path, text: str, told: str) -> None:
    folder = write_settings(tmp_path / "bot", text)
    assert refusal(str(folder)).startswith(told.format(file=folder / "bot.toml", folder=folder))


def test_a_folder_without_settings_is_told_so(tmp_path: Path) -> None:
    assert refusal(str(tmp_path)) == f"{tmp_path}: there is no bot.toml in it"
    (tmp_path / "bot.toml").mkdir()
    assert refusal(str(tmp_path)) == f"{tmp_path / 'bot.toml'}: Is a directory"


def test_settings_that_are_no_text_are_told_so(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b'name = "\xff"')
    assert refusal(str(tmp_path)).startswith(f"{tmp_path / 'bot.toml'}: 'utf-8' codec can't decode")


def test_a_long_name_is_cut(tmp_path: Path) -> None:
    folder = write_settings(tmp_path / "bot", f'name = "{"x" * 1000}"\nrun = "x"')
    assert load_program(folder).name == "x" * 64


def test_settings_have_a_greatest_size(tmp_path: Path) -> None:
    text = 'name = "x"\nrun = "x" #'
    folder = write_settings(tmp_path / "bot", text.ljust(LONGEST_SETTINGS, "#"))
    assert load_program(folder).name == "x"
    write_settings(folder, text.ljust(LONGEST_SETTINGS + 1, "#"))
    assert refusal(str(folder)) == f"{folder / 'bot.toml'}: expected at most 8192 bytes"


@pytest.mark.parametrize(("digits", "shown"), [(60, "1" * 60), (61, "1" * 60 + "…")])
def test_a_long_value_is_quoted_in_part(tmp_path: Path, digits: int, shown: str) -> None:
    folder = write_settings(tmp_path / "bot", f"name = {'1' * digits}")
    told = f"{folder / 'bot.toml'}: name = {shown}: expected a text of one line"
    assert refusal(str(folder)) == told


# --- starting ------------------------------------------------------------------------------------


def test_a_program_of_the_folder_goes_before_one_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "true").write_text("#!/bin/sh\necho mine in $(pwd)\n")
    (tmp_path / "true").chmod(0o755)
    assert command_in(tmp_path, ["true", "x"]) == [str(tmp_path / "true"), "x"]
    assert command_in(tmp_path, ["false", "x"]) == ["false", "x"]
    assert command_in(None, ["true"]) == ["true"]
    (tmp_path / "link").symlink_to("/bot/elsewhere")
    assert command_in(tmp_path, ["link"]) == [str(tmp_path / "link")]
    (tmp_path / "inner").mkdir()
    for word in ("../true", "./../true", str(tmp_path / "true")):  # not looked at from outside
        assert command_in(tmp_path / "inner", [word]) == [word]
    for run in ("true", "./true"):
        process = launch_on_host(Program("x", (run,), tmp_path))
        wait_until_readable(process.stdout_fd)
        assert os.read(process.stdout_fd, 1000).decode() == f"mine in {tmp_path}\n"
        process.end()


def test_a_seat_is_described_by_its_command(tmp_path: Path) -> None:
    entrant = find_entrant(GAME, "python3 'my bot.py'")
    seat = make_seat(GAME, entrant, 1, no_time, launch_on_host)
    assert seat.describe() == {
        "name": "python3 'my bot.py'",
        "kind": "program",
        "command": "python3 'my bot.py'",
    }
