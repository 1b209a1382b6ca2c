"""What callers of `learn` give, checked before kernels take it."""

from __future__ import annotations

import operator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError, SettingError

if TYPE_CHECKING:
    from agon.kernel import IntArray

MOST_DECISIONS = 2**31 - 1
LISTED = 10
"""So many legal actions are named where another one was given."""


def whole_number(name: str, given: Any, least: int, most: int) -> int:
    """A number of Python or NumPy within these bounds.

    >>> whole_number("seat", np.int8(1), 0, 1)
    1
    """
    try:
        number = operator.index(given)
    except TypeError:
        number = least - 1
    if not least <= number <= most:
        raise SettingError(f"{name} {given!r}: expected {least} to {most}")
    return number


def match_limit(given: Any) -> int:
    """Of decisions or turns, after which a match is cut off."""
    return whole_number("limit", given, 1, MOST_DECISIONS)


def whole_seed(given: Any) -> int:
    """The 64 bits of it that kernels take.

    >>> whole_seed(-1)
    18446744073709551615
    """
    try:
        return operator.index(given) % 2**64
    except TypeError:
        raise SettingError(f"seed {given!r}: expected a whole number") from None


def legal_action(seat: int, given: Any, legal: IntArray) -> int:
    """An action that is one of the legal ones."""
    with suppress(TypeError):
        action = operator.index(given)
        if action in legal:
            return action
    raise illegal_action(seat, given, legal)


def illegal_action(seat: int, given: Any, legal: IntArray) -> IllegalMoveError:
    known = ", ".join(map(str, legal[:LISTED].tolist())) or "none"
    more = ", …" if len(legal) > LISTED else ""
    told = repr(given) if isinstance(given, str) else given
    return IllegalMoveError(f"seat {seat}: action {told}: expected one of {known}{more}")


def on_cores(given: Any, shape: tuple[int, ...]) -> IntArray:
    """Decisions as kernels on cores take them."""
    array = np.asarray(given)
    check_form(array, shape)
    return np.ascontiguousarray(array, np.int64).reshape(shape)


def check_form(array: Any, shape: tuple[int, ...]) -> None:
    """Refuse decisions that are not whole numbers, or not one for each seat that decides.

    Where one seat decides at a time they may have no axis for seats.
    """
    if array.dtype.kind not in "iu" or shape not in (array.shape, (*array.shape, 1)):
        raise SettingError(
            f"an array of {array.dtype} {array.shape}: expected whole numbers of shape {shape}"
        )
