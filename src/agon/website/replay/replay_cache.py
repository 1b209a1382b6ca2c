"""Matches that were looked at last, loaded; the pieces of their replays, compressed; uploads."""

from __future__ import annotations

import time
from dataclasses import dataclass
from operator import attrgetter
from secrets import token_urlsafe
from threading import Condition
from typing import TYPE_CHECKING

from cachetools import LRUCache, TTLCache, cachedmethod

from agon.website.http.encoding import COMPRESSORS
from agon.website.replay.pieces import load_match, make_piece

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from agon.match.transcript import Transcript
    from agon.website.replay.pieces import LoadedMatch, PieceSize
    from agon.website.site import Site

MOST_LOADED_BYTES = 256 << 20
MOST_PIECE_BYTES = 64 << 20
MOST_UPLOADS = 32
UPLOAD_SECONDS = 900


@dataclass(frozen=True, slots=True)
class WantedPiece:
    """Which piece of a match is asked for."""

    turn: int
    """One that it holds."""
    seat: int | None = None
    """Whose view; None: a spectator's."""
    long: bool = False


class ReplayCache:
    """Bounded caches. Threads may share it: what several ask for at once is made once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._matches: LRUCache[Hashable, LoadedMatch]
        self._matches = LRUCache(MOST_LOADED_BYTES, attrgetter("size"))
        self._pieces: LRUCache[Hashable, bytes] = LRUCache(MOST_PIECE_BYTES, len)
        self._uploads: TTLCache[str, Transcript] = TTLCache(MOST_UPLOADS, UPLOAD_SECONDS, clock)
        self._condition = Condition()

    def load(self, key: Hashable, read: Callable[[], Transcript]) -> LoadedMatch:
        """The match of a key; `read` gives its transcript if it is not loaded."""
        match: LoadedMatch = self._load(key, read)
        return match

    def find_piece(
        self, key: Hashable, match: LoadedMatch, wanted: WantedPiece, encoding: str
    ) -> bytes:
        """A piece, compressed; `key` is that of the match. SettingError: there is no such piece."""
        match.check(wanted.turn, wanted.seat)
        size = match.piece_size.longer if wanted.long else match.piece_size
        first = wanted.turn - wanted.turn % size.turns
        piece: bytes = self._piece((key, first, wanted.seat, size, encoding), match)
        return piece

    def add_upload(self, transcript: Transcript) -> str:
        """Keep a visitor's own transcript for some minutes, in memory alone: its secret key."""
        key = token_urlsafe()
        with self._condition:
            self._uploads[key] = transcript
        return key

    def find_upload(self, key: str) -> Transcript | None:
        with self._condition:
            return self._uploads.get(key)

    @cachedmethod(
        attrgetter("_matches"), lambda _, key, read: key, condition=attrgetter("_condition")
    )
    def _load(self, key: Hashable, read: Callable[[], Transcript]) -> LoadedMatch:
        return load_match(read())

    @cachedmethod(
        attrgetter("_pieces"), lambda _, key, match: key, condition=attrgetter("_condition")
    )
    def _piece(
        self, key: tuple[Hashable, int, int | None, PieceSize, str], match: LoadedMatch
    ) -> bytes:
        _, first, seat, size, encoding = key
        return COMPRESSORS[encoding](make_piece(match, first, seat, size))


def replay_cache_of(site: Site) -> ReplayCache:
    return site.part(ReplayCache, ReplayCache)
