"""A room: clients come in, say who they are, and take the seats of the next match in that order.

As soon as a match is full it begins, and whoever comes next waits for the one after it. No I/O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arbiter.limits import format_ns
from agon.match.transcript import Fault
from agon.servers.skyport.client import Client
from agon.servers.skyport.playing import HUNG_UP, Playing

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.servers.skyport.client import Link
    from agon.servers.skyport.settings import SkyportSettings


class Room:
    """Guests, those who wait for a match, and the matches under way."""

    def __init__(
        self,
        name: str,
        settings: SkyportSettings,
        clock: Callable[[], int],
        on_begin: Callable[[Room, Playing], None] = lambda room, playing: None,
    ) -> None:
        """`on_begin` is told of every match before its first gamestate is sent."""
        self.name = name
        self.settings = settings
        self.guests: set[Client] = set()
        """All that are connected and can still say something."""
        self.waiting: list[Client] = []
        """Those with a seat in a match that has not begun, in the order of their seats."""
        self.begun = 0
        self._strangers = 0
        self._shut: str | None = None
        self._clock = clock
        self._on_begin = on_begin

    def arrive(self, link: Link) -> Client | None:
        """Somebody dials in; None: there is no room, and it was told so."""
        guest = Client(link, lambda: {other.name for other in self.waiting})
        refusal = self._shut
        if len(self.guests) >= self.settings.connections:
            refusal = "too many connections: try again later"
        elif self._strangers >= self.settings.strangers:
            refusal = "too many connections without a handshake: try again later"
        if refusal is not None:
            guest.is_gone = True
            guest.refuse(refusal)
            link.finish()
            return None
        self.guests.add(guest)
        self._strangers += 1
        return guest

    def hear(self, guest: Client, raw: bytes) -> None:
        """A line of a guest, as bytes without its end."""
        if guest.is_gone:
            return
        line = guest.read(raw)
        if line is None:
            return
        if guest.playing is not None:
            guest.playing.hear(guest, line)
            return
        is_new = guest.session.name is None
        guest.take(line)
        if is_new and guest.session.name is not None:
            self._strangers -= 1
            self._seat(guest)

    def _seat(self, guest: Client) -> None:
        """The guest has a name now: it gets the next seat."""
        self.waiting.append(guest)
        if len(self.waiting) < self.settings.seats:
            return
        playing = Playing(self.waiting, self.settings, self.settings.seed + self.begun, self._clock)
        self.waiting = []
        self.begun += 1
        self._on_begin(self, playing)
        playing.begin()

    def handshake_is_over(self, guest: Client) -> None:
        """The time for a handshake has passed: who has not said its name is dropped."""
        if guest.session.name is None:
            patience = format_ns(self.settings.handshake_ns)
            self.drop(guest, Fault.TIMEOUT, f"no handshake within {patience}")

    def drop(self, guest: Client, fault: Fault, complaint: str) -> None:
        """Have no more to do with a guest; it is told why."""
        if not guest.is_gone:
            guest.refuse(complaint)
            self.leave(guest, fault, complaint)
            guest.link.finish()

    def leave(self, guest: Client, fault: Fault = Fault.CRASH, detail: str = HUNG_UP) -> None:
        """A guest cannot say anything any more. In a match it still gets all that is told.

        Before that there is nothing for it to get, and its seat is for the next one.
        """
        if guest.is_gone:
            return
        guest.is_gone = True
        self.guests.discard(guest)
        if guest.session.name is None:
            self._strangers -= 1
        if guest.playing is not None:
            guest.playing.leave(guest, fault, detail)
            return
        if guest in self.waiting:
            self.waiting.remove(guest)
        guest.link.finish()

    def shut(self, reason: str) -> None:
        """Let nobody in any more, and send those away who are in no match."""
        self._shut = reason
        for guest in [one for one in self.guests if one.playing is None]:
            guest.refuse(reason)
            self.leave(guest)

    def give_up(self, reason: str) -> None:
        """End everything; those in matches are told why, too."""
        self.shut(reason)
        for guest in [*self.guests]:
            guest.is_gone = True
            guest.refuse(reason)
            guest.link.finish()
        self.guests.clear()
