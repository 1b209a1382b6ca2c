"""Many matches of a game as arrays, stepped together on cores or on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError, SettingError
from agon.games.registry import find_game
from agon.learn.arrays import MASKS
from agon.learn.checks import LISTED, illegal_action, match_limit, whole_number, whole_seed
from agon.learn.cores import CoreStepper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Game, Options

MOST_MATCHES = 1 << 24
LIMIT = 10_000


class BatchEnv:
    """So many matches of one game, each of which is followed by another when it is over.

    After `step` the arrays say, for each match, who decides now, what they know and may do, and
    whether the step has ended a match. Where one seat decides at a time, arrays have no axis for
    seats. On a GPU they are device memory. They are made once, and written again by every step.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        device: str = "cpu",
        *,
        options: Options | None = None,
        seed: int = 0,
        limit: int = LIMIT,
        threads: int = 1,
        masks: bool = False,
        arrays: Mapping[str, Any] | None = None,
    ) -> None:
        """`limit`: of decisions, after which a match is cut off. `arrays`: the caller's own.

        With `masks`, or where `arrays` has one of that name, `masks` is written, too.
        """
        self.game = find_game(game)
        self.matches = whole_number("n", n, 1, MOST_MATCHES)
        self._limit = match_limit(limit)
        self._threads = min(whole_number("threads", threads, 1, 1024), self.matches)
        self._masks = masks
        self.seed = whole_seed(seed)
        self.device = str(device)
        self.learning = self.game.learning(options)
        self._stepper = self._make_stepper(arrays or {})
        self.reset()

    def _make_stepper(self, arrays: Mapping[str, Any]) -> Any:
        if self.device == "cpu":
            return CoreStepper(self.learning, self.matches, arrays, self._threads, self._masks)
        if self.device == "cuda":
            from agon.learn.cuda import GpuStepper

            return GpuStepper(self.learning, self.matches, arrays, self._masks)
        raise SettingError(f"device {self.device!r}: expected cpu or cuda")

    def copy(self) -> BatchEnv:
        """The same matches at the same moment, with arrays of their own: for looking ahead."""
        other = object.__new__(BatchEnv)
        vars(other).update(vars(self))
        other._stepper = other._make_stepper({})
        other.restore(self)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> BatchEnv:
        return self.copy()

    def restore(self, other: BatchEnv) -> None:
        """Go to the moment at which another batch of the same kind is."""
        for name in ("learning", "matches", "device"):
            if getattr(self, name) != getattr(other, name):
                raise SettingError(f"a batch with another {name}: expected a copy of this one")
        self.seed = other.seed
        self._stepper.restore(other._stepper.states, other._stepper.arrays)
        self._write_masks()

    def look(self) -> None:
        """Write the arrays anew, after the caller has changed `states`."""
        self._stepper.look()
        self._write_masks()

    def reset(self, seed: int | None = None) -> None:
        """Begin all matches anew: those of this seed, or without one the same as before."""
        if seed is not None:
            self.seed = whole_seed(seed)
        self._stepper.begin(self.seed)
        self._write_masks()

    def step(self, actions: Any) -> None:
        """Play an action in every match.

        Raises IllegalMoveError if one is not legal: then nothing has changed.
        """
        self._step(actions, by_place=False)

    def step_nth(self, places: Any) -> None:
        """Play, in every match, the action at that place of the legal ones."""
        self._step(places, by_place=True)

    def _step(self, given: Any, by_place: bool) -> None:
        shape = self.matches, self.learning.at_once
        chosen = self._stepper.adopt(given, shape)
        wrong = self._stepper.find_illegal(chosen, by_place)
        if wrong >= 0:
            match, place = divmod(wrong, self.learning.at_once)
            raise self._illegal(match, place, int(chosen[match, place]), by_place)
        self._stepper.step(self.seed, self._limit, chosen, by_place)
        self._write_masks()

    def _write_masks(self) -> None:
        if MASKS in self._stepper.shown:
            self._stepper.write_masks()

    def _illegal(self, match: int, place: int, value: int, by_place: bool) -> IllegalMoveError:
        arrays = self._stepper.arrays
        seat, count = int(arrays.to_act[match, place]), int(arrays.counts[match, place])
        if by_place:
            told = f"seat {seat}: place {value}: expected one below {count}"
        else:
            some = range(min(count, LISTED + 1))
            legal = np.array([int(arrays.actions[match, place, nth]) for nth in some])
            told = str(illegal_action(seat, value, legal))
        return IllegalMoveError(f"match {match}, {told}")

    def redeal(self, seats: Any, seed: int) -> None:
        """Replace, in every match, what that seat cannot know by what it might be, too.

        A search of the seat that decides can look into such a match, and learns nothing that the
        seat does not know. Chance to come is another one.
        """
        viewers, seed = self._stepper.adopt(seats, (self.matches,)), whole_seed(seed)
        wrong = self._stepper.find_absent(viewers)
        if wrong >= 0:
            most = self.learning.seats - 1
            raise SettingError(f"match {wrong}, seat {viewers[wrong]}: expected 0 to {most}")
        self._stepper.redeal(viewers, seed)
        self.look()

    @property
    def to_act(self) -> Any:
        """The seats that decide now; -1 for one that waits."""
        return self._stepper.shown["to_act"]

    @property
    def observations(self) -> Any:
        """What these seats know, a row of numbers for each: `part` has them by name."""
        return self._stepper.shown["observations"]

    @property
    def actions(self) -> Any:
        """What these seats may do; `counts` says how much of each row is filled."""
        return self._stepper.shown["actions"]

    @property
    def counts(self) -> Any:
        return self._stepper.shown["counts"]

    @property
    def masks(self) -> Any:
        """Of all actions: 1 for what these seats may do, else 0."""
        if MASKS not in self._stepper.shown:
            raise SettingError("masks are not written: expected BatchEnv(…, masks=True)")
        return self._stepper.shown[MASKS]

    def compressed(self) -> tuple[Any, Any]:
        """What all seats may do in one row, and where each seat's part of it begins and ends.

        That of seat number k, counted match by match, is `moves[offsets[k] : offsets[k + 1]]`.
        """
        if not isinstance(self.counts, np.ndarray):
            raise SettingError("compressed() is for device cpu; docs/learn.md has it for a GPU")
        filled = np.arange(self.learning.most_actions) < self.counts[..., None]
        return np.append(0, np.cumsum(self.counts)), self.actions[filled]

    @property
    def rewards(self) -> Any:
        """Of all seats: 0, or at the end of a match from -1, behind all others, to 1."""
        return self._stepper.shown["rewards"]

    @property
    def ends(self) -> Any:
        """1 where the step has ended a match by the rules, 2 where it was cut off."""
        return self._stepper.shown["ends"]

    @property
    def progress(self) -> Any:
        """Decisions played in the match under way, and matches ended before it."""
        return self._stepper.shown["progress"]

    @property
    def states(self) -> Any:
        """The matches as the records of the game's rules. To change them, see `look`."""
        return self._stepper.states

    def part(self, name: str) -> Any:
        """A part of the observations, in its own shape."""
        at = 0
        for part in self.learning.observation:
            if part.name == name:
                return self._stepper.part(at, part.shape)
            at += part.size
        known = ", ".join(part.name for part in self.learning.observation)
        raise SettingError(f"part {name!r}: expected one of {known}")
