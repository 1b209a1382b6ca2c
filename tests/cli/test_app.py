"""How the command line answers and ends, whatever the command."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from agon.cli.app import app
from agon.games.registry import game_names
from tests.cli.process import call_agon, start_agon

COMMANDS = [c.callback.__name__ for c in app.registered_commands if c.callback]

CHECK_MODULES = """
import sys
from agon.cli import main
sys.argv = ["agon", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert end.code == 0, end.code
loaded = {"numba", "numpy", "sqlalchemy"} & set(sys.modules)
assert not loaded, loaded
"""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_explains_every_command(command: str) -> None:
    overview = CliRunner().invoke(app, ["--help"])
    assert overview.exit_code == 0
    assert re.search(rf"\b{command}\b", overview.stdout)
    own = CliRunner().invoke(app, [command, "-h"])
    assert own.exit_code == 0
    assert f"{command} [OPTIONS]" in own.stdout


@pytest.mark.parametrize("command", ["games", "show", "perft"])
def test_help_has_examples(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert f"  agon {command}" in result.stdout.partition("Examples:")[2]


def test_version() -> None:
    result = call_agon("--version")
    assert (result.returncode, result.stdout) == (0, f"agon {version('agon')}\n")


@pytest.mark.system
@pytest.mark.parametrize("arguments", [["--help"], ["perft", "--help"], ["games"], ["--version"]])
def test_the_compiler_is_not_loaded_without_need(arguments: list[str]) -> None:
    command = [sys.executable, "-c", CHECK_MODULES, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dance"], "No such command 'dance'"),
        (["games", "--loud"], "No such option: --loud"),
        (["show"], "Missing argument 'GAME'"),
        (["perft", "hive", "many"], "Invalid value for 'DEPTH'"),
    ],
)
def test_wrong_use_ends_with_status_2(arguments: list[str], told: str) -> None:
    result = call_agon(*arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert told in result.stderr


def test_an_error_is_one_line_and_status_2() -> None:
    result = call_agon("show", "chess")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"agon: game 'chess': expected one of {', '.join(game_names())}\n"


@pytest.mark.system
def test_a_reader_that_went_away_ends_the_command_quietly() -> None:
    process = start_agon("games", "--json")
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.system
def test_an_interrupt_ends_with_status_130_and_no_traceback() -> None:
    process = start_agon("uhp")
    assert process.stdout
    assert process.stderr
    while process.stdout.readline() != "ok\n":  # from here on it waits for a command
        pass
    process.send_signal(signal.SIGINT)
    with process:
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nosuch"], "agon: No such command 'nosuch'; see `agon --help`\n"),
        (["--nosuch"], "agon: No such option: --nosuch; see `agon --help`\n"),
        (["db", "nosuch"], "agon: No such command 'nosuch'; see `agon db --help`\n"),
        (["match", "hive"], "agon: Missing argument 'BOT'; see `agon match --help`\n"),
    ],
)
def test_what_typer_finds_wrong_is_one_line_too(arguments: list[str], told: str) -> None:
    done = call_agon(*arguments)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)
