"""Swiss: every round, bots meet others with about as many points, and new ones if it can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, count
from random import Random
from typing import TYPE_CHECKING

from agon.ranker.matching import match_in_order
from agon.ranker.pairing import Fixture, PlayedResults, Schedule, check_positive

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Swiss(Schedule):
    """A fixed number of rounds; the next one is known when the one before it has been played.

    Two seats: from the top of the standings, each bot meets the nearest one that it has not met,
    such that all others can be paired without a rematch too. Only if no such round exists are
    rematches allowed, a second meeting before a third. If the number of bots is odd, the lowest of
    those that have sat out least often sits out.

    More seats: from the top, tables are filled with the nearest bots; to avoid one rematch, up to
    `seats` places in the standings are passed over. Those left over sit out.

    Standings: points, with a full score for sitting out; then the points of the opponents met;
    then a lot drawn from the seed. They only serve to pair: the ranking is the table's.
    """

    def __init__(
        self, bots: Sequence[str], seed: int, seats: int = 2, rounds: int = 5, sets: int = 1
    ) -> None:
        """`sets`: how many sets of games (pairs, for two seats) a table plays in a round."""
        super().__init__(bots, seed, seats)
        self.rounds = check_positive("rounds", rounds)
        self.sets = check_positive("sets", sets)

    @property
    def total(self) -> int:
        return self.rounds * self.sets * self.seats * (len(self.bots) // self.seats)

    def known(self, played: PlayedResults) -> list[Fixture]:
        """The rounds that have been played, and the next one."""
        standings = _Standings(self.bots, self.seats, self.sets, self.seed)
        fixtures: list[Fixture] = []
        for round_number in range(1, self.rounds + 1):
            tables = standings.tables()
            first = (round_number - 1) * len(tables) * self.sets
            games = [
                fixture
                for place, table in enumerate(tables)
                for extra in range(self.sets)
                for fixture in self.set_of_games(
                    round_number, first + place * self.sets + extra, table
                )
            ]
            fixtures += games
            if not played.all(games):
                break
            standings.add_round(tables, played.half_points(games))
        return fixtures


class _Standings:
    """Where the bots stand after some rounds, and who meets in the next one."""

    def __init__(self, bots: tuple[str, ...], seats: int, sets: int, seed: int) -> None:
        self.seats = seats
        self.full_score = 2 * sets * seats * (seats - 1)
        self.lots = list(bots)
        Random(seed).shuffle(self.lots)  # noqa: S311  not a secret
        self.half_points = Counter(dict.fromkeys(bots, 0))
        self.byes = Counter(dict.fromkeys(bots, 0))
        self.met: Counter[frozenset[str]] = Counter()

    def add_round(self, tables: Iterable[Sequence[str]], half_points: dict[str, int]) -> None:
        for table in tables:
            self.met.update(frozenset(pair) for pair in combinations(table, 2))
        for bot in self.lots:
            if bot in half_points:
                self.half_points[bot] += half_points[bot]
            else:
                self.byes[bot] += 1
                self.half_points[bot] += self.full_score

    def order(self) -> list[str]:
        """All bots from the first to the last."""
        opponents: Counter[str] = Counter()
        for pair, times in self.met.items():
            one, two = pair
            opponents[one] += times * self.half_points[two]
            opponents[two] += times * self.half_points[one]
        return sorted(self.lots, key=lambda bot: (-self.half_points[bot], -opponents[bot]))

    def tables(self) -> list[tuple[str, ...]]:
        """Who meets in the next round."""
        return self._pairs() if self.seats == 2 else self._larger_tables()

    def _pairs(self) -> list[tuple[str, ...]]:
        order = self.order()
        sitting_out: list[str | None] = [None]
        if len(order) % 2:
            fewest = min(self.byes.values())
            sitting_out = [bot for bot in reversed(order) if self.byes[bot] == fewest]
        for rematches in count():
            for out in sitting_out:
                bots = [bot for bot in order if bot != out]
                pairs = match_in_order(self._partners(bots, rematches))
                if pairs is not None:
                    return [(bots[one], bots[two]) for one, two in pairs]
        raise AssertionError  # pragma: no cover

    def _partners(self, bots: list[str], rematches: int) -> list[list[int]]:
        """For each bot, whom it may meet: those it has met least, then the nearest."""
        places = range(len(bots))
        times = [[self.met[frozenset((bots[one], bots[two]))] for two in places] for one in places]
        return [
            sorted(
                (two for two in places if two != one and times[one][two] <= rematches),
                key=lambda two, one=one: (times[one][two], abs(two - one)),  # type: ignore[misc]
            )
            for one in places
        ]

    def _larger_tables(self) -> list[tuple[str, ...]]:
        order = self.order()
        last_first = [*reversed(order)]
        out = sorted(last_first, key=lambda bot: self.byes[bot])[: len(order) % self.seats]
        waiting = [bot for bot in order if bot not in out]
        tables = []
        while waiting:
            table = [waiting.pop(0)]
            while len(table) < self.seats:
                table.append(waiting.pop(self._best_place(table, waiting)))
            tables.append(tuple(table))
        return tables

    def _best_place(self, table: list[str], waiting: list[str]) -> int:
        def cost(place: int) -> int:
            meetings = sum(self.met[frozenset((waiting[place], bot))] for bot in table)
            return place + self.seats * meetings

        return min(range(len(waiting)), key=cost)
