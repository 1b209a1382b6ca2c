"""Who is who in a match, and how it ended, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games import players

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Game, Outcome, Position

DASH = "\u2013"


def seat_title(game: Game, seat: int, position: Position[Any] | None = None) -> str:
    """What a seat is called on the board, perhaps that of this position.

    >>> from agon.games.registry import find_game
    >>> seat_title(find_game("hive"), 1), seat_title(find_game("atlantis"), 0)
    ('Black', 'Red')
    """
    return game.call_seat(seat, position)


def tell_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """How a match ended, in one line.

    >>> from agon.games.game import Outcome
    >>> tell_outcome(Outcome((2, 0), "queen surrounded"), ["ada", "bob"])
    'ada won: queen surrounded'
    >>> tell_outcome(None, ["ada", "bob"])
    'The match has not ended.'
    """
    if outcome is None:
        return "The match has not ended."
    return players.tell_outcome(outcome, names)


def tell_place(outcome: Outcome, seat: int) -> str:
    """The place of a seat in words; a dash where there is no winner.

    >>> from agon.games.game import Outcome
    >>> [tell_place(Outcome((9, 7, 5, 3, 3), "turn limit"), seat) for seat in range(5)]
    ['1st', '2nd', '3rd', '4th', '4th']
    >>> tell_place(Outcome((1, 1), "turn limit"), 0) == DASH
    True
    """
    rank = outcome.ranks[seat]
    if not any(outcome.ranks):
        return DASH
    return f"{rank + 1}{('st', 'nd', 'rd')[rank] if rank < 3 else 'th'}"
