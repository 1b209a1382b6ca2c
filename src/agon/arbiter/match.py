"""Play one match between built-in bots.

Nothing here prints or looks at a clock of its own: the clock and the spectator are passed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.games.bot import Budget, no_time
from agon.games.game import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.bot import Bot
    from agon.games.game import Position


@dataclass(frozen=True, slots=True)
class Limits:
    """What bounds a match: the time per turn, the depth of search, the number of turns."""

    turn_ns: int | None = None
    depth: int | None = None
    turns: int | None = None

    def budget(self, clock: Callable[[], int]) -> Budget:
        """What a bot may spend on the turn that begins now."""
        deadline = None if self.turn_ns is None else clock() + self.turn_ns
        return Budget(clock, deadline, self.depth)


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played: all its positions, and how long each seat thought in all."""

    positions: tuple[Position[Any], ...]
    outcome: Outcome
    thought_ns: tuple[int, ...]
    slowest_ns: tuple[int, ...]

    @property
    def turns(self) -> int:
        """How many times turns were played."""
        return len(self.positions) - 1


def play_match(
    start: Position[Any],
    bots: Sequence[Bot[Any]],
    limits: Limits,
    clock: Callable[[], int] = no_time,
    on_position: Callable[[Position[Any]], None] = lambda position: None,
) -> Match:
    """Let the bots play from this position to the end, or to the turn limit: then nobody wins."""
    positions = [start]
    thought = [0] * len(bots)
    slowest = [0] * len(bots)
    on_position(start)
    while positions[-1].to_act and (limits.turns is None or len(positions) <= limits.turns):
        turns = {}
        for seat in positions[-1].to_act:
            begin = clock()
            turns[seat] = bots[seat].choose(positions[-1], seat, limits.budget(clock))
            took = clock() - begin
            thought[seat] += took
            slowest[seat] = max(slowest[seat], took)
        positions.append(positions[-1].play(turns))
        on_position(positions[-1])
    outcome = positions[-1].outcome or Outcome((0,) * len(bots), "turn limit")
    return Match(tuple(positions), outcome, tuple(thought), tuple(slowest))
