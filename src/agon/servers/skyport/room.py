"""A room: clients connect, send a handshake, and get the seats of the next match in that order.

As soon as a match is full it begins; clients that come later wait for the next one. Where the
settings say so, `fill` gives free seats to practice bots. No I/O.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from agon.arbiter.limits import format_ns
from agon.games.skyport import wire
from agon.match.result import Failure
from agon.match.transcript import Fault
from agon.servers.skyport.client import NoLink, SkyportClient
from agon.servers.skyport.playing import DISCONNECTED, SkyportMatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.skyport.client import Link
    from agon.servers.skyport.settings import SkyportSettings


class Room:
    """The clients of one port: those that wait for a match, and those in one."""

    def __init__(
        self,
        name: str,
        settings: SkyportSettings,
        clock: Callable[[], int],
        on_begin: Callable[[Room, SkyportMatch], None] = lambda room, playing: None,
        on_wait: Callable[[Room, SkyportClient], None] = lambda room, client: None,
    ) -> None:
        """`on_begin` is called for every match, before its first gamestate is sent.

        `on_wait` is called for every client that has a seat in a match that is not full.
        """
        self.name = name
        self.settings = settings
        self.clients: set[SkyportClient] = set()
        """All that are connected and may still send something."""
        self.waiting: list[SkyportClient] = []
        """Those with a seat in a match that has not begun, in the order of their seats."""
        self.begun = 0
        self._matches: dict[SkyportClient, SkyportMatch] = {}
        """The match of each client that is in one."""
        self._unnamed = 0
        """Clients without a handshake so far."""
        self._shut: str | None = None
        self._clock = clock
        self._on_begin = on_begin
        self._on_wait = on_wait

    def arrive(self, link: Link) -> SkyportClient | None:
        """A new connection; None: it was refused, and told why."""
        client = SkyportClient(link, self._names)
        refusal = self._shut
        if len(self.clients) >= self.settings.connections:
            refusal = "too many connections: try again later"
        elif self._unnamed >= self.settings.strangers:
            refusal = "too many connections without a handshake: try again later"
        if refusal is not None:
            client.is_gone = True
            client.refuse(refusal)
            link.finish()
            return None
        self.clients.add(client)
        self._unnamed += 1
        return client

    def hear(self, client: SkyportClient, raw: bytes) -> None:
        """Take a line of a client, as bytes without its end."""
        if client.is_gone:
            return
        line = client.read(raw)
        if line is None:
            return
        playing = self._matches.get(client)
        if playing is not None:
            playing.hear(client, line)
            return
        had_name = client.session.name is not None
        client.take(line)
        if not had_name and client.session.name is not None:
            self._unnamed -= 1
            self._seat(client)

    def _seat(self, client: SkyportClient) -> None:
        """Give the client, which has a name now, the next seat."""
        self.waiting.append(client)
        if len(self.waiting) < self.settings.seats:
            self._on_wait(self, client)
        else:
            self._begin()

    def fill(self, client: SkyportClient) -> None:
        """If the client still waits, its match begins: practice bots take the free seats."""
        fill = self.settings.fill
        if fill is None or client not in self.waiting:
            return
        while len(self.waiting) < self.settings.seats:
            self.waiting.append(self._bot_client(fill.bot))
        self._begin()

    def _bot_client(self, bot: str) -> SkyportClient:
        """A client that is a built-in bot, by a name that no other has."""
        client = SkyportClient(NoLink(), self._names, bot)
        wanted = (bot if number == 1 else f"{bot}{number}" for number in count(1))
        name = next(name for name in wanted if name not in self._names())
        client.take(wire.format_message(wire.handshake(name)))
        return client

    def _names(self) -> set[str]:
        return {client.name for client in self.waiting}

    def _begin(self) -> None:
        seed = self.settings.seed + self.begun
        playing = SkyportMatch(self.waiting, self.settings, seed, self._clock)
        self._matches |= {client: playing for client in self.waiting if not client.bot}
        self.waiting = []
        self.begun += 1
        self._on_begin(self, playing)
        playing.begin()

    def handshake_is_over(self, client: SkyportClient) -> None:
        """The time for a handshake has passed: drop the client if none has come."""
        if client.session.name is None:
            patience = format_ns(self.settings.handshake_ns)
            self.drop(client, Failure(Fault.TIMEOUT, f"no handshake within {patience}"))

    def drop(self, client: SkyportClient, failure: Failure) -> None:
        """Tell the client why, and close its connection."""
        if not client.is_gone:
            client.refuse(failure.detail)
            self.leave(client, failure)
            client.link.finish()

    def leave(self, client: SkyportClient, failure: Failure = DISCONNECTED) -> None:
        """A client will send nothing more. In a match it is still sent all lines.

        If it waits for one, its seat is free again.
        """
        if client.is_gone:
            return
        client.is_gone = True
        self.clients.discard(client)
        if client.session.name is None:
            self._unnamed -= 1
        playing = self._matches.pop(client, None)
        if playing is not None:
            playing.leave(client, failure)
            return
        if client in self.waiting:
            self.waiting.remove(client)
        client.link.finish()

    def shut(self, reason: str) -> None:
        """Refuse new clients, and drop those that are in no match."""
        self._shut = reason
        for client in self.clients - self._matches.keys():
            client.refuse(reason)
            self.leave(client)

    def give_up(self, reason: str) -> None:
        """End all matches too; their clients are told why."""
        self.shut(reason)
        for client in self.clients:
            client.is_gone = True
            client.refuse(reason)
            client.link.finish()
        self.clients.clear()
        self._matches.clear()
