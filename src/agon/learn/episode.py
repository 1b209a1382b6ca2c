"""One match, decision by decision: for interfaces that know one match at a time."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError
from agon.kernel import as_int
from agon.learn.checks import illegal_action, legal_action, whole_number, whole_seed
from agon.learn.cores import CoreStepper
from agon.learn.stepping import write_masks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.learning import Learning
    from agon.kernel import IntArray

NO_LIMIT = -1


class Episode:
    """A match of a game, from its start to its end."""

    def __init__(self, learning: Learning, seed: int) -> None:
        self._adopt(learning, CoreStepper(learning, 1, {}, threads=1))
        self.begin(seed)

    def _adopt(self, learning: Learning, stepper: CoreStepper) -> None:
        self.learning, self._action_count = learning, learning.action_count
        self._stepper, self._arrays = stepper, stepper.arrays
        self._to_act = self._arrays.to_act[0]
        self._chosen = np.zeros((1, self.learning.at_once), np.int64)
        self._masks = np.zeros((1, self.learning.at_once, self._action_count), np.int8)
        self._step = stepper.step_of_one(NO_LIMIT, self._chosen, self._masks)

    def begin(self, seed: int) -> None:
        """A new match."""
        self._stepper.begin(whole_seed(seed))
        self._look()

    def _look(self) -> None:
        write_masks(self._arrays, self._masks, as_int(0))
        self._find_seats()

    def _find_seats(self) -> None:
        self.to_act: tuple[int, ...] = tuple([seat for seat in self._to_act.tolist() if seat >= 0])
        """The seats that decide now; none when the match is over."""

    @property
    def is_over(self) -> bool:
        return not self.to_act

    @property
    def rewards(self) -> Sequence[float]:
        """Of each seat: 0, and at the end from -1, behind all others, to 1, before them."""
        found: list[float] = self._arrays.rewards[0].tolist()
        return found

    def legal_actions(self, seat: int) -> IntArray:
        """What a seat may do now; nothing if it does not decide."""
        if seat not in self.to_act:
            return NO_ACTIONS
        place = self._place(seat)
        found: IntArray = self._arrays.actions[0, place, : self._arrays.counts[0, place]]
        return found

    def play(self, actions: Mapping[int, Any]) -> None:
        """Play an action of each seat that decides."""
        if tuple(sorted(actions)) != self.to_act:
            expected = ", ".join(map(str, self.to_act)) or "none: the match is over"
            raise IllegalMoveError(
                f"actions of seats {sorted(actions)}: the seats to act are {expected}"
            )
        for seat, action in actions.items():
            try:
                self._chosen[0, self._place(seat)] = operator.index(action)
            except (TypeError, OverflowError):
                raise illegal_action(seat, action, self.legal_actions(seat)) from None
        wrong = self._step()
        if wrong >= 0:
            seat = int(self._arrays.to_act[0, wrong])
            raise illegal_action(seat, actions[seat], self.legal_actions(seat))
        self._find_seats()

    def check(self, seat: int, action: Any) -> None:
        """Refuse what a seat to act may not do."""
        legal_action(seat, action, self.legal_actions(seat))

    def _place(self, seat: int) -> int:
        """Where the arrays have what is told of a seat to act."""
        return 0 if self.learning.at_once == 1 else seat

    def observe(self, seat: int) -> IntArray:
        """What a seat knows, as a new row of numbers."""
        if seat in self.to_act:
            row: IntArray = self._arrays.observations[0, self._place(seat)].copy()
            return row
        row = np.empty(self.learning.observation_size, self.learning.observed)
        self._stepper.encode(0, seat, row)
        return row

    def mask(self, seat: int) -> IntArray:
        """1 for each action that the seat may take now, 0 for the others."""
        if seat not in self.to_act:
            return np.zeros(self._action_count, np.int8)
        mask: IntArray = self._masks[0, self._place(seat)].copy()
        return mask

    def copy(self) -> Episode:
        """The same moment, to play on from."""
        return _make_anew(self.learning, self._stepper.copy())

    def __deepcopy__(self, memo: object) -> Episode:
        return self.copy()

    def __reduce__(self) -> Any:
        return _make_anew, (self.learning, self._stepper)

    def redeal(self, seat: int, seed: int) -> None:
        """Replace what the seat cannot know by what it might be, too."""
        seat = whole_number("seat", seat, 0, self.learning.seats - 1)
        self._stepper.redeal(np.array([seat], np.int64), whole_seed(seed))
        if not self.is_over:
            self._stepper.look()
            self._look()

    def state_bytes(self) -> bytes:
        """All that there is to know of the match."""
        return bytes(np.asarray(self._stepper.states).tobytes())


def _make_anew(learning: Learning, stepper: CoreStepper) -> Episode:
    made = object.__new__(Episode)
    made._adopt(learning, stepper)
    made._look()
    return made


NO_ACTIONS: IntArray = np.zeros(0, np.int16)
"""Of a seat that does not decide."""
