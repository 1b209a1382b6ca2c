"""Matches of `search` against itself, as moves and what it thought of them.

The first turns are by chance, and now and then one later on. How far it looks is a number of nodes,
so the same seeds give the same matches on any machine.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.bot import Budget
from agon.games.hive.bots import SearchBot
from agon.games.hive.game import GAME, HiveOptions
from agon.games.hive.network import network_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agon.games.hive.position import HivePosition

VARIANTS = ("Base", "Base+MLP", "Base", "Base+MLP", "Base+M", "Base+L", "Base+P", "Base+MP")
OPENING = (2, 9)
"""So many turns by chance, at least and at most."""
CHANCE = 0.05
"""How many of the later turns are by chance."""
MOST_TURNS = 160
NO_VALUE = 32767
BLOCK = 16


@dataclass(frozen=True, slots=True)
class Game:
    """One match: its moves, and the points that the side to move saw before each."""

    expansions: int
    moves: list[int]
    values: list[int]
    """`NO_VALUE`: the turn was by chance."""
    result: int
    """2 if white has won, 1 for a draw, 0 if black has."""


def play_game(seed: int, nodes: int, network: Any) -> Game:
    """The match of this seed, of a bot with this network."""
    rng = Random(seed)  # noqa: S311
    options = HiveOptions(variant=VARIANTS[seed % len(VARIANTS)])
    position: HivePosition = GAME.start(options, seed)
    bot = SearchBot(seed, network)
    opening = rng.randint(*OPENING)
    budget = Budget(lambda: int(bot.nodes), deadline=nodes)
    moves: list[int] = []
    values: list[int] = []
    while position.outcome is None and len(moves) < MOST_TURNS:
        side = position.to_act[0]
        if len(moves) < opening or rng.random() < CHANCE:
            move, value = position.random_turn(side, rng), NO_VALUE
        else:
            move = bot.choose(position, side, budget)
            value = bot.value
        moves.append(int(move))
        values.append(value)
        position = position.play({side: move})
    result = 1
    if position.outcome is not None and position.outcome.winner is not None:
        result = 2 * (1 - position.outcome.winner)
    return Game(options.expansion_bits, moves, values, result)


def play_block(job: tuple[int, int, int, dict[str, Any]]) -> dict[str, Any]:
    """The matches of some seeds, as arrays."""
    first, last, nodes, weights = job
    network = network_of(weights)
    return pack([play_game(seed, nodes, network) for seed in range(first, last)])


def pack(games: list[Game]) -> dict[str, Any]:
    """Matches one after the other."""
    return {
        "expansions": np.array([game.expansions for game in games], np.uint8),
        "result": np.array([game.result for game in games], np.uint8),
        "turns": np.array([len(game.moves) for game in games], np.int32),
        "moves": np.array([move for game in games for move in game.moves], np.uint16),
        "values": np.array([value for game in games for value in game.values], np.int16),
    }


def play_games(
    seeds: range, nodes: int, weights: dict[str, Any], jobs: int
) -> Iterator[dict[str, Any]]:
    """All matches of these seeds, a block at a time and in order, by so many processes."""
    starts = range(seeds.start, seeds.stop, BLOCK)
    blocks = [(start, min(start + BLOCK, seeds.stop), nodes, weights) for start in starts]
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting = deque(pool.submit(play_block, block) for block in blocks[: 2 * jobs])
        for block in blocks[2 * jobs :] + [None] * len(waiting):
            yield waiting.popleft().result()
            if block is not None:
                waiting.append(pool.submit(play_block, block))


def join(blocks: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Blocks of matches as one."""
    found = list(blocks)
    return {name: np.concatenate([block[name] for block in found]) for name in found[0]}
