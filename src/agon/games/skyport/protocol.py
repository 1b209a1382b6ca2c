"""The conversation with one seat: lines in, lines out, and no I/O.

    bot:   {"message": "connect", "revision": 1, "name": "walker"}
    arena: {"message": "connect", "status": true}
    arena: {"message": "gamestate", "gamestate": 0, "turn": 0, ...}
    bot:   {"message": "loadout", "primary-weapon": "droid", "secondary-weapon": "laser"}
    arena: {"message": "gamestate", "gamestate": 1, "turn": 1, ...}
    bot:   {"message": "action", "type": "move", "direction": "up"}
    bot:   {"message": "action", "type": "pass"}
    arena: {"message": "endturn"}
    arena: {"message": "action", "type": "move", "direction": "up", "from": "walker"}
    arena: {"message": "action", "type": "pass", "from": "walker"}
    arena: {"message": "gamestate", "gamestate": 2, "turn": 2, ...}

Nothing that a bot says is a fault: what is wrong is answered by an error, which waits in `replies`.
Late is no fault either: a turn is what came in time. After the last gamestate the connection ends.

A bot that asked for the legal moves is told what it may send next, behind the gamestate that asks
it and, until its turn is over, behind each of its actions:

    arena: {"message": "legal", "legal": [{"message": "action", "type": "mine"}, ...]}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agon.errors import ProtocolError
from agon.games.dialogue import LEGAL, Dialogue, Dialogues
from agon.games.skyport import wire
from agon.games.skyport.listing import legal_messages
from agon.games.skyport.move import DEFAULT_LOADOUT, Action
from agon.games.skyport.notation import format_action, format_turn
from agon.games.skyport.position import SkyportPosition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.dialogue import Briefing
    from agon.games.game import JsonObject, Outcome, Position
    from agon.games.skyport.move import Loadout, Turn

LONGEST_NAME = 16
MOST_WARNINGS = 20  # of the errors between two turns, so many are kept for the bot's author


class JsonDialogue(Dialogue):
    """The competition's protocol, revision 1, in its first and its later words."""

    is_live = True
    is_for_one_match = True
    can_list_moves = True

    def __init__(self) -> None:
        self.warnings = ()
        self._seat = 0
        self._given_names: Sequence[str] = ()
        self._name: str | None = None
        self._waiting: list[JsonObject] = []
        self._asked: SkyportPosition | None = None
        self._last: SkyportPosition | None = None
        self._loadout: Loadout | None = None
        self._actions: tuple[Action, ...] = ()
        self._errors: list[str] = []

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called: each client by the name that it connected with itself."""
        return wire_names(self._given_names, self._seat, self._name)

    def replies(self) -> list[str]:
        """The lines that wait to be sent: errors, and the answer to the handshake."""
        waiting, self._waiting = self._waiting, []
        return [wire.format_message(message) for message in waiting]

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """Nothing: the client speaks first."""
        self._seat = seat
        self._last = SkyportPosition.of(start)
        self._given_names = briefing.names or [""] * start.seats
        self._asked = None
        self._loadout = None
        return self.replies()

    def spell_name(self, name: str) -> str:
        """The name that a program is told, to connect with."""
        return fit_name(name)

    def is_ready(self) -> bool:
        """Whether the client has connected."""
        return self._name is not None

    def ask(self, position: Position[Any]) -> list[str]:
        self._asked = self._last = SkyportPosition.of(position)
        self._actions = ()
        return [*self.replies(), self._gamestate(self._asked)]

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """The loadouts, or the actions that may come next in this turn."""
        return wire.format_message(self._legal(SkyportPosition.of(position), seat))

    def _legal(self, position: SkyportPosition, seat: int) -> JsonObject:
        return {"message": LEGAL, LEGAL: [*legal_messages(position, seat, self._actions)]}

    def given(self) -> str | None:
        """R5: the loadout, if it was there before it was asked for."""
        is_early = self._asked is not None and not self._asked.turn and self._loadout is not None
        return self._end_turn() if is_early else None

    def watch(self, position: Position[Any]) -> list[str]:
        """The gamestate, in another's turn."""
        self._asked = None
        self._last = SkyportPosition.of(position)
        return [*self.replies(), self._gamestate(self._last)]

    def _gamestate(self, position: SkyportPosition) -> str:
        return wire.format_message(wire.gamestate(position, self.names))

    def tell(
        self, before: Position[Any], turns: Mapping[int, Turn], after: Position[Any]
    ) -> list[str]:
        """What was done in a turn, of any seat; its gamestate has been sent before."""
        earlier, later = SkyportPosition.of(before), SkyportPosition.of(after)
        self._asked = None
        self._last = later
        lines = self.replies()
        if earlier.turn:
            ((seat, _),) = turns.items()
            own = seat == self._seat
            told = wire.end_of_turn(later.deeds, self.names[seat], own)
            lines += map(wire.format_message, told)
        return lines

    def read(self, line: str) -> str | None:
        """Take a message: the text of a loadout or, once it is over, of a turn."""
        try:
            return self._read(wire.parse_message(line))
        except ProtocolError as complaint:
            self.refuse(str(complaint))
            return None

    def refuse(self, complaint: str) -> None:
        """An error in answer to a line, with which nothing else can be done."""
        self._waiting.append(wire.error(complaint))
        self._errors = [*self._errors, complaint][:MOST_WARNINGS]

    def _read(self, message: dict[str, Any]) -> str | None:
        kind = message["message"]
        if kind not in ("connect", "loadout", "action"):
            known = "connect, loadout, action"
            raise ProtocolError(f"message {wire.quote(kind)}: expected {known}")
        if kind == "connect":
            self._connect(message)
            return None
        if self._name is None:
            raise ProtocolError(f"message {wire.quote(kind)}: expected a handshake first")
        if kind == "loadout":
            return self._take_loadout(message)
        return self._take_action(wire.parse_action(message))

    def _connect(self, message: dict[str, Any]) -> None:
        if self._name is not None:
            raise ProtocolError("connect: you are connected already")
        self._name = wire.parse_handshake(message)
        self._waiting.append(wire.CONNECTED)

    def _take_loadout(self, message: dict[str, Any]) -> str | None:
        """R5: any time before turn 1; kept, if it comes before it is asked for."""
        if self._last is not None and self._last.turn:
            raise ProtocolError("loadout: the match has begun")
        self._loadout = wire.parse_loadout(message)
        return None if self._asked is None else self._end_turn()

    def _take_action(self, action: Action) -> str | None:
        """R7: one action more; the text of the turn if it is over with it."""
        if self._asked is None or not self._asked.turn:
            text = format_action(action)
            raise ProtocolError(f"{text[:80]}: it is not your turn")
        self._actions += (action,)
        if self._asked.ends_turn(self._actions):
            return self._end_turn()
        if self.lists_moves:
            self._waiting.append(self._legal(self._asked, self._asked.to_act[0]))
        return None

    def _end_turn(self) -> str:
        self._asked = None
        return self.standing()

    def standing(self) -> str:
        """The text of the turn as it stands: what counts when the time is over."""
        if self._last is not None and not self._last.turn:
            return str(self._loadout or DEFAULT_LOADOUT)
        return format_turn(self._actions)

    def parse(self, position: Position[Any], seat: int, text: str) -> Turn:
        """A turn in text, as `read` gives it; its `warnings` are the errors that answered it."""
        here = SkyportPosition.of(position)
        turn = here.parse_turn(seat, text)
        deeds = here.play({seat: turn}).deeds if here.turn else ()
        refused = [deed.refusal for deed in deeds if deed.refusal is not None]
        self.warnings, self._errors = (*self._errors, *refused), []
        return turn

    def close(self, outcome: Outcome | None) -> list[str]:
        """The last gamestate."""
        self._asked = None
        if self._last is None or self._name is None:
            return self.replies()
        return [*self.replies(), self._gamestate(self._last)]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return self.replies()


def fit_name(name: str) -> str:
    """A name like this one, of the letters that the protocol has for names.

    >>> fit_name("node bot.js {name} {port}"), fit_name("...")
    ('node-bot-js-name', 'player')
    """
    return re.sub(r"[^A-Za-z0-9_+]+", "-", name).strip("-")[:LONGEST_NAME].rstrip("-") or "player"


def wire_names(given: Sequence[str], seat: int, own: str | None) -> tuple[str, ...]:
    """Names as the protocol has them, all different; one seat has its own whatever the others have.

    >>> wire_names(["Ann B.", "Ann-B", "x"], 2, "Ann-B")
    ('Ann-B2', 'Ann-B3', 'Ann-B')
    """
    names = [fit_name(name) for name in given]
    taken = set()
    if own is not None:
        names[seat] = own
        taken = {own}
    for number, name in enumerate(names):
        if number == seat and own is not None:
            continue
        suffix = 1
        while names[number] in taken:
            suffix += 1
            names[number] = f"{name[: LONGEST_NAME - len(str(suffix))]}{suffix}"
        taken.add(names[number])
    return tuple(names)


DIALOGUES: Dialogues = {"json": JsonDialogue}
