"""A client of the server: its connection, what it has sent, and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agon.arbiter.log import SeatLog
from agon.games.skyport import wire
from agon.servers.skyport.client_session import ClientSession

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from agon.games.game import JsonObject

FIRST_CHARACTERS = 1 << 14
LAST_CHARACTERS = 3 << 14
"""How much of a client's lines is kept, of the first and of the last, for `agon replay --wire`."""
LONGEST_QUOTE = 40


class Link(Protocol):
    """The connection to a client, as the match and the room use it."""

    def send(self, data: bytes) -> None:
        """Send this, now or as soon as the client reads; never waits."""

    def finish(self) -> None:
        """Close the connection when the client has received all, or after a time limit."""


class NoLink:
    """The connection to a practice bot: there is none."""

    def send(self, data: bytes) -> None: ...

    def finish(self) -> None: ...


class ClientNews:
    """Lines, without their ends, and their bytes: made once for all clients."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        self.data = "".join(f"{line}\n" for line in self.lines).encode("ascii")


def format_news(messages: Iterable[JsonObject]) -> ClientNews:
    """One line for each message."""
    return ClientNews(map(wire.format_message, messages))


class SkyportClient:
    """One client, from its connection on; or a practice bot, which plays as a client does."""

    def __init__(self, link: Link, taken: Callable[[], Collection[str]], bot: str = "") -> None:
        """`taken` gives the names that other clients have; `bot` is the built-in bot's name."""
        self.link = link
        self.bot = bot
        self.session = ClientSession(taken)
        self.seat = 0
        """In its match, once that has begun."""
        self.is_gone = False
        """Whether nothing more is read from it; it may still be sent lines."""
        self._log = SeatLog(FIRST_CHARACTERS, LAST_CHARACTERS)

    @property
    def name(self) -> str:
        """Empty before the handshake."""
        return self.session.name or ""

    @property
    def log(self) -> list[str]:
        """The lines exchanged: `> ` to it, `< ` from it."""
        return self._log.lines()

    def describe(self) -> JsonObject:
        """What the transcript says of this player."""
        if self.bot:
            return {"name": self.name, "kind": "built-in", "bot": self.bot}
        return {"name": self.name, "kind": "guest"}

    def tell(self, news: ClientNews) -> None:
        if self.bot:
            return
        for line in news.lines:
            self._log.on_line(">", line)
        self.link.send(news.data)

    def refuse(self, complaint: str) -> None:
        self.tell(format_news([wire.error(complaint)]))

    def take(self, line: str) -> bool:
        """Take a line and send the answers; whether a turn that was due is complete with it."""
        is_complete = self.session.take(line)
        answers = self.session.replies()
        if answers:
            self.tell(ClientNews(answers))
        return is_complete

    def read(self, raw: bytes) -> str | None:
        """The text of a line; None, and an error is sent, if it is not UTF-8."""
        self._log.on_line("<", raw.decode("utf-8", "backslashreplace"))
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse(f"{raw[:LONGEST_QUOTE]!r} is not UTF-8")
            return None
