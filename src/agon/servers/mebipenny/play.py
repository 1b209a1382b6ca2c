"""A game in play: whose turn it is, who waits for an answer, and how it ends.

No socket and no event loop: a request that is held is a function that answers it, and time comes
from a clock and from alarms that are passed in.

A player is asked by the answer to its last request. The answer carries a token, which the next move
must bring back: it is good for one move of one seat in one game. From then on the player's time
runs, whether its client is still there or not.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING

from agon.arbiter.limits import format_ns
from agon.errors import AgonError, IllegalMoveError
from agon.games.mebipenny.notation import format_move
from agon.games.mebipenny.wire import format_delta, format_game, parse_new_move
from agon.match.transcript import Fault
from agon.servers.mebipenny.reply import TURN_TOKEN, HttpReply, RefusedError, encode, parse_body

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.game import Json, JsonObject
    from agon.games.mebipenny.position import MebiPennyPosition, Move
    from agon.games.mebipenny.wire import Player
    from agon.servers.mebipenny.deadlines import Deadline, Deadlines
    from agon.servers.mebipenny.record import GameRecord
    from agon.servers.mebipenny.reply import Leave, Respond

HICCUP = 20 * 10**6
"""An alarm that goes off so many nanoseconds late tells of a busy machine, not of a slow player."""


@dataclass(eq=False, slots=True)
class HttpPlayer:
    """Somebody with a seat, and the request of theirs that is held, if there is one."""

    player: Player
    reply: Respond | None
    known: MebiPennyPosition | None = None
    """The position before its last move: the next Delta tells what has changed since."""

    def hold(self, reply: Respond) -> Leave:
        """Hold this request; what is to be called if its client goes away."""
        self.reply = reply

        def leave() -> None:
            if self.reply is reply:
                self.reply = None

        return leave

    def answer(self, answer: HttpReply) -> None:
        """Answer the request that is held; without one, the answer is lost."""
        reply, self.reply = self.reply, None
        if reply is not None:
            reply(answer)


class Play:
    """The turns of one game, from the first to the end."""

    def __init__(
        self,
        position: MebiPennyPosition,
        guests: Sequence[HttpPlayer],
        record: GameRecord,
        turn_ns: int,
        clock: Callable[[], int],
        deadlines: Deadlines,
        on_change: Callable[[MebiPennyPosition, MebiPennyPosition], None],
        on_end: Callable[[GameRecord], None],
    ) -> None:
        """The guests are by seat; `on_change` is told the position before and after an event."""
        self.position = position
        self.guests = guests
        self.players = [guest.player for guest in guests]
        self.record = record
        self._turn_ns = turn_ns
        self._clock = clock
        self._alarms = deadlines
        self._on_change = on_change
        self._on_end = on_end
        self._token: bytes | None = None
        self._asked = self._deadline = 0
        self._alarm: Deadline | None = None

    def begin(self) -> None:
        """Ask the first seat; a game without a tile is over at once."""
        self._go_on()

    def game(self, viewer: int | None) -> JsonObject:
        """The whole game as that seat sees it, or an observer."""
        return format_game(self.position, self.players, viewer)

    def move(self, token: bytes | None, body: bytes, reply: Respond) -> Leave:
        """The player with this token moves; `reply` answers at its next turn, or at the end.

        Raises RefusedError; for a move that is illegal the player is disqualified as well.
        """
        if token is None:
            raise RefusedError(
                403, "the header X-Turn-Token is missing: expected your last turn token"
            )
        if self._token is None or not compare_digest(token, self._token):
            text = token[:60].decode("latin-1")
            raise RefusedError(
                403, f"X-Turn-Token {text!r}: expected the token of the turn that is on"
            )
        data = parse_body(body)
        took = self._clock() - self._asked
        move = self._parse(data)
        before = self.position
        self.record.add(format_move(before, move), took)
        guest = self.guests[before.next_seat]
        guest.known = before
        leave = guest.hold(reply)
        self.stop()
        self.position = before.play_move(move)
        self._on_change(before, self.position)
        self._go_on()
        return leave

    def _parse(self, data: Json) -> Move:
        """The move; whoever sends one that is none is disqualified."""
        try:
            return parse_new_move(self.position, data, self.players)
        except AgonError as error:
            fault = Fault.ILLEGAL if isinstance(error, IllegalMoveError) else Fault.PROTOCOL
            self._disqualify(fault, str(error))
            raise RefusedError(403, f"{error}; you are disqualified") from None

    def _go_on(self) -> None:
        """Ask whoever is next, or end."""
        if self.position.outcome is not None:
            self._end()
            return
        guest = self.guests[self.position.next_seat]
        self._token = secrets.token_urlsafe(18).encode()
        self._asked = self._clock()
        self._deadline = self._asked + self._turn_ns
        self._alarm = self._alarms.set(self._deadline, self._time_is_up)
        if guest.reply is not None:
            news = self._news(self.position.next_seat)
            guest.answer(HttpReply(200, news, ((TURN_TOKEN, self._token),)))

    def _news(self, seat: int) -> bytes:
        """What the player is told: the Game the first time, after that what has changed."""
        known = self.guests[seat].known
        if known is None:
            return encode(self.game(seat))
        return encode(format_delta(known, self.position, self.players, seat))

    def _time_is_up(self) -> None:
        late = self._clock() - self._deadline
        if late > HICCUP:  # the move may have come meanwhile: first read what has come
            self._deadline += 2 * late
            self._alarm = self._alarms.set(self._deadline, self._time_is_up)
            return
        self._disqualify(Fault.TIMEOUT, f"no move within {format_ns(self._turn_ns)}")

    def _disqualify(self, fault: Fault, detail: str) -> None:
        """R13: the seat to move is out, and the game over."""
        before = self.position
        self.record.fail(before.next_seat, fault, detail)
        self.stop()
        self.position = before.drop({before.next_seat: fault.value})
        self._on_change(before, self.position)
        self._end()

    def _end(self) -> None:
        """Tell everybody who waits; nobody gets a token any more."""
        self.record.outcome = self.position.outcome
        for seat, guest in enumerate(self.guests):
            if guest.reply is not None:
                guest.answer(HttpReply(200, self._news(seat)))
        self._on_end(self.record)

    def stop(self) -> None:
        """No move is expected any more, and nobody's time runs."""
        self._token = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
