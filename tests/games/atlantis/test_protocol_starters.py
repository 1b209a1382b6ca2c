"""The starter bots play whole matches, as real processes, without a fault."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.build import run_build
from agon.arbiter.starter import starter_languages, write_starter
from agon.games.atlantis.check_opponents import IDLE_BOARD, ODD_BOARD, on_board
from agon.games.atlantis.game import GAME, AtlantisOptions
from agon.games.atlantis.notation import split_turn
from agon.games.dialogue import Briefing
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from pathlib import Path

    from agon.games.atlantis.position import AtlantisPosition

TOOLS = {
    "c": "cc",
    "go": "go",
    "java": "javac",
    "javascript": "node",
    "python": "python3",
    "rust": "rustc",
}
MATCHES = [
    (AtlantisOptions(), 2),
    (AtlantisOptions("hexagon"), 6),
    (AtlantisOptions("rhombus", 2), 3),
    (GAME.parse_options(on_board(ODD_BOARD)), 2),
    (GAME.parse_options(on_board(IDLE_BOARD)), 2),
]
TURNS = 150


def play(process: subprocess.Popen[str], position: AtlantisPosition) -> int:
    """A match of the program against itself; how many moves it made. Bad answers raise."""
    assert process.stdin is not None
    assert process.stdout is not None
    dialogue, moves = GAME.dialogue(None), 0
    names = tuple(f'bot "{seat}" \\ ]}},' for seat in range(position.seats))

    def send(lines: list[str]) -> None:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()

    send(dialogue.open(position, 0, Briefing(10**9, names=names)))
    while position.to_act and position.turn < TURNS:
        turn: Any = ()
        if not position.forced:
            send(dialogue.ask(position))
            text = dialogue.read(process.stdout.readline().strip())
            turn = dialogue.parse(position, position.seat, text or "")
        after = position.play_turn(turn)
        send(dialogue.tell(position, {position.seat: turn}, after))
        position, moves = after, moves + len(turn)
    send(dialogue.close(position.outcome))
    return moves


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == tuple(TOOLS)


@pytest.mark.parametrize("language", present(TOOLS))
def test_it_plays_many_matches(tmp_path: Path, language: str) -> None:
    starter = write_starter(GAME, language, "novice", tmp_path / "novice")
    build = run_build(starter.program)
    assert build.failure is None, build.output
    assert build.output == ""  # not even a warning
    program = build.program or starter.program
    process = subprocess.Popen(
        program.run,
        cwd=program.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        moves = [play(process, GAME.start(options, 0, seats)) for options, seats in MATCHES]
    assert process.returncode == 0
    assert all(moves)


def load_python_starter(tmp_path: Path) -> Any:
    write_starter(GAME, "python", "novice", tmp_path / "novice")
    path = tmp_path / "novice" / "atlantis_bot.py"
    spec = importlib.util.spec_from_file_location("atlantis_novice", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stacks_of(island: Any, bot: Any, seat: int) -> dict[str, int]:
    signs = (1, -1, 0)
    return {
        bot.format_place(place): signs[field.kind] * field.stones
        for place, field in island.fields.items()
        if field.owner == seat
    }


@pytest.mark.parametrize(
    ("options", "seats"), MATCHES, ids=["triangle", "hexagon", "rhombus", "odd", "idle"]
)
def test_the_python_starter_knows_the_board_and_the_legal_moves(
    tmp_path: Path, options: AtlantisOptions, seats: int
) -> None:
    bot, chance = load_python_starter(tmp_path), Random(3)  # noqa: S311
    position = GAME.start(options, 0, seats)
    (first,) = GAME.dialogue(None).open(position, 0, Briefing())
    island = bot.Island(json.loads(first))
    while position.to_act and position.turn < TURNS:
        moves = [move for some in island.legal_moves().values() for move in some]
        texts = {"-".join(map(bot.format_place, move)) for move in moves}
        assert texts == {position.format_turn(position.seat, (move,)) for move in position.moves}
        turn = position.random_turn(position.seat, chance)
        pairs = split_turn(position.format_turn(position.seat, turn))
        island.play([(bot.parse_place(a), bot.parse_place(b)) for a, b in pairs])
        position = position.play_turn(turn)
        assert [stacks_of(island, bot, seat) for seat in range(seats)] == [
            position.stacks(seat) for seat in range(seats)
        ]
