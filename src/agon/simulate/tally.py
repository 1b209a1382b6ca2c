"""What came out of a simulation: counted batch by batch, so that millions of games fit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import Any

    from agon.games.simulation import Simulation
    from agon.kernel import IntArray


def game_seeds(seed: int, first: int, count: int) -> IntArray:
    """The seeds of the games from number `first` on; a game's seed depends only on its number.

    >>> game_seeds(7, 2, 1)[0] == game_seeds(7, 0, 5)[2]
    np.True_
    """
    with np.errstate(over="ignore"):
        spread = np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        return spread + np.arange(first, first + count, dtype=np.uint64) + np.uint64(1)


@dataclass(slots=True)
class Tally:
    """Results per seat, lengths, and on demand a checksum over all final records."""

    seats: int
    games: int = 0
    plies: int = 0
    shortest: int = 0
    longest: int = 0
    unfinished: int = 0
    shared: int = 0
    """Games in which no seat alone did best: draws."""
    wins: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)
    _digest: Any = field(default=None, repr=False)

    @classmethod
    def for_simulation(cls, simulation: Simulation, checksum: bool) -> Tally:
        seats = simulation.seats
        digest = hashlib.blake2b(digest_size=16) if checksum else None
        return cls(seats, wins=[0] * seats, points=[0] * seats, _digest=digest)

    def add(self, simulation: Simulation, states: IntArray, plies: IntArray) -> None:
        """Count a batch of final states; batches come in the order of their games."""
        scores = simulation.score_games(states)
        over = scores[:, 0] >= 0
        scores = scores[over]
        best = scores == scores.max(axis=1, keepdims=True, initial=0)
        alone = best.sum(axis=1) == 1
        for seat in range(self.seats):
            self.wins[seat] += int((best[:, seat] & alone).sum())
            self.points[seat] += int(scores[:, seat].sum())
        self.shared += int((~alone).sum())
        self.unfinished += int((~over).sum())
        self.shortest = min(self.shortest, int(plies.min())) if self.games else int(plies.min())
        self.longest = max(self.longest, int(plies.max()))
        self.games += len(plies)
        self.plies += int(plies.sum())
        if self._digest is not None:
            self._digest.update(states.tobytes())

    @property
    def checksum(self) -> str | None:
        """A digest of every byte of every final record, in the order of the games."""
        return None if self._digest is None else str(self._digest.hexdigest())
