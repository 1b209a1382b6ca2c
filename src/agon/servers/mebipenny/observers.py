"""Observers of one game: each is sent every event, and dropped if it does not read.

Documents are shared by all observers of a game; an observer's wrapper is added when they are sent.
So observers that do not read cost no copies.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from agon.games.http_exchange import RefusedError
from agon.strict_json import quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Json

PLACE = "%s"


class Wrapper:
    """The text around each document that an observer asks for."""

    def __init__(self, text: str = PLACE) -> None:
        """The first %s in the text is the place of the document; if it has none, it is all."""
        try:
            before, place, after = (part.encode() for part in text.partition(PLACE))
        except UnicodeEncodeError:
            raise RefusedError(
                403, f"wrapper {quote(text)}: expected text that is Unicode"
            ) from None
        self._before, self._after = before, after
        self._has_place = bool(place)

    def wrap(self, document: bytes) -> bytes:
        """The document, of one line, as it is sent."""
        if not self._has_place:
            return self._before
        return b"%b%b\n%b" % (self._before, document, self._after)


def parse_wrapper(data: Json) -> Wrapper:
    """The wrapper in the payload of a new observer; none if there is no such key."""
    if not isinstance(data, dict) or "wrapper" not in data:
        return Wrapper()
    text = data["wrapper"]
    if not isinstance(text, str):
        raise RefusedError(403, f"wrapper {quote(text)}: expected a text")
    return Wrapper(text)


class Observer:
    """Documents on their way to one observer."""

    def __init__(self, wrapper: Wrapper, game: bytes, most_bytes: int) -> None:
        """Is told the game first, and may be so many bytes behind after that."""
        self.is_over = False
        """The game is over: what is left is all."""
        self.is_dropped = False
        self.on_news: Callable[[], None] = lambda: None
        """Called after every change."""
        self._wrapper = wrapper
        self._documents = deque([game])
        self._room = most_bytes

    def tell(self, document: bytes) -> None:
        """The next document; too many of them and the observer is dropped."""
        if self.is_dropped:
            return
        self._documents.append(document)
        self._room -= len(document)
        if self._room < 0:
            self.is_dropped = True
            self._documents.clear()
        self.on_news()

    def end(self) -> None:
        """There will be no more."""
        self.is_over = True
        self.on_news()

    def take(self) -> bytes | None:
        """The next piece to send, if there is one."""
        if not self._documents:
            return None
        document = self._documents.popleft()
        self._room += len(document)
        return self._wrapper.wrap(document)
