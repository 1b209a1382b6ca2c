"""What one client says, judged by the game's own dialogue.

The dialogue knows the protocol and the text of every refusal. A server adds two things: a name can
be taken, and a gamestate is written once for all clients, not once for each (see `playing.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.dialogue import LEGAL
from agon.games.skyport import wire
from agon.games.skyport.notation import parse_turn
from agon.games.skyport.protocol import JsonDialogue

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from agon.games.skyport.move import Turn
    from agon.games.skyport.position import SkyportPosition


class ClientSession(JsonDialogue):
    """The conversation with a client, from its handshake on."""

    def __init__(self, taken: Callable[[], Collection[str]]) -> None:
        """`taken` gives the names that other clients have when this one connects."""
        super().__init__()
        self.name: str | None = None
        self._taken = taken

    @property
    def turn(self) -> Turn:
        """The loadout or the turn as it stands: what counts when the time is over."""
        return parse_turn(self.standing())

    @property
    def has_begun_turn(self) -> bool:
        """Whether actions have come of a turn that is due and not complete."""
        return self._asked is not None and self._asked.turn > 0 and bool(self._actions)

    def show(self, position: SkyportPosition, asked: bool) -> bool:
        """The client sees this position from now on; asked: its turn is due.

        Whether that turn is there already: a loadout may have come before it was asked for.
        """
        if asked:
            self.ask(position)
        else:
            self.watch(position)
        return asked and self.given() is not None

    def take(self, line: str) -> bool:
        """Take a line; whether a turn that was asked for is complete with it.

        What is to be answered waits in `replies`. A line `legal` before the handshake asks for the
        legal moves.
        """
        if line == LEGAL and self.name is None and not self.lists_moves:
            self.list_moves()
            return False
        return self.read(line) is not None

    def _connect(self, message: dict[str, Any]) -> None:
        if self.name is None:
            wire.parse_handshake(message, self._taken())
        super()._connect(message)
        self.name = wire.parse_handshake(message)

    def _gamestate(self, position: SkyportPosition) -> str:
        """Empty: `SkyportMatch` writes it, for all clients at once."""
        return ""
