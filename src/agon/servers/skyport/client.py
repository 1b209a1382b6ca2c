"""A client of the server: what it has said, and the way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agon.arbiter.log import SeatLog
from agon.games.skyport import wire
from agon.servers.skyport.client_session import ClientSession

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from agon.games.game import JsonObject
    from agon.servers.skyport.playing import Playing

FIRST_CHARACTERS = 1 << 14
LAST_CHARACTERS = 3 << 14
"""Of a client's lines so much is kept, from its beginning and its end, for `agon replay --wire`."""
LONGEST_QUOTE = 40


class Link(Protocol):
    """The way to a client."""

    def send(self, data: bytes) -> None:
        """Send this, now or as soon as the client reads; never waits."""

    def finish(self) -> None:
        """Close the connection when all that was sent is with the client, or time is over."""


class ClientNews:
    """Lines in the form in which they are sent, made once for everybody."""

    def __init__(self, lines: Iterable[str]) -> None:
        """These lines, without their ends."""
        self.lines = tuple(lines)
        self.data = "".join(f"{line}\n" for line in self.lines).encode("ascii")


def format_news(messages: Iterable[JsonObject]) -> ClientNews:
    """These messages, a line each."""
    return ClientNews(map(wire.format_message, messages))


class Client:
    """Somebody who dialled in."""

    def __init__(self, link: Link, taken: Callable[[], Collection[str]]) -> None:
        """`taken` tells which names others have already."""
        self.link = link
        self.session = ClientSession(taken)
        self.playing: Playing | None = None
        """The match that it has a seat in, once that has begun."""
        self.seat = 0
        self.is_gone = False
        """Whether it cannot say anything any more; it may still read."""
        self._log = SeatLog(FIRST_CHARACTERS, LAST_CHARACTERS)

    @property
    def name(self) -> str:
        """What it calls itself; nothing before the handshake."""
        return self.session.name or ""

    @property
    def log(self) -> list[str]:
        """The lines exchanged: `> ` to it, `< ` from it."""
        return self._log.lines()

    def tell(self, news: ClientNews) -> None:
        """Send these messages."""
        for line in news.lines:
            self._log.on_line(">", line)
        self.link.send(news.data)

    def refuse(self, complaint: str) -> None:
        """Send an error."""
        self.tell(format_news([wire.error(complaint)]))

    def take(self, line: str) -> bool:
        """Take a line, and answer it at once; whether a turn that was due is complete with it."""
        is_complete = self.session.take(line)
        answers = self.session.replies()
        if answers:
            self.tell(ClientNews(answers))
        return is_complete

    def read(self, raw: bytes) -> str | None:
        """The text of a line; None, and an error is sent, if it is in no encoding of JSON."""
        self._log.on_line("<", raw.decode("utf-8", "backslashreplace"))
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse(f"{raw[:LONGEST_QUOTE]!r} is not UTF-8")
            return None
