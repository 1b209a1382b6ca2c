"""The seats of a match: one interface for built-in bots, programs, people and scripts.

The arbiter asks a seat for a turn and then waits until `answer` is there. A seat that thinks in
this process has it at once; one behind a pipe or a socket names the file descriptors on which to
wait, and is called when one of them is ready.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, NamedTuple

from agon.errors import AgonError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.limits import Limits
    from agon.games.bot import Bot
    from agon.games.game import JsonObject, Outcome, Position
    from agon.match.result import Failure
    from agon.sandbox.core_times import CoreTimes


class Answer(NamedTuple):
    """A legal turn, or a failure."""

    turn: Any = None
    failure: Failure | None = None
    warnings: tuple[str, ...] = ()


class Seat(ABC):
    """A seat of a match, and the player in it."""

    name: str
    answer: Answer | None = None
    """What the seat says to the last question; None while it thinks."""
    is_live: bool = False
    """Whether it is to `watch` the turns of others."""
    keeps_time: bool = False
    """Whether the seat thinks in this process and looks after its time itself.

    The arbiter does not enforce its deadline, and asks it before seats whose clocks run meanwhile.
    """

    @property
    def can_pause(self) -> bool:
        """Whether there is something that could think while others are asked."""
        return False

    def core_times(self) -> CoreTimes:
        """How long the player ran and waited for a core, as far as the host counts that."""
        return {}

    def pause(self) -> None:
        """Stop thinking until the next question."""
        raise AgonError(f"{self.name} has nothing to pause")

    @abstractmethod
    def describe(self) -> JsonObject:
        """What the transcript says of this player."""

    @abstractmethod
    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        """A match begins between players of these names. A failure may be in `answer` at once."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether the seat has said all that it must before the first turn."""

    @abstractmethod
    def ask(self, position: Position[Any], deadline: int | None) -> None:
        """Ask for a turn, to be given before the clock reads `deadline`."""

    def watch(self, position: Position[Any]) -> None:
        """Others are asked now."""
        raise AgonError(f"{self.name} does not watch")

    @abstractmethod
    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        """Turns were played, the seat's own among them."""

    @abstractmethod
    def end(self, outcome: Outcome | None) -> None:
        """The match is over; the seat may be used for another."""

    @abstractmethod
    def close(self) -> None:
        """The seat is not asked again: free everything."""

    def waits_on(self) -> Sequence[tuple[int, int]]:
        """File descriptors and poll events on which an answer may come."""
        return ()

    def on_event(self, descriptor: int) -> None:
        """One of those is ready."""
        raise AgonError(f"{self.name} waits on nothing, yet {descriptor} is ready")

    def explain(self, failure: Failure) -> Failure:
        """All that can be said of a failure, now that no clock runs."""
        return failure

    def settle(self, allowed: str) -> bool:
        """Time is over: whether the turn counts all the same, as it stands in `answer` then.

        `allowed` is how long there was, for the bot's author.
        """
        return False

    def stop_waiting(self) -> str:
        """Time is over: what there is in place of an answer, as far as the seat can tell."""
        return ""


class BotSeat(Seat):
    """A built-in bot, in this process: it stops at its deadline, give or take a slice of work."""

    keeps_time = True

    def __init__(
        self, name: str, make_bot: Callable[[int], Bot[Any]], seed: int, clock: Callable[[], int]
    ) -> None:
        """The bot is made anew from the seed for every match."""
        self.name = name
        self._make_bot = make_bot
        self._seed = seed
        self._clock = clock

    def describe(self) -> JsonObject:
        return {"name": self.name, "kind": "built-in"}

    def begin(
        self, start: Position[Any], seat: int, limits: Limits, names: tuple[str, ...]
    ) -> None:
        self._bot = self._make_bot(self._seed)
        self._seat = seat
        self._limits = limits

    def is_ready(self) -> bool:
        return True

    def ask(self, position: Position[Any], deadline: int | None) -> None:
        budget = self._limits.budget(self._clock, deadline)
        self.answer = Answer(self._bot.choose(position, self._seat, budget))

    def tell(self, before: Position[Any], turns: Mapping[int, Any], after: Position[Any]) -> None:
        """A built-in bot looks at the position when it is asked."""

    def end(self, outcome: Outcome | None) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to free."""
