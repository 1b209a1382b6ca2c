"""What a built-in bot is: something that chooses a turn within its budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agon.games.game import Position

TurnT = TypeVar("TurnT", covariant=True)


def no_time() -> int:
    """A clock that stands still, for budgets that know no time."""
    return 0


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: until a reading of the clock, to a depth, or both.

    The clock counts nanoseconds and is the caller's; a bot without a use for time ignores it.
    """

    clock: Callable[[], int] = no_time
    deadline: int | None = None
    depth: int | None = None

    def is_spent(self) -> bool:
        return self.deadline is not None and self.clock() >= self.deadline

    def depth_of(self, usual: int, most: int) -> int:
        """The depth that is asked for; else the usual one, or as deep as time allows."""
        if self.depth is not None:
            return min(self.depth, most)
        return usual if self.deadline is None else most

    def spend_on(self, think: Callable[[int], Iterator[object]], usual: int, most: int) -> None:
        """Think to the depth there is, step by step, until the time is over."""
        for _ in think(self.depth_of(usual, most)):
            if self.is_spent():
                return


class Bot(Protocol[TurnT]):
    """A built-in player."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> TurnT:
        """A legal turn for the seat."""
        ...


BotMakers: TypeAlias = "Mapping[str, Callable[[int], Bot[Any]]]"
"""The built-in bots of a game: name to what makes one from a seed."""
