"""The readers that are fuzzed: each takes any bytes, and raises nothing but an error of ours.

Where there are several of a kind (five games, eleven protocols), the first byte chooses one.
"""

from __future__ import annotations

import functools
import io
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from agon.arbiter.entrant import parse_program
from agon.errors import AgonError
from agon.games.atlantis.document import parse_board
from agon.games.battlebots.mapfile import format_map as format_battlefield
from agon.games.battlebots.mapfile import parse_map as parse_battlefield
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.dialogue import Briefing
from agon.games.hive.uhp import UhpEngine
from agon.games.http_exchange import parse_body
from agon.games.map_maker import MapRequest
from agon.games.mebipenny.wire import parse_new_player
from agon.games.registry import all_games, find_game
from agon.games.skyport.map_maker import make_skyport_map
from agon.games.skyport.mapfile import parse_map as parse_skyport_map
from agon.games.skyport.wire import parse_action, parse_handshake, parse_loadout, parse_message
from agon.match.transcript import Transcript, TurnEvent, format_transcript, parse_transcript, verify
from agon.website.bots.upload_form import read_form, read_upload, read_upload_fields
from agon.website.bots.zips import unpack_zip
from agon.website.contests.form import read_form as read_contest
from agon.website.upload_limits import UploadLimits

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence

    from starlette.types import Message

    from agon.games.game import Game, Position

    Reader = Callable[[bytes], object]

TURNS = 6
EDGE = b"fuzzed"
LIMITS = UploadLimits(bytes=1 << 16, files=20)


def read(reader: str, content: bytes) -> None:
    """Let the reader have these bytes; what it raises beyond errors of ours goes on."""
    try:
        READERS[reader](content)
    except (AgonError, HTTPException, UnicodeDecodeError):
        # Text is decoded at the border, where the message names the file or the line.
        return


def read_transcript(content: bytes) -> None:
    verify(parse_transcript(content.decode()))


def read_chosen(readers: Sequence[Reader], content: bytes) -> None:
    if content:
        readers[content[0] % len(readers)](content[1:])


def read_map(parse: Callable[[str], object], content: bytes) -> None:
    parse(content.decode())


def hear(game: Game, protocol: str, content: bytes) -> None:
    """A program that writes these lines at the beginning of a match."""
    position = start_of(game)
    seat = position.to_act[0]
    dialogue = game.dialogue(protocol)
    dialogue.open(position, seat, Briefing(10**9, names=("a", "b")))
    dialogue.ask(position)
    for line in content.decode().splitlines():
        turn = dialogue.read(line)
        dialogue.replies()
        if turn is not None:
            position.play({seat: dialogue.parse(position, seat, turn)})
            return


def read_skyport(parse: Callable[[dict[str, Any]], object], content: bytes) -> None:
    """A line of a client over TCP."""
    parse(parse_message(content.decode()))


def read_uhp(content: bytes) -> None:
    lines = content.decode("utf-8-sig").splitlines()[:8]
    engine = UhpEngine(lambda: 0, lambda seed: find_game("hive").bot("random", seed), "0")
    for line in lines:
        if "perft" not in line.lower():  # which takes as long as it is told to
            list(engine.handle(line))


def read_multipart(content: bytes) -> None:
    """The form with which bots are uploaded."""
    kind = b"multipart/form-data; boundary=" + EDGE
    form = run(read_form(Request(scope(kind), receive_all(content)), LIMITS))
    try:
        read_upload_fields(form)
        read_upload(form, LIMITS)
    finally:
        run(form.close())


def read_fields(content: bytes) -> None:
    kind = b"application/x-www-form-urlencoded"
    form = run(
        Request(scope(kind), receive_all(content)).form(max_files=0, max_fields=100).__await__()
    )
    read_contest({key: value for key, value in form.items() if isinstance(value, str)})


def scope(content_type: bytes) -> dict[str, Any]:
    headers = [(b"content-type", content_type)]
    return {"type": "http", "method": "POST", "path": "/", "headers": headers, "app": None}


def receive_all(content: bytes) -> Callable[[], Coroutine[None, None, Message]]:
    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    return receive


def run(work: Any) -> Any:
    """What comes of a coroutine that never waits."""
    try:
        while True:
            work.send(None)
    except StopIteration as end:
        return end.value


@functools.cache
def start_of(game: Game) -> Position[Any]:
    return game.start(None, 1)


def short_match(game: Game) -> list[tuple[Position[Any], dict[int, Any]]]:
    """The first turns of a random match, each with the position before it."""
    rng, position = Random(1), start_of(game)  # noqa: S311
    played: list[tuple[Position[Any], dict[int, Any]]] = []
    while position.to_act and len(played) < TURNS:
        turns = {seat: position.random_turn(seat, rng) for seat in position.to_act}
        played.append((position, turns))
        position = position.play(turns)
    return [*played, (position, {})]


def sample_transcript(game: Game) -> bytes:
    events = tuple(
        TurnEvent(
            {seat: position.format_turn(seat, turn) for seat, turn in turns.items()},
            dict.fromkeys(turns, 1000),
        )
        for position, turns in short_match(game)[:-1]
    )
    names: list[dict[str, Any]] = [{"name": name} for name in "ab"]
    transcript = Transcript(game, game.options(), 1, tuple(names), events)
    return format_transcript(replace(transcript, outcome=None)).encode()


def sample_text(game: Game) -> bytes:
    return game.format_match([position for position, _ in short_match(game)]).encode()


def sample_lines(game: Game) -> bytes:
    position, turns = short_match(game)[0]
    seat = position.to_act[0]
    return position.format_turn(seat, turns[seat]).encode()


def numbered(contents: Iterable[bytes]) -> tuple[bytes, ...]:
    """Each behind the byte that chooses its reader."""
    return tuple(bytes([number]) + content for number, content in enumerate(contents))


def sample_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bot/bot.toml", 'name = "a"\nrun = "./a"\n')
        archive.writestr("bot/a", "#!/bin/sh\n" * 9)
    return file.getvalue()


def sample_form() -> bytes:
    head = b'--fuzzed\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
    parts = [(b"name", b"", b"ada"), (b"run", b"", b"./a"), (b"zip", b'; filename="a.zip"', ZIP)]
    return b"".join(head % part for part in parts) + b"--fuzzed--\r\n"


ZIP = sample_zip()
CONTEST = b"name=a&game=hive&format=swiss&rounds=3&turn_ms=100&opens=2026-11-16T12:00&who=everyone"
TOML = b"""name = "crawler"
games = ["hive"]
language = "Python"
build = "make all"
run = "python3 main.py --fast"
protocol = "lines"
legal = true
"""
UHP = b"""newgame Base+MLP;InProgress;White[3];wS1;bG1 -wS1
validmoves
play wA1 wS1/
bestmove depth 1
undo 2
options set Seed 5
"""
SKYPORT_LINES = (
    b'{"message": "connect", "revision": 1, "name": "ada"}',
    b'{"message": "loadout", "primary-weapon": "mortar", "secondary-weapon": "droid"}',
    b'{"message": "action", "type": "droid", "sequence": ["up", "left-up"]}',
)
BOARD = b"""{"segments": ["B2", ["c4", "d4", "d3"]],
"players": [{"stacks": {"a1": 1, "a2": 1}}, {"stacks": {"c4": 1, "d4": 2}}]}"""

MAPS = tuple(partial(read_map, one) for one in (parse_battlefield, parse_skyport_map, parse_board))
TEXTS = tuple(partial(read_map, game.parse_match) for game in all_games())
SPOKEN = tuple((game, protocol) for game in all_games() for protocol in game.dialogues())
WIRE: tuple[Reader, ...] = (
    *(partial(hear, game, protocol) for game, protocol in SPOKEN),
    *(partial(read_skyport, one) for one in (parse_handshake, parse_loadout, parse_action)),
    lambda content: parse_new_player(parse_body(content)),
)

READERS: dict[str, Reader] = {
    "bot.toml": lambda content: parse_program(content, Path("bot.toml")),
    "transcripts": read_transcript,
    "maps": partial(read_chosen, MAPS),
    "match texts": partial(read_chosen, TEXTS),
    "wire lines": partial(read_chosen, WIRE),
    "zip": lambda content: unpack_zip(io.BytesIO(content), LIMITS),
    "forms": partial(read_chosen, (read_multipart, read_fields)),
    "UHP": read_uhp,
}


@functools.cache
def samples(reader: str) -> tuple[bytes, ...]:
    """Inputs that the reader takes."""
    games = all_games()
    battlefield = BattlebotsPosition.of(start_of(find_game("battlebots"))).field
    return {
        "bot.toml": (TOML,),
        "transcripts": tuple(map(sample_transcript, games)),
        "maps": numbered(
            (
                format_battlefield(battlefield).encode(),
                make_skyport_map(MapRequest(2, None, None, 1, fair=True)).encode(),
                BOARD,
            )
        ),
        "match texts": numbered(map(sample_text, games)),
        "wire lines": numbered(
            (*(sample_lines(game) for game, _ in SPOKEN), *SKYPORT_LINES, b'{"name": "ada"}')
        ),
        "zip": (ZIP,),
        "forms": numbered((sample_form(), CONTEST)),
        "UHP": (UHP,),
    }[reader]
