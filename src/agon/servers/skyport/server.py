"""The server: listens, keeps the time of all matches, stores them and shows them.

    server = SkyportServer(Settings(), [Place(port=0)], keep=keep_match)
    await server.start()
    server.ports  # {"main": 40213}
    await server.ended()  # after as many matches as the settings say
    await server.close()

Everything happens in one event loop, which nothing blocks: matches are stored by a thread.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import AgonError, SettingError
from agon.games.skyport.action import DEFAULT_LOADOUT, MINE
from agon.games.skyport.game import GAME
from agon.servers.skyport.connection import SECOND, Connection, after_reading
from agon.servers.skyport.room import Room
from agon.servers.skyport.settings import RoomAddress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agon.arena.live_matches import LiveMatch, Stage
    from agon.match.result import MatchResult
    from agon.match.transcript import Event, Transcript
    from agon.servers.skyport.client import Client
    from agon.servers.skyport.playing import Playing
    from agon.servers.skyport.settings import SkyportSettings

Keep: TypeAlias = "Callable[[MatchResult, int, int], int]"
"""Stores a match that began and ended then (nanoseconds since 1970); its id. Called in a thread."""

NO_MORE_MATCHES = "no more matches are played here"
GIVEN_UP = "the server ends, and the match with it"
BACKLOG = 1024


class Reporter:
    """What somebody who looks after the server wants to know; this one says nothing."""

    def match_begins(self, room: str, number: int, playing: Playing) -> None:
        """The match of this number, from 1, has all its players."""

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        """It is over and stored there; if it is not stored, `trouble` says why."""

    def match_is_given_up(self, room: str, number: int, playing: Playing) -> None:
        """It was under way when the server was closed."""


@dataclass(slots=True, eq=False)
class Underway:
    """What the server knows of a match besides the match."""

    room: str
    number: int
    playing: Playing
    begin_ns: int
    live: LiveMatch | None
    step: int = 0
    """The step whose time is running."""
    timer: asyncio.TimerHandle | None = None
    match_timer: asyncio.TimerHandle | None = None

    def setup(self) -> Transcript:
        """The match without its events."""
        return self.playing.setup()

    def events(self, first: int = 0) -> list[Event]:
        """What has happened, from the event of that number on."""
        return self.playing.events(first)

    def stop_clock(self) -> None:
        """No time is running for what is due."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def stop_clocks(self) -> None:
        """No time is running at all."""
        self.stop_clock()
        if self.match_timer is not None:
            self.match_timer.cancel()


class SkyportServer:
    """Rooms in which clients meet, each with a port of its own."""

    def __init__(
        self,
        settings: SkyportSettings,
        places: Sequence[RoomAddress] = (RoomAddress(),),
        *,
        keep: Keep | None = None,
        stage: Stage | None = None,
        reporter: Reporter | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        wall_clock: Callable[[], int] = time.time_ns,
    ) -> None:
        """Without `keep` nothing is stored, without a `stage` nobody watches."""
        self.settings = settings
        self.ports: dict[str, int] = {}
        """Where each room listens, once the server has started."""
        self._places = {place.name: place for place in places}
        if len(self._places) != len(places):
            raise SettingError(f"rooms {', '.join(p.name for p in places)}: two of the same name")
        self._keep = keep
        self._stage = stage
        self._reporter = reporter or Reporter()
        self._clock = clock
        self._wall_clock = wall_clock
        self._rooms: list[Room] = []
        self._listeners: list[asyncio.Server] = []
        self._connections: set[Connection] = set()
        self._matches: dict[Playing, Underway] = {}
        self._storing: set[asyncio.Task[None]] = set()
        self._begun = 0
        self._writer = ThreadPoolExecutor(1, "skyport-store")
        self._change = asyncio.Event()
        """Set whenever a match has been stored or a connection has gone."""

    async def start(self) -> None:
        """Get the rules ready, then listen in all rooms."""
        await asyncio.to_thread(warm_up, self.settings)
        try:
            for place in self._places.values():
                await self._open(place)
        except BaseException:
            await self.close()
            raise

    async def _open(self, place: RoomAddress) -> None:
        room = Room(place.name, self.settings, self._clock, self._match_begins)

        def welcome() -> Connection:
            connection = Connection(room, self._look, self._connection_lost)
            self._connections.add(connection)
            return connection

        loop = asyncio.get_running_loop()
        try:
            listener = await loop.create_server(welcome, place.host, place.port, backlog=BACKLOG)
        except (OSError, OverflowError) as error:
            where = f"{place.host}:{place.port}"
            reason = explain_trouble(error)
            raise SettingError(f"room {place.name}: cannot listen on {where}: {reason}") from None
        self._rooms.append(room)
        self._listeners.append(listener)
        self.ports[place.name] = listener.sockets[0].getsockname()[1]

    async def ended(self) -> None:
        """Wait until all matches that the settings want are over, stored, and their guests gone."""
        while (
            self._begun != self.settings.matches
            or self._matches
            or self._storing
            or self._connections
        ):
            self._change.clear()
            await self._change.wait()

    async def close(self) -> None:
        """Give up the matches under way, let everybody go, and store what is still to be stored."""
        self._stop_listening()
        for underway in self._matches.values():
            underway.stop_clocks()
            if underway.live is not None:
                underway.live.end(None)
            self._reporter.match_is_given_up(underway.room, underway.number, underway.playing)
        self._matches.clear()
        for room in self._rooms:
            room.give_up(GIVEN_UP)
        while self._connections or self._storing:  # bounded: each has its time for a farewell
            self._change.clear()
            await self._change.wait()
        for listener in self._listeners:
            await listener.wait_closed()
        self._writer.shutdown()

    def _stop_listening(self) -> None:
        for listener in self._listeners:
            listener.close()

    @property
    def under_way(self) -> list[Underway]:
        """The matches that are being played."""
        return [*self._matches.values()]

    # --- matches ---

    def _match_begins(self, room: Room, playing: Playing) -> None:
        """A match is full, and about to send its first gamestate."""
        self._begun += 1
        begin_ns = self._wall_clock()
        live = None
        if self._stage is not None:
            live = self._stage.begin(GAME, playing.names, playing.position, begin_ns)
            playing.on_position = live.show
        underway = Underway(room.name, self._begun, playing, begin_ns, live)
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

    def _look(self, guest: Client) -> None:
        """Something was heard of this guest: its match may be a step further."""
        underway = None if guest.playing is None else self._matches.get(guest.playing)
        if underway is not None:
            self._follow(underway)

    def _follow(self, underway: Underway) -> None:
        playing = underway.playing
        if playing.is_over:
            underway.stop_clocks()
            del self._matches[playing]
            self._store(underway)
        elif underway.step != playing.step:
            underway.stop_clock()
            underway.step = playing.step
            # The time runs from when the gamestate has left, which an event loop may put off.
            asyncio.get_running_loop().call_soon(self._start_clock, underway, playing.step)

    def _start_clock(self, underway: Underway, step: int) -> None:
        if underway.step != step or underway.playing not in self._matches:
            return
        loop = asyncio.get_running_loop()
        seconds = underway.playing.patience_ns / SECOND
        underway.timer = loop.call_later(seconds, self._time_is_due, underway, step)

    def _time_is_due(self, underway: Underway, step: int) -> None:
        """What has arrived in time counts, even if this process was too busy to read it."""
        loop = asyncio.get_running_loop()
        after_reading(loop, lambda: self._time_is_over(underway, step))

    def _time_is_over(self, underway: Underway, step: int) -> None:
        if underway.playing in self._matches:
            underway.playing.time_is_over(step)
            self._follow(underway)

    # --- what is left of them ---

    def _store(self, underway: Underway) -> None:
        end_ns = self._wall_clock()
        task = asyncio.get_running_loop().create_task(self._store_match(underway, end_ns))
        self._storing.add(task)
        task.add_done_callback(self._is_stored)

    async def _store_match(self, underway: Underway, end_ns: int) -> None:
        match, match_id, trouble = underway.playing.match(), None, ""
        if self._keep is not None:
            loop, begin_ns = asyncio.get_running_loop(), underway.begin_ns
            try:
                match_id = await loop.run_in_executor(
                    self._writer, self._keep, match, begin_ns, end_ns
                )
            except AgonError as error:
                trouble = str(error)
        if underway.live is not None:
            underway.live.end(match_id)
        self._reporter.match_ends(underway.room, underway.number, match, match_id, trouble)

    def _is_stored(self, task: asyncio.Task[None]) -> None:
        self._storing.discard(task)
        self._change.set()

    def _connection_lost(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._change.set()


def explain_trouble(error: OSError | OverflowError) -> str:
    """Why a room cannot listen, in the system's words; event loops put more words around them."""
    number = getattr(error, "errno", None)
    if isinstance(error, socket.gaierror) or not number:
        return str(getattr(error, "strerror", None) or error)
    return os.strerror(number)


def warm_up(settings: SkyportSettings) -> None:
    """Have the rules compiled or loaded before a clock runs."""
    position = GAME.start(settings.options, settings.seed, settings.seats)
    position = position.play(dict.fromkeys(position.to_act, DEFAULT_LOADOUT))
    position.ends_turn((MINE,))
    position.play({position.to_act[0]: (MINE,)})
