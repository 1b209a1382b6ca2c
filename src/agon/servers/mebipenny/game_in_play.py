"""A game in play: whose turn it is, which requests are held, and how it ends.

No socket and no event loop: a request that is held is a function that answers it, and time comes
from a clock and from deadlines that are passed in.

A player is asked by the answer to its last request. The answer carries a token, which the next move
must bring back: it is good for one move of one seat in one game. From then on the player's time
runs, whether its client is still there or not.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from agon.arbiter.limits import format_ns
from agon.errors import AgonError, IllegalMoveError
from agon.games.http_exchange import RefusedError, encode, parse_body
from agon.games.mebipenny.http_api import HttpPlayer
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.mebipenny.wire import format_delta, format_game, parse_new_move
from agon.match.result import Failure
from agon.match.transcript import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agon.arbiter.seat import Answer
    from agon.arena.people.bots import MatchBots
    from agon.arena.people.party import BotPlayer
    from agon.games.game import JsonObject, Position
    from agon.games.http_exchange import Leave, Respond
    from agon.games.mebipenny.wire import WirePlayer
    from agon.match.match import Change, Match
    from agon.servers.deadlines import Deadline, Deadlines

HICCUP = 20 * 10**6
"""A deadline that fires so many nanoseconds late means a busy machine, not a slow player."""
LONGEST_DETAIL = 300


class SeatedPlayer(HttpPlayer):
    """A player with a seat: a client, or a practice bot."""

    def __init__(self, player: WirePlayer, bot: BotPlayer | None = None) -> None:
        super().__init__()
        self.player = player
        self.bot = bot
        self.known: MebiPennyPosition | None = None
        """The position before its last move: the next Delta tells what has changed since."""

    def describe(self) -> JsonObject:
        """What the transcript says of this player."""
        entry: JsonObject = {"name": self.player.name}
        if self.bot is None:
            return entry | {"kind": "guest"}
        if self.bot.version_id is None:
            return entry | {"kind": "built-in", "bot": self.bot.built_in}
        return entry | {"kind": "program", "version": self.bot.version_id}


class GameInPlay:
    """The turns of one game: tells its `Match` the moves, and the players what came of them."""

    def __init__(
        self,
        match: Match,
        seats: Sequence[SeatedPlayer],
        begin_ns: int,
        turn_ns: int,
        clock: Callable[[], int],
        deadlines: Deadlines,
        on_change: Callable[[Change], None],
        on_end: Callable[[], None],
        delay_ns: int = 0,
        bots: MatchBots | None = None,
    ) -> None:
        """`begin_ns` is the time of day at which it begins; `delay_ns` passes after each turn.

        `bots` are the practice bots of the game; they look after their time themselves.
        """
        self.match = match
        self.begin_ns = begin_ns
        self.seats = seats
        self.players = [seat.player for seat in seats]
        self._turn_ns = turn_ns
        self._clock = clock
        self._deadlines = deadlines
        self._on_change = on_change
        self._on_end = on_end
        self._delay_ns = delay_ns
        self._bots = bots
        self._asked = self._deadline = 0
        self._alarm: Deadline | None = None

    @property
    def position(self) -> MebiPennyPosition:
        return MebiPennyPosition.of(self.match.position)

    def begin(self) -> None:
        """Ask the first seat; a game without a tile is over at once."""
        self._go_on()

    def game(self, viewer: int | None) -> JsonObject:
        """The whole game as that seat sees it, or an observer."""
        return format_game(self.position, self.players, viewer)

    def move(self, token: bytes | None, body: bytes, respond: Respond) -> Leave:
        """The player with this token moves; it is answered at its next turn, or at the end.

        Raises RefusedError; for a move that is illegal the player is disqualified as well.
        """
        before = self.position
        player = self.seats[before.next_seat]
        player.check_token(token)
        data = parse_body(body)
        took = self._clock() - self._asked
        try:
            move = parse_new_move(before, data, self.players)
        except AgonError as error:
            fault = Fault.ILLEGAL if isinstance(error, IllegalMoveError) else Fault.PROTOCOL
            self._disqualify(fault, str(error))
            raise RefusedError(403, f"{error}; you are disqualified") from None
        self.match.submit(before.next_seat, move, took)
        player.known = before
        leave = player.hold(respond)
        self._go_on()
        return leave

    def _go_on(self) -> None:
        """Play what has come; then ask the next player, or end."""
        self.stop()
        delay_ns = 0
        for change in self.match.changes():
            self._on_change(change)
            if self._bots is not None:
                self._bots.tell(change, self.match.faults)
            delay_ns = self._delay_ns
        if self.match.is_over:
            self._end()
        elif delay_ns:
            self._alarm = self._deadlines.set(self._clock() + delay_ns, self._ask)
        else:
            self._ask()

    def _ask(self) -> None:
        """The next player's time begins with the answer that has its token."""
        seat = self.position.next_seat
        self._asked = self._clock()
        if self._bots is not None and self.seats[seat].bot is not None:
            self._bots.ask(seat, self.match.position, self._turn_ns, is_watched=True)
            return
        self.seats[seat].token = secrets.token_urlsafe(18).encode()
        self._deadline = self._asked + self._turn_ns
        self._alarm = self._deadlines.set(self._deadline, self._time_is_up)
        self._tell(seat)

    def hear_bot(self, seat: int, asked: Position[Any], answer: Answer, took: int) -> None:
        """The answer of a practice bot to the question in that position."""
        if self._bots is None or self.match.position is not asked:
            return
        if answer.failure is None:
            self.match.submit(seat, answer.turn, took, answer.warnings)
        else:
            self.match.fail(seat, answer.failure, took)
        self._go_on()

    def drop(self, failures: Mapping[int, Failure]) -> None:
        """R13: these seats are out, for their programs have not started."""
        self._on_change(self.match.drop(failures))
        self._go_on()

    def _tell(self, seat: int) -> None:
        if self.seats[seat].is_held:
            self.seats[seat].answer_news(self.news(seat))

    def news(self, seat: int) -> bytes:
        """What the player is told: the Game the first time, after that what has changed."""
        known = self.seats[seat].known
        if known is None:
            return encode(self.game(seat))
        return encode(format_delta(known, self.position, self.players, seat))

    def _time_is_up(self) -> None:
        late = self._clock() - self._deadline
        if late > HICCUP:  # the move may have arrived meanwhile: read first
            self._deadline += 2 * late
            self._alarm = self._deadlines.set(self._deadline, self._time_is_up)
            return
        self._disqualify(Fault.TIMEOUT, f"no move within {format_ns(self._turn_ns)}")

    def _disqualify(self, fault: Fault, detail: str) -> None:
        """R13: the seat to move is out, and the game over."""
        self.match.fail(self.position.next_seat, Failure(fault, detail[:LONGEST_DETAIL]))
        self._go_on()

    def _end(self) -> None:
        """Answer all held requests, without a token."""
        for seat in range(len(self.seats)):
            self._tell(seat)
        if self._bots is not None:
            self._bots.end(self.match.outcome)
        self._on_end()

    def give_up(self) -> None:
        """It is not played on."""
        self.stop()
        if self._bots is not None:
            self._bots.stop()
            self._bots = None

    def stop(self) -> None:
        """No move is expected any more, and no time runs."""
        for player in self.seats:
            player.token = None
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
