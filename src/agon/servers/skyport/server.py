"""The server: listens, runs the timers of all matches, stores them and shows them.

    server = SkyportServer(SkyportSettings(), [RoomAddress(port=0)], keep=keep_match)
    await server.start()
    server.ports  # {"main": 40213}
    await server.ended()  # after as many matches as the settings say
    await server.close()

Everything runs in one event loop; a thread stores the matches, and practice bots think in threads.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import TYPE_CHECKING

from agon.arena.people.party import BotPlayer, Party, Person
from agon.arena.people.programs import BotReports
from agon.errors import SettingError
from agon.games.bot import Budget
from agon.games.skyport.game import GAME
from agon.games.skyport.move import DEFAULT_LOADOUT, MINE
from agon.servers.match_store import FinishedMatch, MatchStore, keep_nothing
from agon.servers.practice_bots import PracticeBots, log_error
from agon.servers.process import backlog, open_listener, until_client
from agon.servers.skyport.connection import SECOND, SkyportConnection, after_reading
from agon.servers.skyport.room import Room
from agon.servers.skyport.settings import RoomAddress, SkyportSettings
from agon.servers.skyport.underway import Underway

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatches
    from agon.match.result import MatchResult
    from agon.servers.game_server import GameServer, ServerContext
    from agon.servers.match_store import Keep
    from agon.servers.skyport.client import SkyportClient
    from agon.servers.skyport.playing import SkyportMatch

SEED_BITS = 40
NO_MORE_MATCHES = "no more matches are played here"
GIVEN_UP = "the server ends, and the match with it"


class Reporter:
    """Is told what the server does; this one reports nothing."""

    def match_begins(self, room: str, number: int, playing: SkyportMatch) -> None:
        """The match of this number, from 1, has all its players."""

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        """It is over and stored under that id; if it is not stored, `trouble` says why."""

    def match_is_given_up(self, room: str, number: int, playing: SkyportMatch) -> None:
        """It was under way when the server was closed."""


class SkyportServer:
    """Rooms in which clients meet, each with a port of its own."""

    game = GAME
    app = None

    def __init__(
        self,
        settings: SkyportSettings,
        places: Sequence[RoomAddress] = (RoomAddress(),),
        *,
        keep: Keep = keep_nothing,
        live_matches: LiveMatches | None = None,
        reporter: Reporter | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        wall_clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """Without `keep` nothing is stored, without `live_matches` matches have no live page."""
        self.settings = settings
        self.ports: dict[str, int] = {}
        """Where each room listens, once the server has started."""
        self._places = {place.name: place for place in places}
        if len(self._places) != len(places):
            raise SettingError(f"rooms {', '.join(p.name for p in places)}: two of the same name")
        self._live_matches = live_matches
        self._reporter = reporter or Reporter()
        self._clock = clock
        self._wall_clock = wall_clock
        self._rooms: list[Room] = []
        self._bound: dict[str, socket.socket] = {}
        self._listeners: list[asyncio.Server] = []
        self._connections: set[SkyportConnection] = set()
        self._matches: dict[SkyportMatch, Underway] = {}
        self._storing: set[asyncio.Task[None]] = set()
        self._begun = 0
        self._match_store = MatchStore(keep)
        self._practice_bots = PracticeBots(GAME, settings.think_ns, clock=clock)
        self._change = asyncio.Event()
        """Set when a match has been stored or a connection closed."""

    def bind(self) -> None:
        """Take the ports of all rooms. Clients wait until `start`."""
        for name, place in self._places.items():
            try:
                self._bound[name] = open_listener(place.host, place.port)
            except SettingError as error:
                self._stop_listening()
                raise SettingError(f"room {name}: {error}") from None
            self.ports[name] = self._bound[name].getsockname()[1]

    async def until_client(self) -> None:
        await until_client(self._bound.values())

    async def start(self) -> None:
        """Let clients in, in all rooms."""
        if not self._bound:
            self.bind()
        for name, listener in self._bound.items():
            await self._open(name, listener)

    async def _open(self, name: str, listener: socket.socket) -> None:
        room = Room(name, self.settings, self._clock, self._match_begins, self._client_waits)

        def welcome() -> SkyportConnection:
            connection = SkyportConnection(room, self._connection_lost)
            self._connections.add(connection)
            return connection

        loop = asyncio.get_running_loop()
        self._rooms.append(room)
        self._listeners.append(await loop.create_server(welcome, sock=listener, backlog=backlog()))

    async def ended(self) -> None:
        """Wait until all matches of the settings are stored and all connections closed."""
        while (
            self._begun != self.settings.matches
            or self._matches
            or self._storing
            or self._connections
        ):
            self._change.clear()
            await self._change.wait()

    async def close(self) -> int:
        """Give up the matches under way, close all connections, and finish storing."""
        self._stop_listening()
        given_up = len(self._matches)
        for underway in self._matches.values():
            underway.stop()
            if underway.live is not None:
                underway.live.end(None)
            self._reporter.match_is_given_up(underway.room, underway.number, underway.playing)
        self._matches.clear()
        for room in self._rooms:
            room.give_up(GIVEN_UP)
        while self._connections or self._storing:  # bounded by farewell_ns
            self._change.clear()
            await self._change.wait()
        for listener in self._listeners:
            await listener.wait_closed()
        self._match_store.close()
        await self._practice_bots.close()
        return given_up

    def _stop_listening(self) -> None:
        for listener in self._listeners:
            listener.close()
        for bound in self._bound.values():
            bound.close()

    @property
    def port(self) -> int:
        """Of the first room; 0: none yet."""
        return next(iter(self.ports.values()), 0)

    @property
    def under_way(self) -> list[Underway]:
        """The matches that are being played."""
        return [*self._matches.values()]

    # --- practice bots ---

    def _client_waits(self, room: Room, client: SkyportClient) -> None:
        fill = self.settings.fill
        if fill is not None:
            asyncio.get_running_loop().call_later(fill.after_ns / SECOND, room.fill, client)

    def _seat_bots(self, underway: Underway) -> None:
        """Have the practice bots of a match made, if it has any."""
        clients, match = underway.playing.clients, underway.match
        if any(client.bot for client in clients):
            players = (BotPlayer(c.name, c.bot) if c.bot else Person(name=c.name) for c in clients)
            party = Party(GAME, self.settings.options, tuple(players))
            reports = BotReports(lambda *ready: None, underway.hear_bot, log_error)
            underway.bots = self._practice_bots.play(party, match.setup.seed, reports)

    # --- matches ---

    def _match_begins(self, room: Room, playing: SkyportMatch) -> None:
        """A match is full, and is about to send its first gamestate."""
        self._begun += 1
        begin_ns = self._wall_clock()
        live = None
        if self._live_matches is not None:
            live = self._live_matches.begin(GAME, playing.names, playing.position, begin_ns)
            playing.on_position = live.show
        underway = Underway(room.name, self._begun, playing, begin_ns, live)
        self._seat_bots(underway)
        playing.on_wait = lambda: self._follow(underway)
        self._matches[playing] = underway
        if self.settings.match_ns is not None:
            seconds = self.settings.match_ns / SECOND
            loop = asyncio.get_running_loop()
            underway.match_timer = loop.call_later(seconds, playing.match_time_is_over)
        self._reporter.match_begins(room.name, self._begun, playing)
        if self._begun == self.settings.matches:
            self._stop_listening()
            for one in self._rooms:
                one.shut(NO_MORE_MATCHES)

    def _follow(self, underway: Underway) -> None:
        """The match waits for clients, maybe in a new step, or is over."""
        playing = underway.playing
        if playing.is_over:
            underway.stop()
            del self._matches[playing]
            self._store(underway)
        elif underway.step != playing.step:
            underway.stop_clock()
            underway.step = playing.step
            underway.ask_bots()
            # The time runs from when the gamestate is sent, which an event loop may defer.
            asyncio.get_running_loop().call_soon(self._start_clock, underway, playing.step)

    def _start_clock(self, underway: Underway, step: int) -> None:
        if underway.step != step or underway.playing not in self._matches:
            return
        loop = asyncio.get_running_loop()
        seconds = underway.playing.patience_ns / SECOND
        underway.timer = loop.call_later(seconds, self._time_is_due, underway, step)

    def _time_is_due(self, underway: Underway, step: int) -> None:
        """What has arrived in time counts, even if this process has yet to read it."""
        loop = asyncio.get_running_loop()
        after_reading(loop, lambda: self._time_is_over(underway, step))

    def _time_is_over(self, underway: Underway, step: int) -> None:
        if underway.playing in self._matches:
            underway.playing.time_is_over(step)

    # --- storing ---

    def _store(self, underway: Underway) -> None:
        end_ns = self._wall_clock()
        task = asyncio.get_running_loop().create_task(self._store_match(underway, end_ns))
        self._storing.add(task)
        task.add_done_callback(self._is_stored)

    async def _store_match(self, underway: Underway, end_ns: int) -> None:
        match, live = underway.playing.result(), underway.live
        finished = FinishedMatch(match, underway.begin_ns, end_ns, live)
        kept = await asyncio.wrap_future(self._match_store.take(finished))
        place, trouble = (underway.room, underway.number), str(kept.trouble or "")
        self._reporter.match_ends(*place, match, kept.match_id, trouble)

    def _is_stored(self, task: asyncio.Task[None]) -> None:
        self._storing.discard(task)
        self._change.set()

    def _connection_lost(self, connection: SkyportConnection) -> None:
        self._connections.discard(connection)
        self._change.set()


def make_server(context: ServerContext, port: int) -> GameServer:
    """The server of a website: one room, two players, matches without end."""
    return SkyportServer(
        SkyportSettings(seed=secrets.randbits(SEED_BITS), fill=context.fill),
        [RoomAddress(port=port, host=context.host)],
        keep=context.keep,
        live_matches=context.live_matches,
    )


def warm_up(settings: SkyportSettings) -> None:
    """Compile or load the rules, and the bot for free seats, before any time is measured."""
    position = GAME.start(settings.options, settings.seed, settings.seats)
    if settings.fill is not None:
        GAME.bot(settings.fill.bot, 0).choose(position, 0, Budget(depth=1))
    position = position.play(dict.fromkeys(position.to_act, DEFAULT_LOADOUT))
    position.ends_turn((MINE,))
    position.play({position.to_act[0]: (MINE,)})
