"""Hive's rally: moves of the line protocol, played without a position for each."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.hive.board import STATE
from agon.games.hive.move import Move
from agon.games.hive.notation import CONTACTS, SLOTS_BY_NAME
from agon.games.hive.position import SCRATCH, HivePosition
from agon.games.hive.report import ON_TOP, report_state
from agon.games.hive.stroke import (
    LEFT_SHIFT,
    MOVE_SHIFT,
    PASS_LINE,
    REFERENCE_SHIFT,
    SIDE_SHIFT,
    play_line,
)
from agon.games.rally import Rally
from agon.kernel import new_array

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.game import Position
    from agon.kernel import IntArray

MOST_KEYS = 1024  # positions since the last placement; a rally ends before it has more
LINE_MASK = (1 << MOVE_SHIFT) - 1
MOVE_MASK = (1 << (LEFT_SHIFT - MOVE_SHIFT)) - 1


@functools.cache
def known_lines() -> tuple[dict[bytes, int], dict[int, tuple[str, bytes]]]:
    """All lines that there are, as they come; and each as text, without its end and with it."""
    told = {line: (text, f"{text}\n".encode()) for line, text in _all_lines()}
    return {wire: line for line, (_, wire) in told.items()}, told


def _all_lines() -> Iterator[tuple[int, str]]:
    yield PASS_LINE, "pass"
    for tile, slot in SLOTS_BY_NAME.items():
        for contact, direction in CONTACTS.items():
            side = ON_TOP if direction is None else direction
            for other, reference in SLOTS_BY_NAME.items():
                line = reference << REFERENCE_SHIFT | side << SIDE_SHIFT | slot
                yield line, f"{tile}{contact}{other}"


class HiveRally(Rally):
    """Two states that take turns, and what was played."""

    def __init__(self, position: Position[Any]) -> None:
        """From any position that is not the first."""
        self._start = start = HivePosition.of(position)
        self._states = new_array(STATE, 2)
        self._states[0] = start.copy_state()
        self._works = SCRATCH.works
        self._keys: IntArray = np.zeros(MOST_KEYS, np.uint64)
        recent = start.keys[1 - MOST_KEYS :]
        self._keys[: len(recent) + 1] = (len(recent), *recent)
        self._repetition = int(start.options.repetition)
        self._played: list[int] = []
        self._lines, self._told = known_lines()
        # compiled now, while nobody's time runs: `position` is called when somebody is asked
        report_state(self._states, self._works, SCRATCH.report)

    def play(self, line: bytes) -> tuple[str, bytes] | None:
        """A move as it is written, `pass` included."""
        known = self._lines.get(line)
        if known is None:
            return None
        played = self._played
        stroke = play_line(
            self._states, self._works, self._keys, len(played) & 1, known, self._repetition
        )
        if stroke < 0:
            return None
        played.append(stroke)
        return self._told[stroke & LINE_MASK]

    def position(self) -> HivePosition:
        """The start, and what was played since."""
        if not self._played:
            return self._start
        moves = [(Move(s >> MOVE_SHIFT & MOVE_MASK), s >> LEFT_SHIFT) for s in self._played]
        keys: list[int] = self._keys[1 : int(self._keys[0])].tolist()
        return self._start.after(moves, self._states[len(moves) & 1], tuple(keys))
