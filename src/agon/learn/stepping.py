"""One decision of one match, as kernels: the same on a core and in a thread of a GPU."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from agon.kernel import IntArray, Record, as_int, kernel, mix64, u64

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.learning import Learning
    from agon.learn.arrays import BatchArrays

GOES_ON, OVER, CUT_OFF = range(3)
"""What `ends` says: nothing, the match has ended by its rules, or at the limit of decisions."""
STRIDE = 0x9E3779B97F4A7C15


class Stepping(NamedTuple):
    """The kernels of one game. `i` is the number of a match in its batch."""

    begin: Callable[..., None]
    """`begin(setup, state, work, i, arrays, seed)`: the first match of that number."""
    step: Callable[..., None]
    """`step(setup, state, work, i, arrays, seed, limit, chosen, by_place)`, if all is legal.

    With a limit below 0 there is none, and a match that is over is not followed by another.
    """
    look: Callable[..., None]
    """`look(setup, state, work, i, arrays)`: what the seats to act know and may do."""
    redeal: Callable[..., None]
    """`redeal(setup, state, work, i, seats, seed)`: what that seat cannot know, by chance."""


@kernel
def seed_of(seed: int, i: int, episode: int) -> int:
    """The seed of a match: of all that have this number in a batch, the one of this episode."""
    return mix64(u64(seed) ^ mix64(u64(u64(i) * u64(STRIDE) + u64(episode))))


@kernel
def is_legal(arrays: BatchArrays, i: int, place: int, wanted: int, by_place: int) -> bool:
    """Whether a seat may do this; it does not matter what a seat chooses that waits."""
    count = as_int(arrays.counts[i, place])
    if count == 0:
        return True
    if by_place == 1:
        return 0 <= wanted < count
    found = 0
    while found < count and as_int(arrays.actions[i, place, found]) != wanted:
        found += 1
    return found < count


@kernel
def write_masks(arrays: BatchArrays, masks: IntArray, i: int) -> None:
    """For each seat that decides in a match: 1 for what it may do, 0 for all else."""
    for place in range(masks.shape[1]):
        for action in range(masks.shape[2]):
            masks[i, place, action] = 0
        for nth in range(as_int(arrays.counts[i, place])):
            masks[i, place, as_int(arrays.actions[i, place, nth])] = 1


@kernel
def copy_ending(arrays: BatchArrays, theirs: BatchArrays, i: int) -> None:
    """Of a match what `look` does not find in its state."""
    arrays.ends[i] = theirs.ends[i]
    for seat in range(arrays.rewards.shape[1]):
        arrays.rewards[i, seat] = theirs.rewards[i, seat]
    for nth in range(arrays.progress.shape[1]):
        arrays.progress[i, nth] = theirs.progress[i, nth]


def stepping_for(learning: Learning) -> Stepping:
    """The kernels for a game, compiled once for all batches of it."""
    return _make(
        learning.start,
        learning.is_over,
        learning.seat_to_act,
        learning.list_actions,
        learning.play_action,
        learning.settle,
        learning.encode,
        learning.score,
        learning.redeal,
        learning.at_once,
        learning.seats,
    )


@functools.cache
def _make(
    start: Callable[..., None],
    is_over: Callable[..., bool],
    seat_to_act: Callable[..., int],
    list_actions: Callable[..., int],
    play_action: Callable[..., None],
    settle: Callable[..., None],
    encode: Callable[..., None],
    score: Callable[..., int],
    deal_anew: Callable[..., None],
    at_once: int,
    seats: int,
) -> Stepping:
    look = _looking(seat_to_act, list_actions, encode, at_once)
    close = _closing(is_over, score, seats)

    @kernel
    def begin(
        setup: Record, state: Record, work: Record, i: int, arrays: BatchArrays, seed: int
    ) -> None:
        arrays.progress[i, 0] = 0
        arrays.progress[i, 1] = 0
        arrays.ends[i] = GOES_ON
        for seat in range(seats):
            arrays.rewards[i, seat] = 0
        start(setup, state, seed_of(seed, i, as_int(0)))
        look(setup, state, work, i, arrays)

    @kernel
    def step(
        setup: Record,
        state: Record,
        work: Record,
        i: int,
        arrays: BatchArrays,
        seed: int,
        limit: int,
        chosen: IntArray,
        by_place: int,
    ) -> None:
        for place in range(at_once):
            if as_int(arrays.counts[i, place]) > 0:
                action = as_int(chosen[i, place])
                if by_place == 1:
                    action = as_int(arrays.actions[i, place, action])
                play_action(setup, state, work, as_int(arrays.to_act[i, place]), action)
        settle(setup, state, work)
        played = as_int(arrays.progress[i, 0]) + 1
        ending = close(setup, state, played, limit, arrays.rewards[i])
        arrays.ends[i] = ending
        arrays.progress[i, 0] = played
        if ending != GOES_ON:
            if limit < 0:
                for place in range(at_once):
                    arrays.to_act[i, place] = -1
                    arrays.counts[i, place] = 0
                return
            arrays.progress[i, 0] = 0
            arrays.progress[i, 1] += 1
            start(setup, state, seed_of(seed, i, as_int(arrays.progress[i, 1])))
        look(setup, state, work, i, arrays)

    return Stepping(begin, step, look, _redealing(deal_anew))


def _looking(
    seat_to_act: Callable[..., int],
    list_actions: Callable[..., int],
    encode: Callable[..., None],
    at_once: int,
) -> Callable[..., None]:
    @kernel
    def look(setup: Record, state: Record, work: Record, i: int, arrays: BatchArrays) -> None:
        for place in range(at_once):
            seat = seat_to_act(setup, state) if at_once == 1 else as_int(place)
            count = list_actions(setup, state, work, seat, arrays.actions[i, place])
            arrays.to_act[i, place] = seat if count > 0 else -1
            arrays.counts[i, place] = count
            encode(setup, state, work, seat, arrays.observations[i, place])

    return look


def _closing(
    is_over: Callable[..., bool], score: Callable[..., int], seats: int
) -> Callable[..., int]:
    @kernel
    def close(setup: Record, state: Record, played: int, limit: int, rewards: IntArray) -> int:
        """How the match stands; at its end the rewards are set."""
        for seat in range(seats):
            rewards[seat] = 0
        if not is_over(setup, state):
            return CUT_OFF if 0 <= limit <= played else GOES_ON
        for seat in range(seats):
            own = score(setup, state, as_int(seat))
            ahead = 0
            for other in range(seats):
                theirs = score(setup, state, as_int(other))
                ahead += (1 if own > theirs else 0) - (1 if own < theirs else 0)
            rewards[seat] = ahead / (seats - 1)
        return OVER

    return close


def _redealing(deal_anew: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def redeal(
        setup: Record, state: Record, work: Record, i: int, seats: IntArray, seed: int
    ) -> None:
        deal_anew(setup, state, work, as_int(seats[i]), seed_of(seed, i, as_int(0)))

    return redeal
