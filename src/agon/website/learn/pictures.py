"""Pictures of a game for its pages to learn it: one match between built-in bots, at a few moments.

Which match it is, a seed says: the same one every time. What a picture shows is told by the match
itself, so that words and pictures agree whatever becomes of the bots.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from agon.games.bot import Budget
from agon.games.registry import find_game
from agon.match.wording import seat_title, tell_outcome
from agon.website.render.boards import draw_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from agon.games.game import Game, Position

PLAYERS = "greedy"
LONGEST = 400
"""More turns than any of these matches takes."""


@dataclass(frozen=True, slots=True)
class RulesPicture:
    """A board and what it shows."""

    board: Markup
    words: str


@cache
def draw_pictures(name: str) -> tuple[RulesPicture, ...]:
    """Four moments of a match; where seats see different things, one of them as a seat sees it."""
    game = find_game(name)
    positions = play_example(game, game.example_seed)
    last = len(positions) - 1
    half = positions[last // 2]
    pictures = [RulesPicture(draw_board(positions[0].scene(None)), "The start of a match.")]
    own = half.scene(0)
    if own == half.scene(None):
        pictures += [_after(positions, last // 3), _after(positions, 2 * last // 3)]
    else:
        words = f"The same moment as {seat_title(game, 0)} sees it."
        pictures += [_after(positions, last // 2), RulesPicture(draw_board(own), words)]
    names = [seat_title(game, seat) for seat in range(half.seats)]
    verdict = tell_outcome(positions[-1].outcome, names)
    ended = f"The end, after {last} turns. {verdict}."
    return (*pictures, RulesPicture(draw_board(positions[-1].scene(None)), ended))


def _after(positions: Sequence[Position[Any]], turns: int) -> RulesPicture:
    board = draw_board(positions[turns].scene(None))
    return RulesPicture(board, f"The same match after {turns} turns.")


def play_example(game: Game, seed: int) -> list[Position[Any]]:
    """All positions of a match between built-in bots."""
    position = game.start(seed=seed)
    bots = [game.bot(PLAYERS, seed + seat) for seat in range(position.seats)]
    positions = [position]
    while position.outcome is None and len(positions) <= LONGEST:
        turns = {
            seat: (
                position.forced[seat]
                if seat in position.forced
                else bots[seat].choose(position, seat, Budget())
            )
            for seat in position.to_act
        }
        position = position.play(turns)
        positions.append(position)
    return positions
