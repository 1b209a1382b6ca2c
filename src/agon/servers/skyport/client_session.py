"""What one client says, judged by the game's own dialogue; what it is told is made elsewhere.

The dialogue knows the protocol and the words of every refusal. A server adds two things: a name can
be taken, and a gamestate is written once for all clients, not once for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.skyport import wire
from agon.games.skyport.action import NOTHING, parse_turn
from agon.games.skyport.protocol import JsonDialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from agon.games.skyport.action import Turn
    from agon.games.skyport.position import SkyportPosition


class ClientSession(JsonDialogue):
    """The conversation with a client, from its handshake on."""

    def __init__(self, taken: Callable[[], Collection[str]]) -> None:
        """`taken` tells the names that others have when this one connects."""
        super().__init__()
        self.name: str | None = None
        self.is_asked = False
        """Whether a turn of its own is due, and not complete yet."""
        self._taken = taken

    @property
    def turn(self) -> Turn:
        """The loadout or the turn as it stands: what counts when the time is over."""
        return parse_turn(self.standing())

    @property
    def has_begun_turn(self) -> bool:
        """Whether something of a turn has come that is not complete."""
        return self.is_asked and self.standing() != NOTHING

    def show(self, position: SkyportPosition, asked: bool) -> None:
        """The client sees this position from now on; asked: it has to answer.

        A loadout may have come before anybody asked.
        """
        if asked:
            self.ask(position)
        else:
            self.watch(position)
        self.is_asked = asked and self.given() is None

    def take(self, line: str) -> bool:
        """Take a line; whether a turn that was asked for is complete with it.

        What is to be answered waits in `replies`.
        """
        was_asked = self.is_asked
        if self.read(line) is not None:
            self.is_asked = False
        return was_asked and not self.is_asked

    def _connect(self, message: dict[str, Any]) -> None:
        if self.name is None:
            wire.parse_handshake(message, self._taken())
        super()._connect(message)
        self.name = wire.parse_handshake(message)

    def _gamestate(self, position: SkyportPosition) -> str:
        """Nothing: the match writes it, for everybody at once."""
        return ""
