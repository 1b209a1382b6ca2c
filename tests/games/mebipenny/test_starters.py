"""The starter bots play whole matches, as real processes, without a fault."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from agon.arbiter.starter import starter_languages, write_starter
from agon.games.bot import Budget
from agon.games.dialogue import Briefing
from agon.games.mebipenny.bots import RandomBot
from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.protocol import seat_players
from agon.games.mebipenny.wire import format_delta, format_game, parse_new_move
from tests.examples.toolchain import present

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = {"javascript": "node", "python": "python3"}
MATCHES = [
    MebiPennyOptions(),
    MebiPennyOptions(3, 4),
    MebiPennyOptions(9, 6, 4, "0.2"),
    MebiPennyOptions(5, 30, 3),
    MebiPennyOptions(2, 2, 2, "0.9"),
]


def play(process: subprocess.Popen[str], options: MebiPennyOptions) -> str:
    """A match of the program against others by chance; why it ended. Bad answers raise."""
    assert process.stdin is not None
    assert process.stdout is not None
    dialogue, position = GAME.dialogue(None), GAME.start(options, 7)
    seat, others = position.seats - 1, RandomBot(3)

    def send(lines: list[str]) -> None:
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in lines))
        process.stdin.flush()

    names = tuple(f'bot "{number}" \\ ]}},' for number in range(position.seats))
    send(dialogue.open(position, seat, Briefing(10**9, names=names)))
    while position.to_act:
        mover = position.next_seat
        if mover == seat:
            send(dialogue.ask(position))
            text = dialogue.read(process.stdout.readline().strip())
            move = dialogue.parse(position, seat, text or "")
        else:
            move = others.choose(position, mover, Budget())
        after = position.play_move(move)
        send(dialogue.tell(position, {mover: move}, after))
        position = after
    send(dialogue.close(position.outcome))
    assert position.outcome is not None
    return position.outcome.reason


def test_every_starter_is_tested() -> None:
    assert starter_languages(GAME) == tuple(TOOLS)


@pytest.mark.parametrize("language", present(TOOLS))
def test_it_plays_many_matches(tmp_path: Path, language: str) -> None:
    program = write_starter(GAME, language, "novice", tmp_path / "novice").program
    process = subprocess.Popen(
        program.run,
        cwd=program.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        reasons = {play(process, options) for options in MATCHES}
    assert process.returncode == 0
    assert reasons <= {"no tiles left", "all passed"}


def load_python_starter(tmp_path: Path) -> Any:
    write_starter(GAME, "python", "novice", tmp_path / "novice")
    path = tmp_path / "novice" / "mebipenny_bot.py"
    spec = importlib.util.spec_from_file_location("mebipenny_novice", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("options", MATCHES, ids=str)
def test_the_python_starter_knows_the_board_and_the_legal_moves(
    tmp_path: Path, options: MebiPennyOptions
) -> None:
    bot, chance = load_python_starter(tmp_path), RandomBot(5)
    position = GAME.start(options, 2)
    players = seat_players(position.seats)
    first = json.loads(json.dumps(format_game(position, players, 0)))
    board = bot.Board(first)
    while position.to_act:
        if position.next_seat == 0:
            texts = [json.loads(bot.format_move(move)) for move in [*board.legal_moves(), None]]
            read = [parse_new_move(position, text, players) for text in texts]
            assert sorted(read) == sorted(position.moves)
        seat = position.next_seat
        after = position.play_move(chance.choose(position, seat, Budget()))
        board.update(json.loads(json.dumps(format_delta(position, after, players, 0))))
        position = after
        owners = {tile: None if o is None else f"p{o}" for tile, o in position.claims()}
        assert board.owners == owners
        assert board.hand == [*position.hands[0]]
        assert board.scores == {f"p{s}": n for s, n in enumerate(position.scores)}
