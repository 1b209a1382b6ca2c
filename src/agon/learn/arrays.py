"""The arrays of a batch: what a caller reads after each step, made here or given by the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.games.learning import Learning


class BatchArrays(NamedTuple):
    """Kernels take all of them; the second axis of most is for seats that decide at once."""

    to_act: Any
    """(n, at once): the seats that decide now; -1: that seat waits."""
    observations: Any
    """(n, at once, size): what these seats know."""
    actions: Any
    """(n, at once, most): what they may do, as far as `counts` says."""
    counts: Any
    """(n, at once)."""
    rewards: Any
    """(n, seats): 0 until a match ends; then from -1, behind all others, to 1, before them."""
    ends: Any
    """(n,): whether the last step has ended a match, and how; what is shown is the next one."""
    progress: Any
    """(n, 2): decisions played in the match under way, and matches ended before it."""


BY_SEAT = ("to_act", "observations", "actions", "counts", "masks")
"""Arrays that have an axis for seats that decide at once: for callers only where several do."""

MASKS = "masks"
"""An array that is written on demand: (n, at once, actions), 1 for what is legal, else 0."""
MOST_BYTES_OF_MASKS = 1 << 34


def array_types(learning: Learning, matches: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and the type of each array, as callers see it."""
    many = (matches,) if learning.at_once == 1 else (matches, learning.at_once)
    small = learning.action_count <= np.iinfo(np.int16).max
    return {
        "to_act": (many, np.dtype(np.int8)),
        "observations": ((*many, learning.observation_size), learning.observed),
        "actions": ((*many, learning.most_actions), np.dtype(np.int16 if small else np.int32)),
        "counts": (many, np.dtype(np.int32)),
        "rewards": ((matches, learning.seats), np.dtype(np.float32)),
        "ends": ((matches,), np.dtype(np.uint8)),
        "progress": ((matches, 2), np.dtype(np.int64)),
        MASKS: ((*many, learning.action_count), np.dtype(np.int8)),
    }


def make_arrays(
    learning: Learning,
    matches: int,
    given: Mapping[str, Any],
    masks: bool,
    make: Callable[[tuple[int, ...], Any], Any],
    adopt: Callable[[Any], Any],
) -> dict[str, Any]:
    """All arrays: those that are given, once they are checked, and the others made anew.

    There are masks if they are wanted or given. `adopt` returns None for what cannot be written.
    """
    types = array_types(learning, matches)
    if wrong := [name for name in given if name not in types]:
        raise SettingError(f"array {wrong[0]!r}: expected one of {', '.join(types)}")
    if MASKS not in given:
        if masks:
            check_masks(learning, matches)
        else:
            del types[MASKS]
    found = {}
    for name, (shape, kind) in types.items():
        if name not in given:
            found[name] = make(shape, kind)
            continue
        array = adopt(given[name])
        if array is None:
            told = type(given[name]).__name__
            raise SettingError(f"array {name}, a {told}: expected one of the device, to write into")
        if array.shape != shape or array.dtype != kind:
            raise SettingError(
                f"array {name} of {array.dtype} {array.shape}: expected {kind} {shape}"
            )
        found[name] = array
    return found


def check_masks(learning: Learning, matches: int) -> None:
    """Refuse masks that fill the memory, such as those of millions of Hive's matches."""
    size = matches * learning.at_once * learning.action_count
    if size > MOST_BYTES_OF_MASKS:
        raise SettingError(
            f"masks of {size >> 30:,} GiB, {learning.action_count:,} bytes for each seat that"
            f" decides: expected at most {MOST_BYTES_OF_MASKS >> 30}, or an array of your own"
        )


def for_kernels(
    shown: Mapping[str, Any], at_once: int, with_seats: Callable[[Any], Any]
) -> dict[str, Any]:
    """The same memory with the axis of seats, where one decides at a time, too."""
    missing = BY_SEAT if at_once == 1 else ()
    return {name: with_seats(array) if name in missing else array for name, array in shown.items()}
