"""What readers of a replay know: the things in the picture, and what became of others like them.

From that it foresees the next picture, and `reels.py` tells only what comes otherwise. Whatever is
changed here has to be changed in `static/reel.js`, which foresees the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from agon.website.replay.moulds import Mould

Speeds: TypeAlias = "dict[str, list[int]]"
"""By how much each number rises, in the steps of a stage."""


@dataclass(eq=False, slots=True)
class Memory:
    """What is known of the things that came from a mould."""

    numbers: list[int] | None = None
    """Those of the last one, when it came."""
    turn: int = 0
    """When that was."""
    speeds: Speeds = field(default_factory=dict)
    oldest: int = 0
    """The number of steps after which the oldest was gone."""
    last: Cast | None = None
    """The last one that came."""


@dataclass(eq=False, slots=True)
class Cast:
    """A thing in the picture."""

    id: str
    mould: Mould
    numbers: list[int]
    speeds: Speeds
    born: int
    """The step in which it came."""
    kind: Memory
    """That of the mould from which it came first."""
    is_spared: bool = False
    """It has outlived the others, and nobody knows for how long."""
    is_gone: bool = False

    def move(self, stage: str) -> None:
        """Change as it did in this stage before."""
        speeds = self.speeds.get(stage)
        if speeds:
            self.numbers = [one + more for one, more in zip(self.numbers, speeds, strict=True)]

    def steer(self, stage: str, number: int, more: int) -> None:
        """From now on this number rises by so much more."""
        speeds = list(self.speeds.get(stage) or [0] * len(self.numbers))
        speeds[number] += more
        self.speeds = self.speeds | {stage: speeds}


class Memories:
    """What is known of all moulds."""

    def __init__(self) -> None:
        """Nothing."""
        self._by_mould: dict[int, Memory] = {}
        self._paces: dict[object, list[bool]] = {}
        self._by_length: dict[int, tuple[list[int], int]] = {}

    def of(self, mould: Mould) -> Memory:
        """What is known of this one."""
        return self._by_mould.setdefault(mould.number, Memory())

    def expect(self, mould: Mould, turn: int) -> list[int]:
        """The numbers of the next thing: those of the last one, or of any with as many numbers.

        Where the numbers of an id count turns, they go on.
        """
        memory, length = self.of(mould), len(mould.own)
        numbers, then = [0] * length, turn
        if memory.numbers is not None:
            numbers, then = list(memory.numbers), memory.turn
        elif length in self._by_length:
            numbers, then = list(self._by_length[length][0]), self._by_length[length][1]
        for number, goes_on in enumerate(self._paces.get(mould.skeleton.id, ())):
            numbers[number] += (turn - then) * goes_on
        return numbers

    def learn(self, mould: Mould, numbers: list[int], turn: int) -> None:
        """A thing with these numbers has come from the mould."""
        memory = self.of(mould)
        if memory.numbers is not None and turn > memory.turn:
            passed = turn - memory.turn
            ids = range(mould.place[0])
            paces = [numbers[one] - memory.numbers[one] == passed for one in ids]
            self._paces[mould.skeleton.id] = paces
        memory.numbers, memory.turn = list(numbers), turn
        self._by_length[len(numbers)] = memory.numbers, turn
