"""Lists of whole numbers as short texts: five bits to a letter, as source maps are written.

The first 32 letters end a number; the others say that more of it follows, the lowest bits first.
Lists that never fall are written as differences, and numbers that may be negative with their signs
in the lowest bits. Steps stand one after the other in a column, with a space between them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
BITS = 5
MORE = 1 << BITS

RISING = frozenset({"kept", "gone", "born", "recast", "jump", "steer"})
SIGNED = frozenset({"fill", "jump_by", "steer_by"})


def write_column(name: str, steps: Sequence[Mapping[str, Sequence[int]]]) -> str:
    """What all steps have in the column of that name."""
    return " ".join(write_numbers(name, step.get(name, ())) for step in steps)


def write_numbers(name: str, numbers: Sequence[int]) -> str:
    """Numbers of such a column.

    >>> write_numbers("gone", [3, 5, 100]), write_numbers("fill", [3, -3])
    ('DC/C', 'GF')
    """
    if name in RISING:
        return _write([later - earlier for earlier, later in pairwise((0, *numbers))])
    if name in SIGNED:
        return _write(2 * one if one >= 0 else -2 * one - 1 for one in numbers)
    return _write(numbers)


def _write(numbers: Iterable[int]) -> str:
    letters = []
    for number in numbers:
        rest = number
        while rest >= MORE:
            letters.append(LETTERS[MORE + rest % MORE])
            rest >>= BITS
        letters.append(LETTERS[rest])
    return "".join(letters)
