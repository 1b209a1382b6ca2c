"""What came out of a simulation: counted batch by batch, so that millions of games fit."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
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


BLOCK = 1024
"""Games that have a digest of their own in a checksum: other machines can make it."""
DIGEST_BYTES = 16


@dataclass(slots=True)
class Checksum:
    """A digest over the digests of blocks of final records: games 0 to 1023, 1024 to 2047, …"""

    digests: bytearray = field(default_factory=bytearray, repr=False)
    _records: bytearray = field(default_factory=bytearray, repr=False)
    """Of the block under way."""
    _count: int = 0

    def add(self, states: IntArray) -> None:
        """Add final records in the order of their games."""
        while len(states):
            part = states[: BLOCK - self._count]
            self._records += part.tobytes()
            self._count += len(part)
            states = states[len(part) :]
            if self._count == BLOCK:
                self.digests += _digest(self._records)
                self._records, self._count = bytearray(), 0

    def join(self, other: Checksum) -> None:
        """Add the games of another one, which begin where this one's blocks end."""
        if self._count:
            raise ValueError(f"{self._count} games of a block of {BLOCK}: expected whole blocks")
        self.digests += other.digests
        self._records, self._count = other._records, other._count

    @property
    def hex(self) -> str:
        last = _digest(self._records) if self._count else b""
        return _digest(self.digests + last).hex()


def _digest(data: bytearray) -> bytes:
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


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
    _digest: Checksum | None = field(default=None, repr=False)

    @classmethod
    def for_simulation(cls, simulation: Simulation, checksum: bool) -> Tally:
        return cls.of_seats(simulation.seats, checksum)

    @classmethod
    def of_seats(cls, seats: int, checksum: bool) -> Tally:
        digest = Checksum() if checksum else None
        return cls(seats, wins=[0] * seats, points=[0] * seats, _digest=digest)

    def add(self, scores: IntArray, plies: IntArray, states: IntArray) -> None:
        """Count a batch of games, as `score_games` has them; batches come in their order.

        Without a checksum their final states do not matter.
        """
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
            self._digest.add(states)

    def join(self, other: Tally) -> None:
        """Count another tally's games, too: those that follow on this one's whole blocks."""
        lengths = [one.shortest for one in (self, other) if one.games]
        self.shortest, self.longest = min(lengths, default=0), max(self.longest, other.longest)
        self.games += other.games
        self.plies += other.plies
        self.unfinished += other.unfinished
        self.shared += other.shared
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.points = [a + b for a, b in zip(self.points, other.points, strict=True)]
        if self._digest is not None and other._digest is not None:
            self._digest.join(other._digest)

    @property
    def checksum(self) -> str | None:
        """A digest of every byte of every final record, in the order of the games."""
        return None if self._digest is None else self._digest.hex
