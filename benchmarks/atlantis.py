"""Atlantis's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it. The plain one, dictionaries keyed by coordinates, is the
slow referee of the tests.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agon.games.atlantis.boards import standard_board
from agon.games.atlantis.game import USUAL_SEATS, AtlantisOptions
from agon.games.atlantis.simulation import make_simulation
from benchmarks.measure import Contest, Contestant
from benchmarks.random_play import compiled, interpreted
from tests.games.atlantis.naive import NaiveAtlantis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.atlantis.geometry import Board

CAP = 500
BATCH = 64


def atlantis_contests() -> Iterator[Contest]:
    """All contests of Atlantis, each on one core."""
    for shape, size, players in (("triangle", 6, 2), ("hexagon", 5, 6)):
        board = standard_board(shape, size, players)
        rivals = [plain(board)]
        if players == USUAL_SEATS:
            options = ("--option", f"board={shape}", "--option", f"size={size}")
            command = ("simulate", "atlantis", "--games", "3", "--threads", "1", "--cap", "100")
            rivals.append(interpreted("plies", *command, *options))
        ours = compiled(make_simulation(AtlantisOptions(), board), BATCH, CAP)
        title = f"random play, {shape} {size} for {players}"
        yield Contest(title, "plies", (ours, *rivals))


def plain(board: Board) -> Contestant:
    """The tests' own implementation."""
    stacks = [dict(stack) for stack in board.stacks]
    rng = Random(1)  # noqa: S311

    def work() -> int:
        match = NaiveAtlantis(board.segments, stacks)
        while match.turn < CAP and not match.is_over():
            match.play(match.random_turn(rng) if match.is_asked() else [])
        return int(match.turn)

    return Contestant("plain Python with dictionaries", work)
