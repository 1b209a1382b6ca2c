"""Atlantis's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it. The plain one, dictionaries keyed by coordinates, is the
slow referee of the tests; it takes part if Agon runs from a checkout, for tests are not installed.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import agon
from agon.bench.hive import run_agon
from agon.bench.measure import Contest, Contestant
from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.game import GAME, USUAL_SEATS, AtlantisOptions
from agon.games.atlantis.simulation import make_simulation
from agon.games.bot import Budget
from agon.simulate.cores import play_batch
from agon.simulate.tally import game_seeds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.games.atlantis.geometry import Board

CAP = 500
BATCH = 64
CHECKOUT = Path(agon.__file__).parents[2]
REFEREE = Path("tests/games/atlantis/naive.py")


def atlantis_contests(checkout: Path = CHECKOUT) -> Iterator[Contest]:
    """All contests of Atlantis, each on one core."""
    for shape, size, players in (("triangle", 6, 2), ("hexagon", 5, 6)):
        board = standard_board(shape, size, players)
        rivals = plain_contestants(board, checkout)
        if players == USUAL_SEATS:
            interpreted = interpreted_plies(shape, size)
            rivals.append(Contestant("Agon interpreted, with its start", interpreted))
        ours = Contestant("Agon compiled", compiled_plies(board))
        title = f"random play, {shape} {size} for {players}"
        yield Contest(title, "plies", (ours, *rivals))


def compiled_plies(board: Board) -> Callable[[], int]:
    """Random games in compiled loops; new ones every time."""
    simulation = make_simulation(AtlantisOptions(), board)
    batches = iter(range(10**9))

    def work() -> int:
        _, plies = play_batch(simulation, game_seeds(next(batches), 0, BATCH), CAP)
        return int(plies.sum())

    return work


def interpreted_plies(shape: str, size: int) -> Callable[[], int]:
    """The same functions without the compiler, in a process of their own."""
    options = ("--option", f"board={shape}", "--option", f"size={size}")
    command = ("simulate", "atlantis", "--games", "3", "--threads", "1", "--cap", "100")
    return lambda: run_agon(*command, *options)["plies"]


def missing_referee(checkout: Path = CHECKOUT) -> str | None:
    """Why the plain implementation does not take part, if it does not."""
    if (checkout / REFEREE).is_file():
        return None
    return f"plain Python takes no part: there is no {REFEREE} in {checkout}"


def plain_contestants(board: Board, checkout: Path) -> list[Contestant]:
    """The tests' own implementation, if it is there."""
    if missing_referee(checkout):
        return []
    start: Any = runpy.run_path(str(checkout / REFEREE))["NaiveAtlantis"]
    rng = Random(1)  # noqa: S311

    def work() -> int:
        match = start(board.segments, board.stacks)
        while match.turn < CAP and not match.is_over():
            match.play(match.random_turn(rng) if match.is_asked() else [])
        return int(match.turn)

    return [Contestant("plain Python with dictionaries", work)]


def touch_every_kernel() -> None:
    """Call everything that is compiled for Atlantis once."""
    compiled_plies(standard_board("triangle", 6, 2))()
    position = GAME.start()
    position.play({0: position.random_turn(0, Random(1))})  # noqa: S311
    for name in GAME.bots():
        GAME.bot(name, 0).choose(position, 0, Budget(depth=1))
