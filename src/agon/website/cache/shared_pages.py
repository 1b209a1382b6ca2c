"""Pages that are the same for many: made and packed by one thread, shown by all.

A kept page is made as for somebody who is not logged in, so it holds nothing of anybody. To a user
it is shown with another piece in its head, which says who they are; those for whom more of it would
be different, the author of a bot for instance, are not shown it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from agon.website.cache.kept import Kept
from agon.website.cache.packing import Piece, join_packed, join_plain, make_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MOST_PAGES = 256
LOCKS = 16
WHO_BEGINS = b"<!-- who -->"
WHO_ENDS = b"<!-- /who -->"
"""Around what the head of a page says about who is logged in; no text of anybody can hold them."""


@dataclass(frozen=True, slots=True)
class Except:
    """The users to whom a page is not the same as to everybody else."""

    users: frozenset[int] = frozenset()
    organisers: bool = False

    def __contains__(self, user: tuple[int, bool]) -> bool:
        """Whether the user is one of them: by id, and whether they are an organiser."""
        return user[0] in self.users or (self.organisers and user[1])


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A page that was made, and for how long it may be shown."""

    pieces: tuple[Piece, ...]
    """The page; the second of three is what it says about who is logged in."""
    packed: bytes
    made_ns: int
    keep_ns: int
    but: Except | None = None
    """Users to whom it may not be shown; None: to no user."""

    def is_fresh(self, now_ns: int) -> bool:
        """Whether it may still be shown; what was made in the future may not."""
        return 0 <= now_ns - self.made_ns < self.keep_ns

    def is_for(self, user_id: int, *, organiser: bool) -> bool:
        """Whether it may be shown to this user."""
        return (
            self.but is not None and len(self.pieces) > 1 and (user_id, organiser) not in self.but
        )

    def response(self, *, packed: bool, head: Piece | None = None) -> Response:
        """The page for a browser; with what its head says to a user, if one is logged in."""
        headers = {"Vary": "Accept-Encoding, Cookie", "Cache-Control": "private, no-cache"}
        if packed:
            headers["Content-Encoding"] = "gzip"
        return Response(self._content(packed, head), media_type="text/html", headers=headers)

    def _content(self, packed: bool, head: Piece | None) -> bytes:
        if head is None:
            return self.packed if packed else join_plain(self.pieces)
        before, _, after = self.pieces
        pieces = (before, head, after)
        return join_packed(pieces) if packed else join_plain(pieces)


def make_page(body: bytes, made_ns: int, keep_ns: int, but: Except | None = None) -> SharedPage:
    """A page that was made as for somebody who is not logged in."""
    begin, end = body.find(WHO_BEGINS) + len(WHO_BEGINS), body.find(WHO_ENDS)
    cuts = (0, begin, end, len(body)) if len(WHO_BEGINS) <= begin <= end else (0, len(body))
    pieces = tuple(make_piece(body[one:two]) for one, two in pairwise(cuts))
    return SharedPage(pieces, join_packed(pieces), made_ns, keep_ns, but)


class Sharing:
    """The pages that are shared, by their addresses. Threads may share it."""

    def __init__(self, most: int = MOST_PAGES) -> None:
        """Nothing is made yet; so many pages are kept."""
        self._most = most
        self._kept: Kept[SharedPage] = Kept(most)
        self._locks = [Lock() for _ in range(LOCKS)]
        self._remade: set[Hashable] = set()
        self.making: dict[Hashable, asyncio.Task[SharedPage | None]] = {}
        """Pages that the event loop waits for; nobody needs to ask for them another time."""

    def peek(self, key: Hashable, now_ns: int) -> SharedPage | None:
        """The page of that key, if it may be shown: it is fresh, or just being made anew."""
        kept = self._kept.get(key)
        if kept is None or kept.is_fresh(now_ns) or key in self._remade:
            return kept
        return None

    def find(
        self, key: Hashable, now_ns: int, make: Callable[[], SharedPage | None]
    ) -> SharedPage | None:
        """The page of that key; while one thread makes it anew, others get the old one.

        None if it turned out to be no page to be shared.
        """
        pages = self._kept  # what is forgotten while the page is made stays forgotten
        kept = pages.get(key)
        if kept is not None and kept.is_fresh(now_ns):
            return kept
        lock = self._locks[hash(key) % LOCKS]
        if not lock.acquire(blocking=kept is None):
            return kept
        try:
            kept = pages.get(key)
            if kept is None or not kept.is_fresh(now_ns):
                self._remade.add(key)
                kept = make()
                if kept is not None:
                    pages.put(key, kept)
            return kept
        finally:
            self._remade.discard(key)
            lock.release()

    async def find_soon(
        self, key: Hashable, now_ns: int, make: Callable[[], SharedPage | None]
    ) -> SharedPage | None:
        """The same from the event loop: one thread makes the page, all others wait without one."""
        page = self.peek(key, now_ns)
        if page is not None:
            return page
        making = self.making.get(key)
        if making is None:
            making = asyncio.create_task(run_in_threadpool(self.find, key, now_ns, make))
            self.making[key] = making
            making.add_done_callback(lambda done: self._is_made(key, done))
        return await asyncio.shield(making)

    def _is_made(self, key: Hashable, done: asyncio.Task[SharedPage | None]) -> None:
        del self.making[key]
        if not done.cancelled():
            done.exception()  # whoever has waited for it may be gone

    def forget(self) -> None:
        """Make every page anew: what may be shown has changed."""
        self._kept = Kept(self._most)
