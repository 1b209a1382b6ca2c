"""Positions for the tests of pictures: from drawings, from the usual boards, and random ones."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

from agon.games.atlantis.document import format_segments, format_stacks
from agon.games.atlantis.game import GAME, AtlantisOptions
from tests.games.atlantis.situation import drawn_board

if TYPE_CHECKING:
    from agon.games.atlantis.geometry import Board
    from agon.games.atlantis.position import AtlantisPosition

SEGMENT = """
    .   .
  .   r2  R1
    #   b12
"""
"""A standard segment with something of everything."""


def on_board(board: Board) -> AtlantisPosition:
    """The start of a match on any board."""
    players = [{"stacks": format_stacks(stacks)} for stacks in board.stacks]
    custom = {"segments": format_segments(board), "players": players}
    return GAME.start(AtlantisOptions(custom=json.dumps(custom)))


def drawn(drawing: str, players: int = 2, segments: str | None = None) -> AtlantisPosition:
    """The start of a match on a drawn board."""
    return on_board(drawn_board(drawing, players, segments))


def usual(shape: str, size: int, players: int) -> AtlantisPosition:
    return GAME.start(AtlantisOptions(shape, size), seats=players)


def after(position: AtlantisPosition, turns: int, seed: int = 1) -> AtlantisPosition:
    """So many random turns later, or at the end."""
    rng = Random(seed)  # noqa: S311
    for _ in range(turns):
        if position.to_act:
            position = position.play_turn(position.random_turn(position.seat, rng))
    return position
