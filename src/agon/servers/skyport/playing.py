"""One match from its first gamestate to its last: lines in, lines out, and no I/O.

What clients are told, in this order:

1. When all seats are taken: gamestate 0, to all. Loadouts count until turn 1, also those that came
   earlier; turn 1 comes when all are there, or after the start delay.
2. Each turn: the gamestate, to all. The turn ends with its third action, a valid shot or a pass,
   or when the time is over.
3. Then, at once: endturn and every action that was carried out, to all; after that, to the client
   that acted, an error for each of its actions that was refused; and the next gamestate.
4. What is no action of a turn (no JSON, another message, an action out of turn or too late) is
   answered by an error at once, when it is read.
5. After the last turn the last gamestate, to all; then the connections are closed. When the time
   of the match is over, the last turn is the one with which all have had as many.

A client that disconnects is out (R19): the match does not wait for it, it stays on the board and
pays. What it had sent of its turn until then counts. There is no clock here: `patience_ns` says how
long to wait for what is due, and `time_is_over` that this time has passed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agon.games.skyport import wire
from agon.games.skyport.game import GAME
from agon.games.skyport.position import SkyportPosition
from agon.match.match import Match
from agon.match.result import Failure
from agon.match.transcript import Fault
from agon.servers.skyport.client import ClientNews, format_news

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.games.game import Json
    from agon.match.match import Change
    from agon.match.result import MatchResult
    from agon.servers.skyport.client import SkyportClient
    from agon.servers.skyport.settings import SkyportSettings

DISCONNECTED = Failure(Fault.CRASH, "it hung up")


class SkyportMatch:
    """A match of clients: tells its `Match` their turns, and them what came of it."""

    def __init__(
        self,
        clients: Sequence[SkyportClient],
        settings: SkyportSettings,
        seed: int,
        clock: Callable[[], int],
    ) -> None:
        """Clients by seat; the clock, in nanoseconds, only measures how long they thought."""
        self.clients = tuple(clients)
        self.names = tuple(client.name for client in clients)
        players = [client.describe() for client in clients]
        self.match = Match.start(GAME, players, settings.options, seed)
        self.step = 0
        """Rises with every gamestate; `time_is_over` for an earlier step has no effect."""
        self.on_position: Callable[[SkyportPosition], None] = lambda position: None
        self.on_wait: Callable[[], None] = lambda: None
        """Called when the match waits for clients, or is over."""
        self._settings = settings
        self._clock = clock
        self._asked_at = 0
        self._took: dict[int, int] = {}
        """The seats whose turns are complete, and after how long each was."""
        self._is_shown = False
        for seat, client in enumerate(clients):
            client.seat = seat

    @property
    def position(self) -> SkyportPosition:
        return SkyportPosition.of(self.match.position)

    @property
    def is_over(self) -> bool:
        """Whether the last gamestate has been sent."""
        return self.match.is_over and self._is_shown

    @property
    def patience_ns(self) -> int:
        """How long to wait for what is due in this step, from when the gamestate was sent."""
        return self._settings.think_ns if self.position.turn else self._settings.start_delay_ns

    def begin(self) -> None:
        """Send the first gamestate."""
        self._go_on()

    def hear(self, client: SkyportClient, line: str) -> None:
        """Take a line of a client."""
        if client.take(line):
            self._took[client.seat] = self._elapsed()
            self._go_on()

    def time_is_over(self, step: int) -> None:
        """The time for this step is over: what is there counts."""
        if step == self.step and not self.is_over:
            for seat in self.match.owed:
                self._took.setdefault(seat, self._elapsed())
            self._go_on()

    def match_time_is_over(self) -> None:
        """R18: the round that is under way is the last.

        The record is that of a match with so many turns: by it nothing else is different.
        """
        if not self.match.is_over:
            self.match.change_options(self.position.in_last_round().options)

    def leave(self, client: SkyportClient, failure: Failure = DISCONNECTED) -> None:
        """A client will send nothing more; the actions that it has sent of a turn count."""
        seat = client.seat
        if self.match.is_over or seat not in self.match.staying:
            return
        if client.session.has_begun_turn:
            self.match.submit(seat, client.session.turn, self._elapsed())
            self._tell(self.match.advance())
        if not self.match.is_over:
            self._tell(self.match.drop({seat: failure}))
        self._go_on()

    def result(self) -> MatchResult:
        """The record of the match, which is over, with the lines that were exchanged."""
        found = self.match.result()
        logs: list[Json] = [[*client.log] for client in self.clients]
        return replace(found, transcript=replace(found.transcript, extra={"wire": logs}))

    def _go_on(self) -> None:
        """Play until a turn is owed, or the match is over."""
        while not self.is_over:
            if not self._is_shown:
                self._show()
            elif self._took.keys() >= {*self.match.owed}:
                self._play()
            else:
                break
        if self.is_over:
            for client in self.clients:
                client.link.finish()
        self.on_wait()

    def _show(self) -> None:
        """Send the gamestate to all; it asks the seats that owe a turn."""
        self._is_shown = True
        self.step += 1
        self._took = {}
        self._tell_all(format_news([wire.gamestate(self.position, self.names)]))
        for seat, client in enumerate(self.clients):
            is_asked = seat in self.match.owed
            if client.session.show(self.position, is_asked):
                self._took[seat] = 0
            elif is_asked and client.session.lists_moves:
                client.tell(ClientNews([client.session.legal_line(self.position, seat)]))
        self._asked_at = self._clock()

    def _elapsed(self) -> int:
        return max(0, self._clock() - self._asked_at)

    def _play(self) -> None:
        """Play the turns as they stand: until turn 1 a later loadout replaces an earlier one."""
        for seat in self.match.owed:
            self.match.submit(seat, self.clients[seat].session.turn, self._took[seat])
        self._tell(self.match.advance())

    def _tell(self, change: Change) -> None:
        before, after = SkyportPosition.of(change.before), SkyportPosition.of(change.after)
        self.on_position(after)
        if change.turns or self.match.is_over:
            self._is_shown = False
        if change.turns and before.turn:
            self._tell_end_of_turn(after, before.to_act[0])

    def _tell_end_of_turn(self, position: SkyportPosition, actor: int) -> None:
        deeds, name = position.deeds, self.names[actor]
        others = format_news(wire.end_of_turn(deeds, name, own=False))
        self._tell_all(others, but=actor)
        is_same = all(deed.refusal is None for deed in deeds)
        own = others if is_same else format_news(wire.end_of_turn(deeds, name, own=True))
        self.clients[actor].tell(own)

    def _tell_all(self, news: ClientNews, but: int | None = None) -> None:
        for seat, client in enumerate(self.clients):
            if seat != but:
                client.tell(news)
