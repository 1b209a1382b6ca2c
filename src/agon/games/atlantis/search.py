"""Search: turns are tried by playing on from them, by quick turns of all seats.

1. A beam over sets of moves: the best few turns of one move, of two, and so on, by evaluation.
2. A race of the best of these, lap by lap. From each turn the match is played on for a few rounds,
   and the better half of them goes on: fewer and fewer turns, looked at further and further.
3. To those that came far the next seat finds a good reply, by a small search of its own.
4. Heats: they start again behind that reply, with a little other chance each time.

After each round it is looked at who is ahead; what counts is all rounds of all heats together.
A great lead counts little more than a good one: one line that ends in triumph is no reason for a
turn that other lines refute.

`Search.think` yields after each slice of work, and `Search.best` is the turn to play at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.games.atlantis.rating import NO_MOVE_ANY_MORE
from agon.kernel import copy_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agon.games.atlantis.greedy import Planner
    from agon.games.atlantis.position import Turn
    from agon.kernel import IntArray, Record

WIDTH = 6  # turns that are kept at each step of the beam
RUNNERS = 24  # turns that start in the race
LAPS, LAP = 3, 2  # how many, and how many rounds each
FINALISTS = 4  # turns that run the heats
REPLIES = 6  # to each of them that are tried
HEAT = 6  # rounds
GOOD_LEAD = 1000  # points: half of what a lead can count
MOST = 1 << 30  # what a lead can count


@dataclass(slots=True)
class Candidate:
    """A turn that the beam found, and how good it looks right after it."""

    turn: Turn
    value: int


@dataclass(slots=True)
class Runner:
    """A turn in the race, the position after it, and that up to which the match was played on."""

    turn: Turn
    start: Any
    now: Any
    rounds: int = 0
    total: int = 0
    """The leads after all rounds of all heats together."""


class Search:
    """The search for one turn."""

    def __init__(self, planner: Planner, state: Record, seat: int, starters: int = RUNNERS) -> None:
        """For the seat to move. The best turn is the pass until another one is found."""
        self.best: Turn = ()
        self._starters = starters
        self._planner = planner
        self._state = state
        self._seat = seat
        self._players = int(planner.setup["players"])

    def think(self, depth: int) -> Iterator[object]:
        """Search: the beam, then so many laps and heats together."""
        self._planner.stir(0)
        found: dict[int, Candidate] = {}
        yield from self._find_turns(found)
        if depth == 0 or len(found) == 1:
            return
        runners = self._line_up(in_order(found.values()))
        for _ in range(min(depth, LAPS)):
            yield from self._run_lap(runners)
            runners.sort(key=total_of, reverse=True)
            del runners[max(len(runners) // 2, FINALISTS) :]
        del runners[FINALISTS:]
        if depth > LAPS and len(runners) > 1:
            for runner in runners:
                yield from self._answer(runner)
        for heat in range(1, depth - LAPS + 1 if len(runners) > 1 else 0):
            yield from self._run_heat(runners, heat)

    # --- the beam ---

    def _find_turns(self, found: dict[int, Candidate]) -> Iterator[object]:
        """Fill in turns by their values, for of those that come to the same one is enough."""
        beam = [Candidate((), self._planner.begin(self._state))]
        best = beam[0].value
        found[best] = beam[0]
        while beam and beam[0].value == best:
            longer: dict[int, Candidate] = {}
            for candidate in beam:
                self._planner.begin(self._state, candidate.turn)
                for moves, values in self._planner.rate(self._state, candidate.turn):
                    longer |= {
                        value: Candidate((*candidate.turn, move), value)
                        for value, move in best_moves(moves, values)
                        if value not in found
                    }
                    if longer and max(longer) > best:
                        best = max(longer)
                        self.best = longer[best].turn
                    yield None
            found |= longer
            beam = in_order(longer.values())[:WIDTH]

    # --- the race ---

    def _line_up(self, found: Iterable[Candidate]) -> list[Runner]:
        """Those that start: the best that come to different positions."""
        runners: dict[bytes, Runner] = {}
        for candidate in found:
            start = self._copy(self._state)
            self._planner.play(start, candidate.turn)
            runners.setdefault(
                start.tobytes(), Runner(candidate.turn, start, now=self._copy(start))
            )
            if len(runners) == self._starters:
                break
        return list(runners.values())

    def _run_lap(self, runners: list[Runner]) -> Iterator[object]:
        """Play on from all of them; the first is the one that was the best so far."""
        best = runners[0]
        for runner in runners:
            yield from self._run(runner, LAP)
            if runner is runners[0] or runner.total > best.total:
                best = runner
                self.best = runner.turn

    def _run_heat(self, runners: list[Runner], heat: int) -> Iterator[object]:
        """Play on from all of them, once more from the beginning."""
        self._planner.stir(heat)
        for runner in runners:
            runner.now, runner.rounds = self._copy(runner.start), 0
            yield from self._run(runner, HEAT)
        self.best = max(runners, key=total_of).turn

    def _answer(self, runner: Runner) -> Iterator[object]:
        """Let the next seat reply: the heats begin after it."""
        if runner.start["asked"]:
            search = Search(self._planner, runner.start, int(runner.start["seat"]), REPLIES)
            yield from search.think(1)
            self._planner.play(runner.start, search.best)
        runner.total = 0

    def _run(self, runner: Runner, rounds: int) -> Iterator[object]:
        """Play on for some rounds, and see who is ahead after each."""
        for _ in range(rounds):
            runner.rounds += 1
            until = int(self._state["turn"]) + runner.rounds * self._players
            while self._planner.play_on(runner.now, until):
                yield None
            runner.total += lead(self._planner.value(runner.now, self._seat))
            yield None

    def _copy(self, state: Record) -> Record:
        return copy_record(state, self._planner.ground.records.state)


def lead(value: int) -> int:
    """What a value counts: a part of MOST, and never all of it."""
    return value * MOST // (abs(value) + GOOD_LEAD)


def total_of(runner: Runner) -> int:
    return runner.total


def in_order(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The best first."""
    return sorted(candidates, key=lambda candidate: candidate.value, reverse=True)


def best_moves(moves: IntArray, values: IntArray) -> list[tuple[int, int]]:
    """The values of the best few moves, and the moves."""
    order = values.argsort(kind="stable")[-WIDTH:]
    rated = zip(values[order].tolist(), moves[order].tolist(), strict=True)
    return [(value, move) for value, move in rated if value > NO_MOVE_ANY_MORE]
