"""Matches and rooms without a network: clients whose links only write down what they are sent."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from agon.games.skyport import wire
from agon.games.skyport.position import SkyportPosition
from agon.match.transcript import Transcript, TurnEvent, played_positions
from agon.servers.skyport.client import SkyportClient
from agon.servers.skyport.playing import SkyportMatch
from tests.servers.skyport.calling import LASER_DROID, SHORT, connect


class Pad:
    """A link that keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_finished = False

    def send(self, data: bytes) -> None:
        assert not self.is_finished
        self.sent.append(data)

    def finish(self) -> None:
        self.is_finished = True

    @property
    def lines(self) -> list[str]:
        return b"".join(self.sent).decode().splitlines()

    def take(self) -> list[dict[str, Any]]:
        """The messages since the last time."""
        found = [json.loads(line) for line in self.lines]
        self.sent = []
        return found


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class Scripted:
    """A match of clients with such links."""

    def __init__(self, *names: str, **changes: Any) -> None:
        self.clock = Clock()
        self.pads = [Pad() for _ in names]
        self.clients = [SkyportClient(pad, set) for pad in self.pads]
        for client, name in zip(self.clients, names, strict=True):
            client.session.take(json.dumps(connect(name)))
        settings = replace(SHORT, seats=len(names), **changes)
        self.playing = SkyportMatch(self.clients, settings, settings.seed, self.clock)

    @property
    def actor(self) -> int:
        return self.playing.position.to_act[0]

    def say(self, seat: int, *messages: dict[str, Any]) -> None:
        for message in messages:
            self.playing.hear(self.clients[seat], json.dumps(message))

    def begin(self) -> None:
        """Up to turn 1; what was sent until then is forgotten."""
        self.playing.begin()
        for seat in range(len(self.pads)):
            self.say(seat, LASER_DROID)
        self.forget()

    def forget(self) -> None:
        for pad in self.pads:
            pad.sent = []

    def take(self, seat: int) -> list[dict[str, Any]]:
        return self.pads[seat].take()


def derived_lines(transcript: Transcript, seat: int) -> list[str]:
    """What a seat is sent in a match, by its record alone; without errors that answer at once."""
    names = [str(player["name"]) for player in transcript.players]
    positions = [SkyportPosition.of(position) for position in played_positions(transcript)]
    turns = [event.turns for event in transcript.events if isinstance(event, TurnEvent)]
    messages = [wire.gamestate(positions[0], names)]
    for before, after, played in zip(positions, positions[1:], turns, strict=False):
        if before.turn:
            (actor,) = played
            messages += wire.end_of_turn(after.deeds, names[actor], actor == seat)
        messages.append(wire.gamestate(after, names))
    return [wire.format_message(message) for message in messages]
