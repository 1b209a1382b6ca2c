"""What an upload says of its bot: by its `bot.toml`, or by the form that came with its files."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.entrant import (
    LONGEST_NAME,
    SETTINGS,
    check_protocol,
    parse_program,
    with_protocol,
)
from agon.arena.match_record import CLIENT_SUFFIX
from agon.arena.people.store import PERSON_SUFFIX
from agon.datastore.versions import NewFile
from agon.errors import SettingError, UploadError
from agon.games.registry import find_game, game_names
from agon.website.accounts.lookalikes import find_alike, find_odd_letter, normal_form, skeleton

if TYPE_CHECKING:
    from agon.arbiter.bot_process import Program
    from agon.games.game import Game
    from agon.website.bots.upload import Upload

NOT_IN_NAMES = "/\\@"


@dataclass(frozen=True, slots=True)
class UploadFields:
    """What the form says besides the files; empty where nothing was filled in."""

    game: str = ""
    name: str = ""
    run: str = ""
    build: str = ""
    language: str = ""
    protocol: str = ""


@dataclass(frozen=True, slots=True)
class DescribedBot:
    """A bot that knows what it is."""

    game: Game
    name: str
    program: Program
    upload: Upload


def describe(upload: Upload, fields: UploadFields) -> DescribedBot:
    """The bot in the upload; its `bot.toml` is made from the form if there is none."""
    if SETTINGS not in upload.files:
        _write_settings(upload, fields)
    elif fields.run:
        raise UploadError(
            f"Leave the run command empty: the files have a {SETTINGS}, which says how to run"
            " the bot."
        )
    program = _read_settings(upload)
    game = _game_of(program, fields)
    name = check_name(game, program.name)
    if fields.name and normal_form(fields.name.strip()) != name:
        raise UploadError(
            f"Leave the name empty, or write {name!r}, which {SETTINGS} says:"
            f" it was {fields.name[:LONGEST_NAME]!r}."
        )
    return DescribedBot(game, name, _with_known_protocol(game, program), upload)


def check_name(game: Game, text: str) -> str:
    """The name in normal form, if a bot of a user may have it."""
    name = normal_form(text)
    shown = f"Choose another name than {name[:LONGEST_NAME]!r}"
    if name != name.strip() or not name:
        raise UploadError(f"{shown}: one without spaces at its ends.")
    if odd := find_odd_letter(name):
        raise UploadError(
            f"{shown}: {describe_letter(odd)} in it is not seen, or is easily taken for another."
        )
    look = skeleton(name)
    if len(name) > LONGEST_NAME or any(sign in look for sign in NOT_IN_NAMES):
        raise UploadError(f"{shown}: at most {LONGEST_NAME} signs, none of {NOT_IN_NAMES}")
    if find_alike(name, game.bot_names) or look.casefold().endswith((CLIENT_SUFFIX, PERSON_SUFFIX)):
        raise UploadError(f"{shown}: it looks like a bot of the arena.")
    return name


def describe_letter(letter: str) -> str:
    """The letter by its number and name.

    >>> describe_letter("\u0435")
    'U+0435 (CYRILLIC SMALL LETTER IE)'
    """
    return f"U+{ord(letter):04X} ({unicodedata.name(letter, 'without a name')})"


def _write_settings(upload: Upload, fields: UploadFields) -> None:
    wanted = {"the name": fields.name, "the run command": fields.run}
    missing = " and ".join(words for words, value in wanted.items() if not value.strip())
    if missing and upload.is_single:
        raise UploadError(f"Fill in {missing}: a single file does not say that itself.")
    if missing:
        raise UploadError(f"There is no {SETTINGS} among the files. Add one, or fill in {missing}.")
    lines = [
        f"{key} = {json.dumps(value.strip(), ensure_ascii=False)}"
        for key, value in (
            ("name", fields.name),
            ("language", fields.language),
            ("build", fields.build),
            ("run", fields.run),
            ("protocol", fields.protocol),
        )
        if value.strip()
    ]
    upload.files[SETTINGS] = NewFile(("\n".join(lines) + "\n").encode())


def _read_settings(upload: Upload) -> Program:
    """What `bot.toml` says."""
    try:
        return parse_program(upload.files[SETTINGS].content)
    except SettingError as error:
        raise UploadError(f"Change {error}") from None


def _game_of(program: Program, fields: UploadFields) -> Game:
    """The game that was asked for, or the only one that the settings name; never a guess."""
    if fields.game:
        game = _find_game(fields.game)
        if program.games and game.name not in program.games:
            raise UploadError(
                f"Choose another game, or add {game.name} to {SETTINGS}:"
                f" it says that the bot plays {', '.join(program.games)}."
            )
        return game
    if len(program.games) != 1:
        raise UploadError(f"Choose the game: one of {', '.join(program.games or game_names())}.")
    return _find_game(program.games[0])


def _find_game(name: str) -> Game:
    try:
        return find_game(name)
    except SettingError as error:
        raise UploadError(f"Choose another game: {error}") from None


def _with_known_protocol(game: Game, program: Program) -> Program:
    try:
        program = with_protocol(game, program)
        check_protocol(game, program)
    except SettingError as error:
        raise UploadError(f"Change {SETTINGS}: {error}") from None
    return program
