"""Who enters a match: a built-in bot by name, a folder with a `bot.toml`, or a command line.

A command line may begin with one of the game's protocols: `uhp:nokamute`. A folder says it in its
`bot.toml`:

name = "crawler"            # how tables call it
games = ["hive"]
language = "python"         # for people
build = "make"              # optional: run once in the folder
run = "python3 crawler.py"  # run in the folder, for every match
protocol = "lines"          # optional: one of the game's protocols
legal = true                # optional: send it the legal moves with each question

A command with `{url}` in it is for a protocol over HTTP, and need not say so where there is one.
"""

from __future__ import annotations

import os
import shlex
import shutil
import tomllib
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agon.arbiter.bot_process import Program
from agon.arbiter.command_line import parse_command
from agon.arbiter.dial_in import DialInProcess, dials_in
from agon.arbiter.http_seat import HttpProcess
from agon.arbiter.program import ProgramSeat
from agon.arbiter.seat import BotSeat, Seat
from agon.errors import ProtocolError, SettingError
from agon.strict_json import LONGEST_QUOTE, TOO_DEEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agon.arbiter.bot_process import Launch, Process
    from agon.games.dialogue import Dialogue
    from agon.games.game import Game
    from agon.games.http_exchange import HttpExchange

SETTINGS = "bot.toml"
LONGEST_NAME = 64
LONGEST_SETTINGS = 1 << 13  # a key with thousands of dots takes the parser seconds
KNOWN_KEYS = {"name", "games", "language", "build", "run", "protocol", "legal"}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as the command line names it: built in, or a program."""

    name: str
    """How tables call it: not always what the game calls a built-in bot, which may enter twice."""
    program: Program | None = None
    built_in: str = ""


def find_entrant(game: Game, text: str) -> Entrant:
    """What a text on the command line stands for; never a guess."""
    if game.has_bot(text):
        return Entrant(text, built_in=text)
    if os.path.isdir(text):  # a long command line is no path at all, and that is no error
        program = with_protocol(game, load_program(Path(text)))
        if program.games and game.name not in program.games:
            raise SettingError(f"bot {text!r} plays {', '.join(program.games)}, not {game.name}")
        try:
            check_protocol(game, program)
        except SettingError as error:
            raise SettingError(f"{Path(text) / SETTINGS}: {error}") from None
        return Entrant(program.name, program)
    prefix, colon, rest = text.partition(":")
    protocol = prefix if colon and prefix in game.dialogues() else None
    try:
        command = parse_command(rest if protocol else text)
    except SettingError as error:
        raise SettingError(f"bot {error}") from None
    if command and (protocol or len(command) > 1 or "/" in text) and shutil.which(command[0]):
        name = text[:LONGEST_NAME]
        program = with_protocol(game, Program(name, command, protocol=protocol))
        check_protocol(game, program)
        return Entrant(name, program)
    raise SettingError(
        f"bot {text!r}: expected one of {game.known_bots}, a folder with {SETTINGS},"
        f" or a command such as 'python3 mybot.py'"
    )


def with_protocol(game: Game, program: Program) -> Program:
    """The program, with the game's protocol over HTTP if its command has `{url}` in it."""
    if program.protocol is not None or not any("{url}" in word for word in program.run):
        return program
    known = (name for name, make in game.dialogues().items() if make().http_exchange() is not None)
    return replace(program, protocol=next(known, None))


def check_protocol(game: Game, program: Program) -> None:
    """Refuse what the game's protocol does not have, and a program that would find no server."""
    is_told = any(place in word for word in program.run for place in ("{url}", "{port}"))
    try:
        dialogue = new_dialogue(game, program)
    except ProtocolError as error:
        raise SettingError(f"legal = true, protocol {program.protocol}: {error}") from None
    if dialogue.http_exchange() is not None and not is_told:
        raise SettingError(
            f"command {shlex.join(program.run)[:60]!r}: expected {{url}}, or {{host}} and {{port}},"
            f" where the address belongs: protocol {program.protocol} is over HTTP"
        )


def check_time(game: Game, entrants: Iterable[Entrant], turn_ns: int | None) -> None:
    """Refuse a time per turn that a program's protocol cannot name, before any match."""
    for entrant in entrants:
        if entrant.program is None:
            continue
        try:
            game.dialogue(with_protocol(game, entrant.program).protocol).check_time(turn_ns)
        except SettingError as error:
            raise SettingError(f"bot {entrant.name!r}: {error}") from None


def new_dialogue(game: Game, program: Program) -> Dialogue:
    """A conversation in the program's protocol, with the legal moves if its settings ask."""
    dialogue = game.dialogue(program.protocol)
    if program.legal:
        dialogue.list_moves()
    return dialogue


def load_program(folder: Path) -> Program:
    """Read a folder's `bot.toml`."""
    file = folder / SETTINGS
    try:
        with file.open("rb") as stream:
            content = stream.read(LONGEST_SETTINGS + 1)
    except FileNotFoundError:
        raise SettingError(f"{folder}: there is no {SETTINGS} in it") from None
    except OSError as error:
        raise SettingError(f"{file}: {error.strerror}") from None
    program = parse_program(content, file)
    return replace(program, name=program.name[:LONGEST_NAME], folder=folder.resolve())


def parse_program(content: bytes, file: Path = Path(SETTINGS)) -> Program:
    """The program that a `bot.toml` describes, without its folder; errors name the file."""
    data = _parse_settings(content, file)
    for key in data:
        if key not in KNOWN_KEYS:
            known = ", ".join(sorted(KNOWN_KEYS))
            raise SettingError(f"{file}: {key[:LONGEST_NAME]!r}: expected one of {known}")
    name = _text(file, data, "name")
    run = _command(file, data, "run")
    if not name.strip() or not run:
        raise SettingError(f"{file}: expected at least a name and a run command")
    return Program(
        name,
        run,
        build=_command(file, data, "build"),
        language=_text(file, data, "language"),
        games=_texts(file, data, "games"),
        protocol=_text(file, data, "protocol") or None,
        legal=_flag(file, data, "legal"),
    )


def _parse_settings(content: bytes, file: Path) -> dict[str, Any]:
    if len(content) > LONGEST_SETTINGS:
        raise SettingError(f"{file}: expected at most {LONGEST_SETTINGS} bytes")
    expected = 'expected lines such as name = "crawler", in TOML'
    try:
        return tomllib.loads(content.decode())
    except ValueError as error:
        raise SettingError(f"{file}: {error}; {expected}") from None
    except RecursionError:
        raise SettingError(f"{file}: {TOO_DEEP}; {expected}") from None


def _text(file: Path, data: dict[str, Any], key: str) -> str:
    value = data.get(key, "")
    if not isinstance(value, str) or not value.isprintable():
        raise SettingError(f"{file}: {key} = {_shown(value)}: expected a text of one line")
    return value


def _flag(file: Path, data: dict[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise SettingError(f"{file}: {key} = {_shown(value)}: expected true or false")
    return value


def _texts(file: Path, data: dict[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingError(f"{file}: {key} = {_shown(value)}: expected a list of texts")
    return tuple(value)


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return f"what is {TOO_DEEP}"
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def _command(file: Path, data: dict[str, Any], key: str) -> tuple[str, ...]:
    text = _text(file, data, key)
    try:
        return parse_command(text)
    except SettingError as error:
        raise SettingError(f"{file}: {key} = {error}") from None


def make_seat(
    game: Game,
    entrant: Entrant,
    seed: int,
    clock: Callable[[], int],
    launch: Launch,
    on_line: Callable[[str, str], None] = lambda direction, line: None,
) -> Seat:
    """A seat for the entrant; `launch` starts programs."""
    if entrant.program is None:
        return BotSeat(entrant.name, partial(game.bot, entrant.built_in), seed, clock)
    program = with_protocol(game, entrant.program)  # which may come from a store, not from above
    told_name = game.dialogue(program.protocol).spell_name(entrant.name)
    return ProgramSeat(
        entrant.name,
        lambda *words: start_program(
            with_words(program, words),
            told_name,
            launch,
            game.dialogue(program.protocol).http_exchange(),
        ),
        lambda: new_dialogue(game, program),
        {"command": shlex.join(program.run)},
        on_line,
    )


def with_words(program: Program, words: Sequence[str]) -> Program:
    """The program with more words on its command line."""
    return replace(program, run=(*program.run, *words)) if words else program


def start_program(
    program: Program, name: str, launch: Launch, exchange: HttpExchange | None = None
) -> Process:
    """Start it; its pipes are a connection if it dials in, requests if it has an exchange."""
    if exchange is not None:
        return HttpProcess(program, name, launch, exchange)
    return DialInProcess(program, name, launch) if dials_in(program) else launch(program)


def launch_on_host(program: Program) -> Process:
    """Start a program as it is, without a sandbox."""
    from agon.arbiter.host import HostProcess

    return HostProcess(command_in(program.folder, program.run), program.folder)


def command_in(folder: Path | None, command: Sequence[str]) -> list[str]:
    """The command with its program found where the folder says."""
    first, *rest = command
    if folder is not None and not os.path.normpath(first).startswith(("/", "..")):
        path = folder / first
        if path.is_file() or path.is_symlink():  # where a link leads is decided in the sandbox
            first = str(path)
    return [first, *rest]
