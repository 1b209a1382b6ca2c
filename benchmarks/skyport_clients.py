"""Clients for the load on a server of Skyport: many connections in one process of their own.

    python -m benchmarks.skyport_clients PORT CLIENTS THINK_NS
    python -m benchmarks.skyport_clients PORT CLIENTS idle|named

With a time to think they play: each answers its turns at once with two moves and a pass, which are
all carried out if they come in time, and prints at the end what became of them, as JSON. Idle ones
only stay connected, with a name or without one, until the standard input ends.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STEPS = {
    "up": (-1, -1),
    "down": (1, 1),
    "right-up": (-1, 0),
    "right-down": (0, 1),
    "left-up": (0, -1),
    "left-down": (1, 0),
}
FREE = frozenset("GREC")
PASS = {"message": "action", "type": "pass"}
LOADOUT = {"message": "loadout", "primary-weapon": "laser", "secondary-weapon": "droid"}


@dataclass(slots=True)
class Tally:
    """What all clients of a process have seen."""

    turns: int = 0
    lost: int = 0
    """Turns of which an action was not carried out, though they were answered in time."""
    late: int = 0
    """Turns that this process itself answered too late: the server is not to blame."""
    errors: int = 0
    unfinished: int = 0
    slowest_ns: int = 0
    """The longest that a client waited from its answer to the end of its turn."""


def encode(messages: Iterable[dict[str, Any]]) -> bytes:
    """Messages as lines."""
    return "".join(f"{json.dumps(message)}\n" for message in messages).encode()


def two_moves(state: dict[str, Any]) -> list[dict[str, Any]]:
    """A walk of up to two steps over free hexes, for the player that is to act."""
    rows = state["map"]["data"]
    places = [tuple(map(int, player["position"].split(","))) for player in state["players"]]
    free = {
        (j, k)
        for j, row in enumerate(rows)
        for k, tile in enumerate(row)
        if tile in FREE and (j, k) not in places[1:]
    }
    walk, (j, k) = [], places[0]
    for _ in range(2):
        ways = [name for name, (dj, dk) in STEPS.items() if (j + dj, k + dk) in free]
        if ways:
            walk.append({"message": "action", "type": "move", "direction": ways[0]})
            j, k = j + STEPS[ways[0]][0], k + STEPS[ways[0]][1]
    return walk


class Client(asyncio.Protocol):
    """One connection that plays."""

    def __init__(self, name: str, think_ns: int, tally: Tally) -> None:
        """It counts into the tally."""
        self.is_over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._name = name
        self._think_ns = think_ns
        self._tally = tally
        self._rest = b""
        self._sent_at: int | None = None
        self._is_late = False
        self._due = 0
        self._has_ended_turn = False
        self._last_turn = -1

    def connection_made(self, transport: Any) -> None:
        """Say hello."""
        self._transport = transport
        hello = {"message": "connect", "revision": 1, "name": self._name}
        transport.write(encode([hello, LOADOUT]))

    def data_received(self, data: bytes) -> None:
        """Take all whole lines."""
        came = time.monotonic_ns()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line), came)

    def _take(self, message: dict[str, Any], came: int) -> None:
        kind = message.get("message")
        if kind == "gamestate":
            self._close_turn()
            self._last_turn = message["turn"]
            if message["turn"] and message["players"][0]["name"] == self._name:
                self._answer(message, came)
        elif kind == "action" and message["from"] == self._name:
            self._due -= 1
        elif kind == "endturn" and self._sent_at is not None:
            self._has_ended_turn = True
            waited = time.monotonic_ns() - self._sent_at
            self._tally.slowest_ns = max(self._tally.slowest_ns, waited)
        elif "error" in message:
            self._tally.errors += 1

    def _answer(self, message: dict[str, Any], came: int) -> None:
        answer = [*two_moves(message), PASS]
        self._transport.write(encode(answer))
        self._sent_at = time.monotonic_ns()
        self._is_late = self._sent_at - came > self._think_ns
        self._due = len(answer)

    def _close_turn(self) -> None:
        """The next gamestate is there: were all actions of the own turn carried out?"""
        if self._sent_at is None or not self._has_ended_turn:
            return
        self._tally.turns += 1
        self._tally.late += self._is_late
        self._tally.lost += self._due > 0 and not self._is_late
        self._sent_at, self._has_ended_turn = None, False

    def connection_lost(self, reason: Exception | None) -> None:
        """The match is over, or should not be."""
        if self._sent_at is not None and not self._has_ended_turn:
            self._sent_at = None  # the last gamestate names a player, but asks none
        if reason is not None or self._last_turn < 1:
            self._tally.unfinished += 1
        if not self.is_over.done():
            self.is_over.set_result(None)


def _itself(client: Client) -> Client:
    return client


async def play(port: int, clients: int, think_ns: int) -> Tally:
    """Connect them in order, and wait for the end of their matches."""
    loop, tally = asyncio.get_running_loop(), Tally()
    players = []
    for number in range(clients):
        client = Client(f"load-{number}", think_ns, tally)
        await loop.create_connection(partial(_itself, client), "127.0.0.1", port)
        players.append(client)
    await asyncio.gather(*(client.is_over for client in players))
    return tally


async def stay(port: int, clients: int, named: bool) -> None:
    """Connect, say no more than a name, and stay until the standard input ends."""
    loop, writers = asyncio.get_running_loop(), []
    for number in range(clients):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        if named:
            hello = {"message": "connect", "revision": 1, "name": f"idle-{number}"}
            writer.write(encode([hello]))
            await reader.readline()
        writers.append(writer)
    print("connected", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    for writer in writers:
        writer.close()


def main(arguments: Sequence[str]) -> None:
    """As the first lines of this file say."""
    port, clients, how = int(arguments[0]), int(arguments[1]), arguments[2]
    if how in ("idle", "named"):
        asyncio.run(stay(port, clients, how == "named"))
    else:
        print(json.dumps(asdict(asyncio.run(play(port, clients, int(how))))))


if __name__ == "__main__":
    main(sys.argv[1:])
