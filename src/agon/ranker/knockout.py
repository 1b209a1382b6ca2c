"""Knock-out: two meet, the better one goes on, until one is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.ranker.pairing import Fixture, PlayedResults, Schedule, check_positive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.ranker.result import Result

PLAY_OFFS = 8
"""After this many extra pairs without a decision, the better seed goes on."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A meeting in the bracket. None for a bot that is not known yet; a bye has one bot alone."""

    round: int
    bots: tuple[str | None, str | None]
    half_points: tuple[int, int]
    winner: str | None


class Knockout(Schedule):
    """A bracket for two seats. The order of the bots is their seeding, the best first.

    The first and the second seed can only meet in the final; if the number of bots is not a power
    of two, the best seeds have no opponent in the first round. A tie is a number of pairs, all of
    which are played; if the points are level, one more pair at a time, and at last the better seed
    goes on. A tie begins as soon as its bots are known, without waiting for the rest of its round.
    """

    def __init__(self, bots: Sequence[str], seed: int, seats: int = 2, pairs: int = 1) -> None:
        """`pairs`: how many pairs of games a tie has."""
        super().__init__(bots, seed, seats)
        if seats != 2:
            raise SettingError(f"knock-out with {seats} seats: expected two")
        self.pairs = check_positive("pairs", pairs)

    @property
    def total(self) -> int:
        """How many matches there are, if no tie needs a play-off."""
        return (len(self.bots) - 1) * self.pairs * 2

    def known(self, played: PlayedResults) -> list[Fixture]:
        """All games of all ties whose bots are known."""
        fixtures: list[Fixture] = []
        self._play(played, fixtures)
        return fixtures

    def bracket(self, results: Iterable[Result]) -> list[list[Tie]]:
        """All ties, round by round, as far as they are known."""
        return self._play(PlayedResults(results), [])

    def winner(self, results: Iterable[Result]) -> str | None:
        """The bot that won the final, once it has been played."""
        return self.bracket(results)[-1][0].winner

    def _play(self, played: PlayedResults, fixtures: list[Fixture]) -> list[list[Tie]]:
        """The bracket; the games of its ties are added to `fixtures`."""
        entrants = [self.bots[seed] if seed < len(self.bots) else None for seed in self._draw()]
        rounds: list[list[Tie]] = []
        number = 0
        while len(entrants) > 1:
            ties = []
            for one, two in zip(entrants[::2], entrants[1::2], strict=True):
                ties.append(self._tie(len(rounds) + 1, number, (one, two), played, fixtures))
                number += 1
            rounds.append(ties)
            entrants = [tie.winner for tie in ties]
        return rounds

    def _draw(self) -> list[int]:
        """The seeds in the order of the bracket.

        For eight: 0 7 3 4 1 6 2 5. Each doubling gives every seed the weakest one as its opponent.
        """
        draw = [0]
        while len(draw) < len(self.bots):
            size = 2 * len(draw)
            draw = [seed for one in draw for seed in (one, size - 1 - one)]
        return draw

    def _tie(
        self,
        round_number: int,
        number: int,
        bots: tuple[str | None, str | None],
        played: PlayedResults,
        fixtures: list[Fixture],
    ) -> Tie:
        one, two = bots
        if one is None or two is None:
            bye = one or two if round_number == 1 else None
            return Tie(round_number, bots, (0, 0), bye)
        games: list[Fixture] = []
        first_set = number * (self.pairs + PLAY_OFFS)
        for extra in range(self.pairs + PLAY_OFFS):
            games += self.set_of_games(round_number, first_set + extra, (one, two))
            if extra + 1 < self.pairs:
                continue
            points = played.half_points(games)
            if not played.all(games) or points[one] != points[two]:
                break
        fixtures += games
        half_points = played.half_points(games)
        level = (half_points.get(one, 0), half_points.get(two, 0))
        winner = None
        if played.all(games):
            better_seed = min(one, two, key=self.bots.index)
            winner = better_seed if level[0] == level[1] else (one if level[0] > level[1] else two)
        return Tie(round_number, bots, level, winner)
