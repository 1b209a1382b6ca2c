"""A match that a server plays: its timers, its spectators, and the practice bots in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.games.skyport import wire
from agon.games.skyport.move import PASS, Loadout

if TYPE_CHECKING:
    import asyncio

    from agon.arbiter.seat import Answer
    from agon.arena.live_matches import LiveMatch
    from agon.arena.people.bots import MatchBots
    from agon.games.game import JsonObject, Position
    from agon.games.skyport.move import Turn
    from agon.games.skyport.position import SkyportPosition
    from agon.match.match import Match
    from agon.servers.skyport.playing import SkyportMatch


@dataclass(slots=True, eq=False)
class Underway:
    """A match under way, its timers and its spectators."""

    room: str
    number: int
    playing: SkyportMatch
    begin_ns: int
    live: LiveMatch | None
    bots: MatchBots | None = None
    """The practice bots that play in it."""
    step: int = 0
    """The step whose time is running."""
    timer: asyncio.TimerHandle | None = None
    match_timer: asyncio.TimerHandle | None = None

    @property
    def match(self) -> Match:
        return self.playing.match

    def ask_bots(self) -> None:
        """Ask the practice bots that owe a turn; without a client that listens they hurry."""
        clients = self.playing.clients
        is_watched = any(not client.bot and not client.is_gone for client in clients)
        for seat in self.match.owed:
            if self.bots is not None and clients[seat].bot:
                allowed_ns = self.playing.patience_ns // 2
                self.bots.ask(seat, self.playing.position, allowed_ns, is_watched=is_watched)

    def hear_bot(self, seat: int, asked: Position[Any], answer: Answer, took: int) -> None:
        """A practice bot's turn: it sends what a client would send."""
        if self.bots is None or self.playing.position.turn != asked.turn:
            return  # the match was given up, or its time was over
        for message in turn_messages(self.playing.position, answer.turn):
            self.playing.hear(self.playing.clients[seat], wire.format_message(message))

    def stop_clock(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def stop(self) -> None:
        """No time runs any more, and no bot is heard."""
        self.bots = None
        self.stop_clock()
        if self.match_timer is not None:
            self.match_timer.cancel()


def turn_messages(position: SkyportPosition, turn: Turn) -> list[JsonObject]:
    """A turn as a client sends it: a loadout, or actions with which the turn is over."""
    if isinstance(turn, Loadout):
        return [wire.loadout_message(turn)]
    actions = turn if position.ends_turn(turn) else (*turn, PASS)
    return [wire.action_message(action) for action in actions]
