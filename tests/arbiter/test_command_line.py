"""Commands of bots: plain words pass, and what only a shell understands is refused with advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.command_line import parse_command
from agon.arbiter.entrant import find_entrant, load_program
from agon.errors import SettingError
from agon.games.hive.game import GAME

if TYPE_CHECKING:
    from pathlib import Path

NEEDS_A_SHELL = [
    ("exec python3 bot.py", "exec"),
    ("cd bin && ./bot", "cd"),
    ("make && ./bot", "&&"),
    ("./bot | tee log", "|"),
    ("./bot; ./other", ";"),
    ("./bot > log", ">"),
    ("./bot 2>/dev/null", ">"),
    ("./bot &", "&"),
    ("python3 $HOME/bot.py", "$HOME"),
    ('python3 "${BOT}/bot.py"', "${"),
    ("./bot $(nproc)", "$("),
    ("./bot `nproc`", "`"),
    ("~/bot --fast", "~"),
    ("THREADS=1 ./bot", "THREADS=1"),
    ("\"it's\" ; 'x'", ";"),
]


@pytest.mark.parametrize(("command", "word"), NEEDS_A_SHELL)
def test_what_a_shell_is_needed_for_is_refused(command: str, word: str) -> None:
    with pytest.raises(SettingError, match="no shell is used") as refused:
        parse_command(command)
    assert f"{word!r} is for a shell" in str(refused.value)


@pytest.mark.parametrize(
    "command",
    [
        "sh run.sh",
        "sh -c 'cd bin && exec ./bot'",
        'bash -c "exec $HOME/bot"',
        "java -XX:+UseSerialGC -cp lib/* Bot",
        "python3 bot.py {name} {host} {port}",
        "./bot 'a & b' \"c > d\" \\$x it\\'s",
        "env THREADS=1 ./bot --level=3",
    ],
)
def test_plain_words_pass(command: str) -> None:
    assert parse_command(command)


@pytest.mark.parametrize(("command", "word"), NEEDS_A_SHELL[:8])
def test_the_advice_can_be_followed(command: str, word: str) -> None:
    with pytest.raises(SettingError) as refused:
        parse_command(command)
    advice = str(refused.value).rpartition(", or ")[2]
    assert parse_command(advice[1:-1]) == ("sh", "-c", command)


@pytest.mark.parametrize("key", ["run", "build"])
def test_bot_toml_is_told_of_it(tmp_path: Path, key: str) -> None:
    settings = {"name": "bot", "run": "./bot", key: "exec python3 bot.py"}
    lines = [f'{name} = "{value}"\n' for name, value in settings.items()]
    (tmp_path / "bot.toml").write_text("".join(lines))
    with pytest.raises(SettingError) as refused:
        load_program(tmp_path)
    assert f"bot.toml: {key} = 'exec python3 bot.py': 'exec' is for a shell" in str(refused.value)
    assert "\"sh -c 'exec python3 bot.py'\"" in str(refused.value)


def test_a_command_line_is_told_of_it() -> None:
    with pytest.raises(SettingError, match="'>' is for a shell, and no shell is used"):
        find_entrant(GAME, "python3 bot.py > log")
