"""A match as text: a GameString of the Universal Hive Protocol.

Base+MLP;InProgress;White[2];wS1;bS1 wS1-
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agon.errors import AgonError, NotationError
from agon.games.hive.game import VARIANTS, HiveOptions
from agon.games.hive.position import HivePosition
from agon.games.hive.uhp_notation import (
    format_state,
    format_turn_string,
    format_uhp_move,
    parse_uhp_move,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position

STATES = ("NotStarted", "InProgress", "Draw", "WhiteWins", "BlackWins")
TURN = re.compile(r"(?:White|Black)\[[1-9][0-9]*\]")


def format_match(given: Sequence[Position[Any]]) -> str:
    """The GameString of a match, given all its positions from the first to the last."""
    positions = [HivePosition.of(position) for position in given]
    last = positions[-1]
    parts = [last.options.variant, format_state(last), format_turn_string(last)]
    for before, after in pairwise(positions):
        if after.move is not None:
            parts.append(format_uhp_move(before, after.move))
    return ";".join(parts)


def parse_match(text: str, options: HiveOptions | None = None) -> list[HivePosition]:
    """Read a GameString, or a GameTypeString alone: all positions from the first to the last.

    The variant is the text's, all else that can be set is as in `options`. An error names the
    first part that does not hold.
    """
    variant, *rest = text.split(";")
    if variant not in VARIANTS:
        raise NotationError(f"game type {variant[:40]!r}: expected one of {', '.join(VARIANTS)}")
    positions = [HivePosition.start(replace(options or HiveOptions(), variant=variant))]
    if not rest:
        return positions
    if len(rest) < 2:
        raise NotationError(f"game {text[:60]!r}: expected type;state;turn;moves")
    state, turn, *moves = rest
    if state not in STATES:
        raise NotationError(f"game state {state[:40]!r}: expected one of {', '.join(STATES)}")
    if not TURN.fullmatch(turn):
        raise NotationError(f"turn {turn[:40]!r}: expected a side and a number, such as White[1]")
    for number, move in enumerate(moves, 1):
        try:
            positions.append(positions[-1].play_move(parse_uhp_move(positions[-1], move)))
        except AgonError as error:
            raise type(error)(f"move {number} of the game: {error}") from None
    check_claim("turn", turn, format_turn_string(positions[-1]))
    check_claim("game state", state, format_state(positions[-1]))
    return positions


def check_claim(what: str, claimed: str, found: str) -> None:
    """Refuse a GameString whose head does not fit its moves."""
    if claimed != found:
        raise NotationError(f"{what} {claimed!r}: after the moves of this game it is {found}")
