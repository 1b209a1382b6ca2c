"""How many streams there may be at once.

A stream costs little, but it stays open: one address must not take all places.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TOO_MANY = (
    "Too many live boards are open {where}. Close some of them, or wait: this page goes on more"
    " slowly until there is a place."
)


class StreamLimit:
    """Who has how many streams open. All of it happens in the event loop."""

    def __init__(self, each: int, at_once: int) -> None:
        """The maximum for each address, and for all together."""
        self._each = each
        self._at_once = at_once
        self._taken: Counter[str] = Counter()
        self.count = 0
        """How many are open."""

    def refuse(self, visitor: str) -> str:
        """Why there is no place for one more of that address; empty: there is one."""
        if self._taken[visitor] >= self._each:
            return TOO_MANY.format(where=f"from your network, {self._each}")
        if self.count >= self._at_once:
            return TOO_MANY.format(where=f"on this site, {self._at_once}")
        return ""

    @contextmanager
    def taken(self, visitor: str) -> Iterator[None]:
        """While a stream to that address is open."""
        self._taken[visitor] += 1
        self.count += 1
        try:
            yield
        finally:
            self.count -= 1
            self._taken[visitor] -= 1
            if not self._taken[visitor]:
                del self._taken[visitor]
