"""How long people and bots may think, and how many may play at once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

SECOND = 10**9
MINUTE = 60 * SECOND
MOST_TURNS = 2000
SEED_BITS = 32


def _random_seed() -> int:
    return secrets.randbits(SEED_BITS)


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What whoever runs the site may choose; all times are whole nanoseconds."""

    bot_ns: int = SECOND
    """A bot's time per turn: nobody likes to wait."""
    bank_ns: int = 5 * SECOND
    """What a program may take beyond that, once for a whole match."""
    patience_ns: int = 30 * MINUTE
    """Who has done nothing for so long in their turn has left."""
    tables: int = 64
    """Matches that wait for somebody or are played."""
    own: int = 8
    """Of these, with one person in them."""
    ended: int = 100
    """Matches that are over and can still be looked at, and asked for a rematch."""
    wait_ns: int = 60 * MINUTE
    """So long a free seat is kept."""
    new_seed: Callable[[], int] = _random_seed
    """All chance of a match follows from its seed."""

    @property
    def limits(self) -> Limits:
        """What bounds a match; people have a patience of their own."""
        return Limits(self.bot_ns, self.bank_ns, turns=MOST_TURNS)
