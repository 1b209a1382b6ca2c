"""Who is who in a match, and how it ended, in words."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Game, Outcome

HIVE = ("White", "Black")


def seat_title(game: Game, seat: int) -> str:
    """What a seat is called on the board.

    >>> from agon.games.registry import find_game
    >>> seat_title(find_game("hive"), 1), seat_title(find_game("atlantis"), 0)
    ('Black', 'Red')
    """
    if game.name == "hive":
        return HIVE[seat]
    name: str = import_module(f"agon.games.{game.name}.look").LIVERIES[seat].name
    return name


def tell_outcome(outcome: Outcome | None, names: Sequence[str]) -> str:
    """How a match ended, in one line.

    >>> from agon.games.game import Outcome
    >>> tell_outcome(Outcome((2, 0), "queen surrounded"), ["ada", "bob"])
    'ada won: queen surrounded'
    >>> tell_outcome(Outcome((1, 1), "turn limit"), ["ada", "bob"])
    'Nobody won: turn limit'
    >>> tell_outcome(Outcome((1, 0, 1), "turn limit"), ["ada", "bob", "eve"])
    'ada and eve share the first place: turn limit'
    """
    if outcome is None:
        return "The match has not ended."
    first = [name for name, rank in zip(names, outcome.ranks, strict=True) if rank == 0]
    if len(first) == 1:
        return f"{first[0]} won: {outcome.reason}"
    if len(first) == len(names):
        return f"Nobody won: {outcome.reason}"
    told = f"{', '.join(first[:-1])} and {first[-1]}"
    return f"{told} share the first place: {outcome.reason}"


def place(rank: int) -> str:
    """A place in words; the rank is how many did better.

    >>> place(0), place(1), place(2), place(3)
    ('1st', '2nd', '3rd', '4th')
    """
    return f"{rank + 1}{('st', 'nd', 'rd')[rank] if rank < 3 else 'th'}"
