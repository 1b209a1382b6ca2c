"""What an upload says of its bot: by its `bot.toml`, or by the form that came with its files."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from agon.arbiter.entrant import (
    LONGEST_NAME,
    SETTINGS,
    check_protocol,
    load_program,
    with_protocol,
)
from agon.datastore.versions import NewFile
from agon.errors import SettingError, UploadError
from agon.games.registry import NAMES, find_game
from agon.ranker.keeping import GUEST

if TYPE_CHECKING:
    from agon.arbiter.entrant import Program
    from agon.games.game import Game
    from agon.website.workshop.parcel import Parcel

NOT_IN_NAMES = "/\\@"


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the form says besides the files; empty where nothing was filled in."""

    game: str = ""
    name: str = ""
    run: str = ""
    build: str = ""
    language: str = ""
    protocol: str = ""


@dataclass(frozen=True, slots=True)
class Described:
    """A bot that knows what it is."""

    game: Game
    name: str
    program: Program
    parcel: Parcel


def describe(parcel: Parcel, wishes: Wishes) -> Described:
    """The bot in the parcel; its `bot.toml` is made from the form if there is none."""
    if SETTINGS not in parcel.files:
        _write_settings(parcel, wishes)
    elif wishes.run:
        raise UploadError(
            f"run command {wishes.run[:60]!r}: the files have a {SETTINGS}, which says how to run"
            " the bot; expected one of the two"
        )
    program = _read_settings(parcel)
    game = _game_of(program, wishes)
    name = check_name(game, program.name)
    if wishes.name and wishes.name.strip() != name:
        raise UploadError(
            f"name {wishes.name[:LONGEST_NAME]!r}: {SETTINGS} says {name!r}; expected the same"
        )
    return Described(game, name, _with_known_protocol(game, program), parcel)


def check_name(game: Game, name: str) -> str:
    """The name, if a bot of a user may have it."""
    shown = f"name {name[:LONGEST_NAME]!r}"
    if name != name.strip() or not name or not name.isprintable():
        raise UploadError(f"{shown}: expected a text without spaces at its ends")
    if len(name) > LONGEST_NAME or any(sign in name for sign in NOT_IN_NAMES):
        raise UploadError(f"{shown}: expected at most {LONGEST_NAME} signs, none of {NOT_IN_NAMES}")
    if name in game.bot_names or name.endswith(GUEST):
        raise UploadError(f"{shown}: it belongs to a bot of the arena; expected another one")
    return name


def _write_settings(parcel: Parcel, wishes: Wishes) -> None:
    if not wishes.run.strip() or not wishes.name.strip():
        raise UploadError(
            f"there is no {SETTINGS} at the top of it: expected one,"
            " or a name and a run command in the form"
        )
    lines = [
        f"{key} = {json.dumps(value.strip(), ensure_ascii=False)}"
        for key, value in (
            ("name", wishes.name),
            ("language", wishes.language),
            ("build", wishes.build),
            ("run", wishes.run),
            ("protocol", wishes.protocol),
        )
        if value.strip()
    ]
    parcel.files[SETTINGS] = NewFile(("\n".join(lines) + "\n").encode())


def _read_settings(parcel: Parcel) -> Program:
    """What `bot.toml` says; its errors name the file as its author knows it."""
    with TemporaryDirectory(prefix="agon-upload-") as folder:
        (Path(folder) / SETTINGS).write_bytes(parcel.files[SETTINGS].content)
        try:
            _check_toml(parcel.files[SETTINGS].content)
            program = load_program(Path(folder))
        except SettingError as error:
            raise UploadError(str(error).replace(f"{folder}/", "")) from None
    whole: str = tomllib.loads(parcel.files[SETTINGS].content.decode())["name"]
    return replace(program, name=whole)  # a long one was cut, which is not what its author meant


def _check_toml(content: bytes) -> None:
    """UploadError if the settings are not even TOML."""
    try:
        tomllib.loads(content.decode())
    except ValueError as error:
        raise UploadError(
            f'{SETTINGS}: {error}; expected lines such as name = "crawler", in TOML'
        ) from None


def _game_of(program: Program, wishes: Wishes) -> Game:
    """The game that was asked for, or the only one that the settings name; never a guess."""
    if wishes.game:
        game = find_game(wishes.game)
        if program.games and game.name not in program.games:
            raise UploadError(
                f"{SETTINGS} says that it plays {', '.join(program.games)}:"
                f" expected {game.name} among them"
            )
        return game
    if len(program.games) != 1:
        raise UploadError(f"choose the game: expected one of {', '.join(program.games or NAMES)}")
    try:
        return find_game(program.games[0])
    except SettingError as error:
        raise UploadError(f"{SETTINGS}: {error}") from None


def _with_known_protocol(game: Game, program: Program) -> Program:
    try:
        program = with_protocol(game, program)
        check_protocol(game, program)
    except SettingError as error:
        raise UploadError(f"{SETTINGS}: {error}") from None
    return program
