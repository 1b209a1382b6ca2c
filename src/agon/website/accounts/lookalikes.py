"""Names that look alike, for names of users and bots.

Unicode has several letters of the same shape, and some without any. Names are kept in normal form
(NFKC); which letters can be taken for each other is Unicode's table of confusables (UTS 39), as the
package confusable_homoglyphs brings it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterable

INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""What Python calls printable although nothing is seen."""
NEUTRAL = {"COMMON", "INHERITED"}
"""Digits, marks and accents, which belong to no alphabet."""


def normal_form(name: str) -> str:
    """The name as it is kept: the same for all ways to write it.

    >>> normal_form("\uff47\uff52\uff45\uff45\uff44\uff59"), normal_form("e\u0301")
    ('greedy', 'é')
    """
    return normalize("NFKC", name)


def find_odd_letter(name: str) -> str:
    r"""A letter that is not seen, or that is one of another alphabet in disguise; or nothing.

    >>> find_odd_letter("naïve 3"), find_odd_letter("将棋bot 1")
    ('', '')
    >>> find_odd_letter("gr\u0435edy") == "\u0435"
    True
    """
    from confusable_homoglyphs.categories import alias
    from confusable_homoglyphs.confusables import is_confusable

    for sign in name:
        if not sign.isprintable() or INVISIBLE.match(sign):
            return sign
    letters = [sign for sign in name if alias(sign) not in NEUTRAL]
    is_mixed = len({alias(sign) for sign in letters}) > 1
    odd = is_mixed and is_confusable("".join(letters), preferred_aliases=["latin"])
    return odd[0]["character"] if odd else ""


def find_alike(name: str, others: Iterable[str]) -> str | None:
    """The first of the others that can be taken for the name, in upper or lower case.

    >>> find_alike("GREEDY", ["random", "greedy"]), find_alike("b0b", ["bob"])
    ('greedy', 'bob')
    >>> find_alike("Ali", ["all"])
    """
    looks = _looks(name)
    return next((other for other in others if looks & _looks(other)), None)


def skeleton(name: str) -> str:
    """The name with each letter replaced by the plainest that looks like it.

    >>> skeleton("\u0430da\u2044l1I")
    'ada/lll'
    """
    known = _prototypes()
    return "".join(known.get(sign, sign) for sign in name)


def _looks(name: str) -> set[str]:
    """How the name can be read; a capital i is small in one reading, and an l in the other."""
    small = normal_form(name).casefold()
    return {small, skeleton(small), skeleton(normal_form(name)).casefold()}


@cache
def _prototypes() -> dict[str, str]:
    """The plainest letter of each shape, by the letters that look like it."""
    from confusable_homoglyphs.confusables import confusables_data

    found = {}
    for sign, alike in confusables_data.items():
        if len(alike) == 1:  # the table names all letters of a shape for its plainest one only
            plain = alike[0]["c"]
            is_pair = len(confusables_data.get(plain, ())) == 1
            found[_bare(sign)] = _bare(min(sign, plain) if is_pair else plain)
    return found


def _bare(letter: str) -> str:
    """Without the marks that keep letters of right-to-left scripts in their place in the table."""
    return letter.strip("\u200e")
