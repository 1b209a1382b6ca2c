"""What a built-in bot is: something that chooses a turn within its budget."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agon.games.game import Position

TurnT = TypeVar("TurnT", covariant=True)


Thought: TypeAlias = "Callable[[int], Iterator[object]]"
"""Thinks to a depth, step by step."""


def no_time() -> int:
    """A clock that stands still, for budgets that know no time."""
    return 0


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: until a reading of the clock, to a depth, or both.

    The clock counts nanoseconds and is the caller's. A bot without a use for time ignores it, and
    one without a use for threads has one.
    """

    clock: Callable[[], int] = no_time
    deadline: int | None = None
    depth: int | None = None
    threads: int = 1

    def is_spent(self) -> bool:
        return self.deadline is not None and self.clock() >= self.deadline

    def depth_of(self, usual: int, most: int) -> int:
        """The depth that is asked for; else the usual one, or as deep as time allows."""
        if self.depth is not None:
            return min(self.depth, most)
        return usual if self.deadline is None else most

    def spend_on(
        self, think: Thought, usual: int, most: int, helpers: Sequence[Thought] = ()
    ) -> None:
        """Think to the depth there is, step by step, until the time is over.

        Helpers think as long, each in a thread of its own.
        """
        with helped_by(helpers, most):
            for _ in think(self.depth_of(usual, most)):
                if self.is_spent():
                    return


@contextmanager
def helped_by(helpers: Sequence[Thought], depth: int) -> Iterator[None]:
    """Have these think, in threads, until the block ends."""
    if not helpers:
        yield
        return
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    is_over = Event()

    def help_out(think: Thought) -> None:
        for _ in think(depth):
            if is_over.is_set():
                return

    with ThreadPoolExecutor(len(helpers)) as pool:
        helping = [pool.submit(help_out, think) for think in helpers]
        try:
            yield
        finally:
            is_over.set()
    for one in helping:
        one.result()


class Bot(Protocol[TurnT]):
    """A built-in player."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> TurnT:
        """A legal turn for the seat."""
        ...


BotMakers: TypeAlias = "Mapping[str, Callable[[int], Bot[Any]]]"
"""The built-in bots of a game: name to what makes one from a seed."""
