"""Public pages, kept for two seconds: many visitors ask for the same few.

A kept page is one that was made for a visitor without an account, so it holds nothing of any user.
"""

from __future__ import annotations

from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING

from cachetools import TTLCache, cached

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

KEEP_S = 2
MOST_PAGES = 256


class PageCache:
    """Pages by their addresses. Threads that ask for the same page wait for one that makes it."""

    def __init__(self, timer: Callable[[], float] = monotonic) -> None:
        pages: TTLCache[Hashable, bytes] = TTLCache(MOST_PAGES, KEEP_S, timer)
        self._find = cached(pages, key=_first, condition=Condition())(_make)
        self._changes = 0

    def find(self, address: Hashable, make: Callable[[], bytes]) -> bytes:
        """The page at an address, made anew if none is kept. What `make` raises is not kept."""
        return self._find((self._changes, address), make)

    def forget(self) -> None:
        """Make every page anew, also those that are being made: what is public has changed."""
        self._changes += 1


def _first(key: Hashable, make: Callable[[], bytes]) -> Hashable:
    return key


def _make(key: Hashable, make: Callable[[], bytes]) -> bytes:
    return make()
