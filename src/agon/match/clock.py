"""The time of one seat, in whole nanoseconds. The driver of a match measures; this only counts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think."""

    turn_ns: int | None = None
    """For each turn; None: without a limit."""
    bank_ns: int = 0
    """In addition, once for the whole match."""
    first_ns: int = 0
    """In addition for the first turn: a program may still be loading."""


@dataclass(slots=True)
class SeatClock:
    """What a seat has used of its time."""

    control: TimeControl
    bank: int
    thought: int = 0
    slowest: int = 0
    is_first: bool = True

    @classmethod
    def full(cls, control: TimeControl) -> SeatClock:
        return cls(control, control.bank_ns)

    @property
    def free_ns(self) -> int | None:
        """Time for the next turn that is not taken from the bank."""
        control = self.control
        if control.turn_ns is None or not self.is_first:
            return control.turn_ns
        return control.turn_ns + control.first_ns

    @property
    def allowed_ns(self) -> int | None:
        """All the time that there is for the next turn; None: without a limit."""
        control = self.control
        if control.turn_ns is None:
            return None
        return control.turn_ns + self.bank + (control.first_ns if self.is_first else 0)

    def charge(self, elapsed_ns: int) -> None:
        """A turn took this time; what exceeds the free time is taken from the bank."""
        self.thought += elapsed_ns
        if elapsed_ns > self.slowest:
            self.slowest = elapsed_ns
        if self.bank and (free := self.free_ns) is not None and elapsed_ns > free:
            self.bank -= min(self.bank, elapsed_ns - free)
        self.is_first = False
