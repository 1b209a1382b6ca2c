"""Browsers that were recognised a moment ago: whose they are, and what the head of a page tells.

Looking a session up takes longer than sending a kept page. So what a page that is the same for
everybody says to one user, their name and the token of their own log-out button, is kept for
a moment by the secret of their session. So are pages of their own that they have just seen: who
loads one again gets it once more. Whatever does something looks the session up.

Whenever somebody sends something, be it a log-out, a password or the removal of a user, all of it
is forgotten before the answer is sent. What another process changes is seen after a moment.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from agon.website.cache.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Hashable

    from agon.website.cache.packing import Piece
    from agon.website.cache.shared_pages import SharedPage

MOST = 10_000
MOST_PAGE_BYTES = 32 << 20
KEEP_NS = 2 * 10**9


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """A user in one browser."""

    user_id: int
    organiser: bool
    head: Piece
    """What the head of each page says to them."""
    seen_ns: int
    """When they were looked up."""

    def is_fresh(self, now_ns: int) -> bool:
        """Whether they need not be looked up again; who was seen in the future must be."""
        return 0 <= now_ns - self.seen_ns < KEEP_NS


class Acquaintances:
    """All of them, by the secrets of their sessions. Threads may share it."""

    def __init__(self, most: int = MOST) -> None:
        """Nobody is known; never more than so many are."""
        self._most = most
        self._kept: Kept[Acquaintance] = Kept(most)
        self._pages: Kept[SharedPage] = Kept(MOST_PAGE_BYTES, weigh_page)
        self._lock = Lock()
        self.times_forgotten = 0
        """Rises whenever everybody is forgotten."""

    def find(self, secret: str, now_ns: int) -> Acquaintance | None:
        """Whose session that is, if they were seen a moment ago."""
        found = self._kept.get(secret)
        return found if found is not None and found.is_fresh(now_ns) else None

    def add(self, secret: str, one: Acquaintance, times_forgotten: int) -> None:
        """Remember somebody, unless all were forgotten since the look-up of this one began."""
        with self._lock:
            if self.times_forgotten == times_forgotten:
                self._kept.put(secret, one)

    def find_page(self, secret: str, key: Hashable, now_ns: int) -> SharedPage | None:
        """A page of their own that was made for this session a moment ago."""
        found = self._pages.get((secret, key))
        return found if found is not None and found.is_fresh(now_ns) else None

    def add_page(self, secret: str, key: Hashable, page: SharedPage, times_forgotten: int) -> None:
        """Keep a page for the one who was looked up by this session; the same holds as above."""
        with self._lock:
            if self.times_forgotten == times_forgotten:
                self._pages.put((secret, key), page)

    def forget(self) -> None:
        """Look everybody up again from now on."""
        with self._lock:
            self.times_forgotten += 1
            self._kept = Kept(self._most)
            self._pages = Kept(MOST_PAGE_BYTES, weigh_page)


def weigh_page(page: SharedPage) -> int:
    """The bytes that a kept page takes."""
    return len(page.packed) + sum(len(one.text) + len(one.packed) for one in page.pieces)
