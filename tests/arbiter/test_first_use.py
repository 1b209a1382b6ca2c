"""What `agon warm` and a site load ahead is all that matches, boards and replays use later."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agon.games.registry import game_names

USE_AND_PLAY = """
import sys
from agon.arbiter.first_use import use_boards, use_bots, use_rules
from agon.games.bot import Budget
from agon.games.registry import find_game

def loaded():
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("agon.")]
    found = {one for module in modules for one in vars(module).values() if hasattr(one, "py_func")}
    return {(one.py_func.__qualname__, signature) for one in found for signature in one.overloads}

game = find_game(sys.argv[1])
use_rules(game)
use_boards(game)
use_bots(game, game.options(), game.bot_names)
before = loaded()
assert before, "no kernels were found"
for seed in range(2):
    position, turns_left = game.start(seed=seed), 60
    positions = [position]
    names = [game.bot_names[(seat + seed) % len(game.bot_names)] for seat in range(position.seats)]
    bots = [game.bot(name, seed) for name in names]
    while position.to_act and turns_left:
        position.scene(None), game.terminal_board(position)
        turns = dict(position.forced)
        for seat in set(position.to_act) - set(turns):
            turns[seat] = bots[seat].choose(position, seat, Budget(depth=1))
            position.parse_turn(seat, position.format_turn(seat, turns[seat]))
            position.scene(seat), position.observe(seat)
        position.stages(turns)
        position, turns_left = position.play(turns), turns_left - 1
        positions.append(position)
    game.parse_match(game.format_match(positions))
print(sorted(loaded() - before))
"""


@pytest.mark.parametrize("name", game_names())
def test_nothing_is_left_to_compile(name: str) -> None:
    command = [sys.executable, "-c", USE_AND_PLAY, name]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
