"""What `agon skyport serve` prints: where it listens, and each match as it begins and ends."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from agon.games.skyport.game import AUTO
from agon.games.skyport.maps import name_for
from agon.servers.skyport.server import Reporter
from agon.servers.skyport.settings import SECOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.cli.console import JsonValue
    from agon.match.result import MatchResult
    from agon.servers.skyport.playing import SkyportMatch
    from agon.servers.skyport.server import SkyportServer
    from agon.servers.skyport.settings import RoomAddress

HELLO = '{"message": "connect", "revision": 1, "name": "NAME"}'


class Teller(Reporter):
    """Prints to stdout until it is closed; the matches go on in any case."""

    def __init__(self) -> None:
        self._is_heard = True

    def say(self, text: str) -> None:
        if self._is_heard:
            try:
                print(text, flush=True)
            except BrokenPipeError:
                self._is_heard = False

    def server_starts(self, server: SkyportServer, places: Sequence[RoomAddress]) -> None: ...


class TextReporter(Teller):
    """For people: a line each."""

    def __init__(self, data: str | None = None) -> None:
        """`data` is the datastore as the command line named it, for commands to copy."""
        super().__init__()
        self._where = "" if data is None else f" --data {shlex.quote(data)}"

    def server_starts(self, server: SkyportServer, places: Sequence[RoomAddress]) -> None:
        """Where to connect to, and how."""
        settings = server.settings
        options = settings.options
        name = name_for(settings.seats) if options.map == AUTO else options.map
        length = "" if settings.match_ns is None else f" within {settings.match_ns / SECOND:g} s"
        self.say(
            f"Skyport for {settings.seats} players on"
            f" {'a map of your own' if options.map_text else f'map {name}'},"
            f" {options.turns} turns each{length}, {settings.think_ns / SECOND:g} s to think"
        )
        for place in places:
            self.say(f"{place.name}: listening on {place.host} port {server.ports[place.name]}")
        self.say(f"a client connects there over TCP and says first: {HELLO}")
        if settings.fill is not None:
            waited = f"{settings.fill.after_ns / SECOND:g} s"
            self.say(f"seats still free {waited} after a client came are for {settings.fill.bot}")
        self.say("Ctrl-C stops the server")

    def match_begins(self, room: str, number: int, playing: SkyportMatch) -> None:
        told = [f"{c.name} (built-in)" if c.bot else c.name for c in playing.clients]
        self.say(f"{room}: a match begins: {', '.join(told)}")

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        """Who has won, and where to look at it."""
        names = [str(player["name"]) for player in match.transcript.players]
        told = ", ".join(
            f"{name} {score}" + ("" if fault is None else f" ({fault})")
            for name, score, fault in zip(names, match.outcome.scores, match.faults, strict=True)
        )
        winner = match.outcome.winner
        result = "a draw" if winner is None else f"{names[winner]} wins"
        where = f"agon replay --match {match_id}{self._where}"
        if match_id is None:
            where = f"not stored: {trouble}" if trouble else "not stored"
        self.say(f"{room}: {result}: {told}; {where}")

    def match_is_given_up(self, room: str, number: int, playing: SkyportMatch) -> None:
        turn, names = playing.position.turn, ", ".join(playing.names)
        self.say(f"{room}: a match is given up at turn {turn}, and not stored: {names}")


class JsonReporter(Teller):
    """For programs: a JSON object a line."""

    def server_starts(self, server: SkyportServer, places: Sequence[RoomAddress]) -> None:
        rooms: list[JsonValue] = [
            {"room": place.name, "host": place.host, "port": server.ports[place.name]}
            for place in places
        ]
        settings = server.settings
        self._print(event="listening", rooms=rooms, players=settings.seats, seed=settings.seed)

    def match_begins(self, room: str, number: int, playing: SkyportMatch) -> None:
        self._print(
            event="begin",
            room=room,
            number=number,
            players=list(playing.names),
            built_in=[client.name for client in playing.clients if client.bot],
            seed=playing.match.setup.seed,
        )

    def match_ends(
        self, room: str, number: int, match: MatchResult, match_id: int | None, trouble: str
    ) -> None:
        """How it ended, and its id."""
        self._print(
            event="end",
            room=room,
            number=number,
            players=[str(player["name"]) for player in match.transcript.players],
            scores=list(match.outcome.scores),
            faults=[None if fault is None else fault.value for fault in match.faults],
            reason=match.outcome.reason,
            match=match_id,
            trouble=trouble or None,
        )

    def match_is_given_up(self, room: str, number: int, playing: SkyportMatch) -> None:
        self._print(event="given up", room=room, number=number, players=list(playing.names))

    def _print(self, **event: JsonValue) -> None:
        self.say(json.dumps(event))
