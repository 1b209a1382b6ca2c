"""Search: turns are tried by playing on from them, greedily for all seats.

1. A beam over sets of moves: the best few turns of one move, of two, and so on, by evaluation.
2. A race of the best of these, lap by lap. From each turn the match is played on for a round, and
   the better half of them goes on; then for another round, for two more, and so on: fewer and fewer
   turns, looked at further and further.
3. Heats of those that came far: they start again, with a little other chance each time. Who is best
   on average has won.

`Search.think` yields after each slice of work, and `Search.best` is the turn to play at any time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.games.atlantis.greedy import NO_MOVE_ANY_MORE
from agon.kernel import copy_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agon.games.atlantis.greedy import Planner
    from agon.games.atlantis.position import Turn
    from agon.kernel import IntArray, Record

WIDTH = 6  # turns that are kept at each step of the beam
RUNNERS = 24  # turns that start in the race
LAPS = (1, 1, 2, 4, 8)  # rounds to play on until the better half is chosen
FINALISTS = 6  # turns that run the heats
HEAT = 4  # rounds


@dataclass(slots=True)
class Runner:
    """A turn, how good it looks, and the position up to which the match was played on from it."""

    turn: Turn
    value: int
    state: Any = None
    total: int = 0
    """The values of all heats together."""


class Search:
    """The search for one turn."""

    def __init__(self, planner: Planner, state: Record, seat: int) -> None:
        """For the seat to move. The best turn is the pass until another one is found."""
        self.best: Turn = ()
        self._planner = planner
        self._state = state
        self._seat = seat
        self._players = int(planner.setup["players"])

    def think(self, depth: int) -> Iterator[object]:
        """Search: the beam, then so many laps and heats together."""
        self._planner.stir(0)
        found: dict[int, Runner] = {}
        yield from self._find_turns(found)
        if len(found) == 1:
            return
        runners = in_order(found.values())[:RUNNERS]
        finalists = runners[:FINALISTS]
        for rounds in LAPS[:depth]:
            yield from self._run_lap(runners, rounds)
            runners = in_order(runners)
            if len(runners) >= FINALISTS:
                finalists = runners[:FINALISTS]
            del runners[(len(runners) + 1) // 2 :]
        for heat in range(1, depth - len(LAPS) + 1):
            yield from self._run_heat(finalists, heat)

    # --- the beam ---

    def _find_turns(self, found: dict[int, Runner]) -> Iterator[object]:
        """Fill in turns by their values, for of those that come to the same one is enough."""
        beam = [Runner((), self._planner.begin(self._state))]
        best = beam[0].value
        found[best] = beam[0]
        while beam and beam[0].value == best:
            longer: dict[int, Runner] = {}
            for runner in beam:
                self._planner.begin(self._state, runner.turn)
                for moves, values in self._planner.rate(self._state, runner.turn):
                    longer |= {
                        value: Runner((*runner.turn, move), value)
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

    def _run_lap(self, runners: list[Runner], rounds: int) -> Iterator[object]:
        """Play on from all of them; the first is the one that was the best so far."""
        best = runners[0]
        for runner in runners:
            yield from self._run(runner, rounds)
            if runner.value > best.value or runner is runners[0]:
                best = runner
                self.best = runner.turn

    def _run_heat(self, runners: list[Runner], heat: int) -> Iterator[object]:
        """Play on from all of them, once more from the beginning."""
        self._planner.stir(heat)
        for runner in runners:
            runner.state = None
            yield from self._run(runner, HEAT)
        for runner in runners:
            runner.total += runner.value
        self.best = max(runners, key=lambda runner: runner.total).turn

    def _run(self, runner: Runner, rounds: int) -> Iterator[object]:
        """Play on for some rounds, and see how good it looks then."""
        planner = self._planner
        if runner.state is None:
            runner.state = copy_record(self._state, planner.ground.records.state)
            planner.play(runner.state, runner.turn)
        state = runner.state
        for _ in range(rounds * self._players):
            if state["over"]:
                break
            turn: Turn = ()
            if state["asked"]:
                turn = yield from planner.greedy_turn(state)
            planner.play(state, turn)
        runner.value = planner.value(state, self._seat)
        yield None  # also if there was nothing to play


def in_order(runners: Iterable[Runner]) -> list[Runner]:
    """The best first."""
    return sorted(runners, key=lambda runner: runner.value, reverse=True)


def best_moves(moves: IntArray, values: IntArray) -> list[tuple[int, int]]:
    """The values of the best few moves, and the moves."""
    order = values.argsort(kind="stable")[-WIDTH:]
    rated = zip(values[order].tolist(), moves[order].tolist(), strict=True)
    return [(value, move) for value, move in rated if value > NO_MOVE_ANY_MORE]
