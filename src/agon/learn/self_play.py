"""What is played in a `BatchEnv` as results of matches.

    recorder = MatchRecorder(BatchEnv("mebipenny", 256), ["mine"] * 2)
    results = recorder.step(actions)        # of the matches that this step has ended

Their transcripts replay, verify and export as all others do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import SettingError
from agon.kernel import u64
from agon.learn.stepping import CUT_OFF, GOES_ON, seed_of
from agon.match.match import Match

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.kernel import IntArray
    from agon.learn.batch import BatchEnv
    from agon.match.result import MatchResult


class MatchRecorder:
    """Steps a batch, from new matches on, and keeps what is decided in those under way."""

    def __init__(self, env: BatchEnv, names: Sequence[str] | None = None) -> None:
        """`names`: of the players by seat."""
        seats = env.learning.seats
        self._env, self._names = env, list(names or ["self-play"] * seats)
        if len(self._names) != seats:
            raise SettingError(f"{len(self._names)} names: expected one for each of {seats} seats")
        env.reset()
        self._decided: list[list[tuple[int, int]]] = [[] for _ in range(env.matches)]
        self._ended = [0] * env.matches

    def step(self, actions: Any) -> list[MatchResult]:
        """Play an action in every match; the results of those that end by it."""
        shape = self._env.matches, self._env.learning.at_once
        seats, chosen = (on_host(one).reshape(shape) for one in (self._env.to_act, actions))
        self._env.step(actions)
        for i, place in np.argwhere(seats >= 0).tolist():
            self._decided[i].append((int(seats[i, place]), int(chosen[i, place])))
        ends = on_host(self._env.ends)
        return [self._finish(i, ends[i]) for i in np.flatnonzero(ends != GOES_ON).tolist()]

    def _finish(self, i: int, ending: int) -> MatchResult:
        """The match that was decided under this number; half a turn at its end is left out."""
        learning = self._env.learning
        seed = int(seed_of(u64(self._env.seed), i, self._ended[i]))
        seed -= 2**64 * (seed >= 2**63)  # the same chance, and it fits a column with a sign
        match = Match.start(self._env.game, self._names, learning.options, seed)
        taken: dict[int, list[int]] = {}
        for seat, action in self._decided[i]:
            actions = taken.setdefault(seat, [])
            actions.append(action)
            turn = learning.turn_of(match.position, seat, actions)
            if turn is not None:
                match.submit(seat, turn)
                del taken[seat]
                for _ in match.changes():
                    pass
        if ending == CUT_OFF:
            match.stop()
        self._decided[i] = []
        self._ended[i] += 1
        return match.result()


def on_host(array: Any) -> IntArray:
    """An array of a GPU or of this machine, as NumPy has it."""
    if hasattr(array, "__cuda_array_interface__"):
        from agon.learn.device_array import DeviceArray

        array = DeviceArray.of(array).copy_to_host()
    return np.array(array)
