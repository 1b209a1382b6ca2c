"""Several matches of the same bots, who take turns at the seats, and what came out of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agon.arbiter.match import Limits, Match, play_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Game, Options, Position


@dataclass(frozen=True, slots=True)
class Series:
    """Bots by name, and how they meet: the same seed once for every way round the table."""

    game: Game
    options: Options
    bots: tuple[str, ...]
    limits: Limits
    seed: int

    def seating(self, number: int) -> tuple[int, ...]:
        """Which bot has each seat in the match of that number."""
        seats = len(self.bots)
        return tuple((seat + number) % seats for seat in range(seats))

    def seed_of(self, number: int) -> int:
        """The seed of the match of that number."""
        return self.seed + number // len(self.bots)

    def names(self, number: int) -> tuple[str, ...]:
        """The bots by seat in the match of that number."""
        return tuple(self.bots[bot] for bot in self.seating(number))

    def play(
        self,
        number: int,
        clock: Callable[[], int],
        on_position: Callable[[Position[Any]], None] = lambda position: None,
    ) -> Match:
        """Play the match of that number, with bots that know nothing of the others."""
        seed, seats = self.seed_of(number), len(self.bots)
        players = [
            self.game.bot(self.bots[bot], seed * seats + bot) for bot in self.seating(number)
        ]
        start = self.game.start(self.options, seed)
        return play_match(start, players, self.limits, clock, on_position)


@dataclass(slots=True)
class Score:
    """What the bots have got so far, in the order in which the series names them."""

    wins: list[int]
    thought_ns: list[int]
    slowest_ns: list[int]
    shared: int = 0
    matches: list[Match] = field(default_factory=list)

    @classmethod
    def zero(cls, bots: int) -> Score:
        """Nothing played yet."""
        return cls([0] * bots, [0] * bots, [0] * bots)

    def add(self, match: Match, seating: tuple[int, ...]) -> None:
        """Count a match in which the bot `seating[seat]` had each seat."""
        winner = match.outcome.winner
        if winner is None:
            self.shared += 1
        else:
            self.wins[seating[winner]] += 1
        for seat, bot in enumerate(seating):
            self.thought_ns[bot] += match.thought_ns[seat]
            self.slowest_ns[bot] = max(self.slowest_ns[bot], match.slowest_ns[seat])
        self.matches.append(match)
