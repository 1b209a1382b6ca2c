"""Starters as they are written: names, columns, and the tools that they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agon.arbiter.bot_process import Program
from agon.arbiter.starter import (
    check_bot_name,
    missing_tools,
    starter_files,
    starter_languages,
    write_starter,
)
from agon.errors import SettingError
from agon.games.hive.game import GAME
from tests.toy_game import GAME as TOY

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["a", "A.b_c-9", "9", "x" * 64])
def test_names_of_bots(name: str) -> None:
    check_bot_name(GAME, name)


@pytest.mark.parametrize("name", ["", ".a", "-a", "a b", "a/b", "ä", "a\n", "x" * 65])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match=r"expected letters, .*, 64 at most"):
        check_bot_name(GAME, name)


def test_a_long_name_is_quoted_in_part() -> None:
    with pytest.raises(SettingError, match=f"^name '{'x' * 70}': expected"):
        check_bot_name(GAME, "x" * 100)


def test_names_of_built_in_bots_are_taken() -> None:
    with pytest.raises(SettingError, match="name 'random': a built-in bot has it"):
        check_bot_name(GAME, "random")


@pytest.mark.parametrize("name", ["ant", "x" * 21, "x" * 40])
def test_the_settings_name_the_bot_and_comments_stay_in_their_column(name: str) -> None:
    plain = starter_files(GAME, "python")["bot.toml"].splitlines()
    named = starter_files(GAME, "python", name)["bot.toml"].splitlines()
    (number,) = (n for n, line in enumerate(plain) if line.startswith("name = "))
    assert named[number].startswith(f'name = "{name}"')
    if "#" in plain[number] and len(name) < 22:
        assert named[number].index("#") == plain[number].index("#")
    assert plain[:number] + plain[number + 1 :] == named[:number] + named[number + 1 :]


def test_a_game_without_starters_has_none(tmp_path: Path) -> None:
    assert (starter_languages(TOY), starter_files(TOY, "python")) == ((), {})
    with pytest.raises(SettingError, match="toy has starters in no language yet"):
        write_starter(TOY, "python", "ant", tmp_path / "ant")


def test_tools_that_this_machine_does_not_have() -> None:
    program = Program("x", ("no-such-runner", "x"), build=("no-such-compiler", "x.c"))
    assert missing_tools(program) == ("no-such-compiler", "no-such-runner")
    assert missing_tools(Program("x", ("./bot",), build=("sh", "x"))) == ()
