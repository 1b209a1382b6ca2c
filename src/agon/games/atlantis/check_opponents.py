"""What an Atlantis bot must cope with, and opponents who see to it that it comes about."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agon.games.atlantis.board import DEAD, GROWING
from agon.games.atlantis.bots import RandomBot
from agon.games.atlantis.position import AtlantisPosition
from agon.games.check_opponents import Idler, Situation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Position

LONG = 100  # turns
SUNK = 3  # fields
ODD_BOARD = {
    "segments": [
        ["x1", "x2", "y1", "y2", "y3", "z2", "z3"],
        ["z1", "aa2", "aa3", "aa4", "ab4", "ab5"],
        ["x3"],
        ["z4"],
        ["y4", "ad4", "ac5", "ad5", "ad6"],
        ["aa1", "ab2", "ab3", "ac3", "ac4", "z5"],
    ],
    "players": [
        {"stacks": {"x1": 1, "y2": 3, "y3": 1, "z2": -2, "x3": 0}},
        {"stacks": {"ad6": 2, "ac5": 1, "ad4": 1, "ab4": -1, "z4": 0}},
    ],
}
IDLE_BOARD = {
    "segments": [
        ["c5", "d5"],
        ["e5", "e6", "e7", "f5", "f6", "f7", "g5"],
        ["g6"],
        ["g7", "h5", "h6", "h7", "i5", "i6", "i7"],
        ["j7", "k7"],
    ],
    "players": [{"stacks": {"c5": 1, "d5": -1}}, {"stacks": {"k7": 1, "j7": -1}}],
}
"""Each has a stone that cannot move; on its first turn that is lost, and on its second it is not
asked. Then the growing field explodes, and there are stones to move."""


def on_board(board: Mapping[str, object]) -> Mapping[str, str]:
    """The options for a match on a board of our own."""
    return {"board": "triangle", "size": "0", "custom": json.dumps(board)}


def other_passed(position: Position[Any], seat: int) -> bool:
    """The turn before the bot's was without moves."""
    atlantis = AtlantisPosition.of(position)
    return atlantis.to_act == (seat,) and atlantis.turn > 1 and atlantis.last_turn == ()


def is_sinking(position: Position[Any], seat: int) -> bool:
    """Fields have died, others grow, and the bot is asked."""
    kinds = [field.kind for field in AtlantisPosition.of(position).fields]
    return is_asked(position, seat) and kinds.count(DEAD) >= SUNK and GROWING in kinds


def is_asked(position: Position[Any], seat: int) -> bool:
    """The bot makes the next turn."""
    return position.to_act == (seat,) and not position.forced


def is_passed_over(position: Position[Any], seat: int) -> bool:
    """R16: it would be the bot's turn, but it is not asked."""
    return seat in position.forced


def can_only_pass(position: Position[Any], seat: int) -> bool:
    """The bot is asked, and has no legal move."""
    return is_asked(position, seat) and not AtlantisPosition.of(position).moves


def is_long(position: Position[Any], seat: int) -> bool:
    """The match has gone on for longer than most do."""
    return AtlantisPosition.of(position).turn >= LONG


def has_answered(position: Position[Any], seat: int) -> bool:
    """The bot has made its first turn."""
    return AtlantisPosition.of(position).turn > seat


SITUATIONS = (
    Situation(
        "an opponent who passes",
        "A turn may have no moves; explosions and growth follow it as they follow any other.",
        Idler,
        other_passed,
    ),
    Situation(
        "a sinking island",
        "No move starts from, ends on or crosses a growing or dead field. Keep the kind of each"
        " field up to date: an explosion makes an open field growing and a growing one dead.",
        RandomBot,
        is_sinking,
        {"board": "triangle", "size": "7", "custom": ""},
    ),
    Situation(
        "a turn it is not asked for",
        'A player without stones that matter is passed over: its turn, {"type": "turn", "moves":'
        ' []}, is told like any other, and counts. Answer only {"type": "your-turn"}.',
        RandomBot,
        is_passed_over,
        on_board(IDLE_BOARD),
    ),
    Situation(
        "no legal move at all",
        'Answer {"moves": []} if there is no move, and never choose from an empty list.',
        RandomBot,
        can_only_pass,
        on_board(IDLE_BOARD),
    ),
    Situation(
        "a board of another kind",
        "Take segments, stacks and names of fields as they come: segments of any size, z2 beside"
        " aa3, growing (below 0) and dead (0) fields from the start.",
        RandomBot,
        has_answered,
        on_board(ODD_BOARD),
    ),
    Situation(
        "a very long match",
        "Matches can go on for hundreds of turns: let no list, board or search grow with them.",
        Idler,
        is_long,
        {"board": "hexagon", "size": "2", "custom": ""},
    ),
)
"""What `agon bot check` tries, in this order."""
