"""Pictures of a game for its pages to learn it: one match between built-in bots, at a few moments.

Which match it is, a seed says: the same one every time. What a picture shows is told by the match
itself, so that words and pictures agree whatever becomes of the bots.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from agon.arbiter.arbiter import play_match
from agon.arbiter.limits import Limits
from agon.games.registry import find_game
from agon.match.transcript import played_positions
from agon.match.wording import seat_title, tell_outcome
from agon.website.render.boards import draw_board

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from agon.games.game import Game, Position
    from agon.match.result import MatchResult

LONGEST = 400
"""Turns after which the match is stopped; none of our games needs as many."""
DEPTH = 1
"""A bot that searches does so no deeper: the visitor of the page waits for the match."""


@dataclass(frozen=True, slots=True)
class RulesPicture:
    """A board and what it shows."""

    board: Markup
    words: str


@cache
def draw_pictures(name: str) -> tuple[RulesPicture, ...]:
    """Four moments of a match; where seats see different things, one of them as a seat sees it."""
    game = find_game(name)
    match = play_example(game)
    positions = played_positions(match.transcript)
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
    verdict = tell_outcome(match.outcome, names)
    ended = f"The end, after {last} turns. {verdict}."
    return (*pictures, RulesPicture(draw_board(positions[-1].scene(None)), ended))


def _after(positions: Sequence[Position[Any]], turns: int) -> RulesPicture:
    board = draw_board(positions[turns].scene(None))
    return RulesPicture(board, f"The same match after {turns} turns.")


def play_example(game: Game) -> MatchResult:
    """The match that shows the game: of its usual opponents against each other."""
    seed = game.example_seed
    seats = game.start(seed=seed).seats
    bots = [game.bot(game.usual_opponent, seed + seat) for seat in range(seats)]
    return play_match(game, bots, Limits(depth=DEPTH, turns=LONGEST), seed=seed)
