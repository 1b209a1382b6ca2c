"""Pages that are the same for many: made and packed by one thread, shown by all."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from starlette.responses import Response

from agon.website.kept import Kept

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

MOST_PAGES = 256
LOCKS = 16


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A page that was made, and for how long it may be shown."""

    body: bytes
    packed: bytes
    made_ns: int
    keep_ns: int

    def is_fresh(self, now_ns: int) -> bool:
        """Whether it may still be shown; what was made in the future may not."""
        return 0 <= now_ns - self.made_ns < self.keep_ns

    def response(self, *, packed: bool) -> Response:
        """The page for a browser."""
        headers = {"Vary": "Accept-Encoding, Cookie", "Cache-Control": "private, no-cache"}
        if packed:
            headers["Content-Encoding"] = "gzip"
        content = self.packed if packed else self.body
        return Response(content, media_type="text/html", headers=headers)


class Sharing:
    """The pages that are shared, by their addresses. Threads may share it."""

    def __init__(self, most: int = MOST_PAGES) -> None:
        """Nothing is made yet; so many pages are kept."""
        self._kept: Kept[SharedPage] = Kept(most)
        self._locks = [Lock() for _ in range(LOCKS)]

    def peek(self, key: Hashable, now_ns: int) -> SharedPage | None:
        """The page of that key, if it was made already and may still be shown."""
        kept = self._kept.get(key)
        return kept if kept is not None and kept.is_fresh(now_ns) else None

    def find(
        self, key: Hashable, now_ns: int, make: Callable[[], SharedPage | None]
    ) -> SharedPage | None:
        """The page of that key; while one thread makes it anew, others get the old one.

        None if it turned out to be no page to be shared.
        """
        kept = self._kept.get(key)
        if kept is not None and kept.is_fresh(now_ns):
            return kept
        lock = self._locks[hash(key) % LOCKS]
        if not lock.acquire(blocking=kept is None):
            return kept
        try:
            kept = self._kept.get(key)
            if kept is None or not kept.is_fresh(now_ns):
                kept = make()
                if kept is not None:
                    self._kept.put(key, kept)
            return kept
        finally:
            lock.release()
