"""The formats by name, as the command line and the website offer them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from agon.ranker.knockout import Knockout
from agon.ranker.pairing import Gauntlet, RoundRobin
from agon.ranker.swiss import Swiss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.ranker.pairing import Schedule


class Format(Enum):
    """How a tournament is played."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


def new_schedule(
    kind: Format, bots: Sequence[str], seed: int, seats: int = 2, rounds: int | None = None
) -> Schedule:
    """A schedule of that format.

    What `rounds` counts: round-robin and gauntlet, how often each pair meets (1); swiss, rounds (as
    many as a knock-out would have, and one more); knockout, pairs of games in a tie (1); ladder,
    batches of games (without end).
    """
    match kind:
        case Format.ROUND_ROBIN:
            return RoundRobin(bots, seed, seats, 1 if rounds is None else rounds)
        case Format.GAUNTLET:
            return Gauntlet(bots, seed, seats, 1 if rounds is None else rounds)
        case Format.SWISS:
            usual = (len(bots) - 1).bit_length() + 1
            return Swiss(bots, seed, seats, usual if rounds is None else rounds)
        case Format.KNOCKOUT:
            return Knockout(bots, seed, seats, 1 if rounds is None else rounds)
        case Format.LADDER:
            from agon.ranker.ladder import Ladder  # which loads NumPy

            return Ladder(bots, seed, seats, rounds)
