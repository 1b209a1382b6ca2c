"""How long people and bots may think, and how many may play at once."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.limits import Limits
from agon.match.match import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.match.transcript import Transcript

SECOND = 10**9
MINUTE = 60 * SECOND
SEED_BITS = 32


def _random_seed() -> int:
    return secrets.randbits(SEED_BITS)


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """What the site's operator may choose; all times are whole nanoseconds."""

    bot_ns: int = SECOND
    """A bot's time per turn."""
    bank_ns: int = 5 * SECOND
    """What a program may take in addition, once for a whole match."""
    patience_ns: int = 30 * MINUTE
    """A person who sends no turn for this time is out."""
    tables: int = 64
    """Matches that wait for players or are played."""
    own: int = 8
    """Of these, with one person in them."""
    ended: int = 100
    """Matches that are over and can still be looked at, and asked for a rematch."""
    wait_ns: int = 60 * MINUTE
    """How long a free seat is kept."""
    turns: int = 2000
    """Turns after which a match ends without a winner."""
    new_seed: Callable[[], int] = _random_seed
    """All chance of a match follows from its seed."""

    @property
    def limits(self) -> Limits:
        """What bounds a match; people have a patience of their own."""
        return Limits(self.bot_ns, self.bank_ns, turns=self.turns)

    def new_match(self, setup: Transcript) -> Match:
        """A match with these limits, which goes on after the events of the transcript."""
        limits = self.limits
        return Match(setup, limits.time_control, limits.turns)
