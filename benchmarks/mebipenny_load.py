"""MebiPenny's server under load, over real HTTP on this machine; the clients are another process.

Games side by side: two clients for each play a match that was drawn before, so that they have
nothing to think about, against the same clients posting to a trivial route of the same framework.
Held requests: so many players and observers wait at once.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING

import uvloop

from agon.games.mebipenny.game import GAME, MebiPennyOptions
from agon.games.mebipenny.move import PASS
from agon.servers.process import raise_file_limit
from benchmarks.http_swarm import PATIENCE, Swarm, header, request
from benchmarks.measure import Contest, Contestant
from benchmarks.served import serve_bare, serve_games, served

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.errors import AgonError
    from agon.games.mebipenny.move import Tile
    from benchmarks.http_swarm import Wire
    from benchmarks.served import Served

GAMES = 200
LEAST_RATIO = 1 / 3
HELD = 2000
MOST_HELD_BYTES = 500 << 20
PIECE = 2000
"""Moves or posts in a piece of work."""
SIDES = range(15, 25)
"""Of the boards: as matchmaking draws them, and games that begin together do not end together."""
WALLS = "0.1"
SEATS = 4  # of the games in which requests are held
NAME = b'{"name": "bench"}'


@dataclass(frozen=True, slots=True)
class Script:
    """A whole match: what was played, and for whom the ties were decided."""

    side: int
    seed: int
    turns: tuple[tuple[Tile, int], ...]


def write_script(side: int, seed: int = 1) -> Script:
    """A match of random moves on a square board, in which players pass only if they must."""
    rng, turns = Random(seed), []  # noqa: S311
    position = GAME.start(MebiPennyOptions(side, side, 2, WALLS), seed)
    while position.outcome is None:
        move = rng.choice([move for move in position.moves if move != PASS] or [PASS])
        turns.append((position.tile_of(move), position.favoured_by(move)))
        position = position.play_move(move)
    return Script(side, seed, tuple(turns))


class Pair:
    """Two clients who play one game after another."""

    def __init__(self, swarm: Swarm, wires: Sequence[Wire], scripts: Iterator[Script]) -> None:
        """They have a connection each."""
        self._swarm = swarm
        self._wires = wires
        self._scripts = scripts
        self._still_playing = 0
        self.script = next(scripts)

    def begin(self) -> None:
        """Make a game."""
        board = {"rows": self.script.side, "cols": self.script.side, "seed": self.script.seed}
        body = json.dumps({**board, "seed_coverage": float(WALLS)})
        self._wires[0].on_response = self._join
        self._wires[0].send(request(b"POST", b"/", body.encode()))

    def _join(self, head: bytes, body: bytes) -> None:
        path = self._swarm.expect(head, b"201", b"location")
        self._still_playing = len(self._wires)
        for wire in self._wires:
            client = Client(self._swarm, wire, path, self)
            wire.on_response = client.first_turn
            wire.send(request(b"POST", path + b"/players", NAME))

    def leave(self) -> None:
        """One of them has seen the end of the game."""
        self._still_playing -= 1
        if not self._still_playing:
            self.script = next(self._scripts)
            self.begin()


class Client:
    """One player of one game."""

    def __init__(self, swarm: Swarm, wire: Wire, path: bytes, pair: Pair) -> None:
        """Has joined the game at this path."""
        self._swarm = swarm
        self._wire = wire
        self._path = path + b"/moves"
        self._pair = pair
        self._turns: Iterator[bytes] = iter(())

    def first_turn(self, head: bytes, body: bytes) -> None:
        """The Game: who I am in the script."""
        token = self._swarm.expect(head, b"200", b"x-turn-token")
        ids = [player["id"] for player in json.loads(body)["players"]]
        is_first = not any(player["score"] for player in json.loads(body)["players"])
        by_seat = ids if is_first else ids[::-1]
        own = self._pair.script.turns[0 if is_first else 1 :: 2]
        self._turns = iter([_move(tile, by_seat[favoured]) for tile, favoured in own])
        self._wire.on_response = self.next_turn
        self._send(token)

    def next_turn(self, head: bytes, body: bytes) -> None:
        """A Delta: time for the next move of the script, or all is over."""
        self._swarm.expect(head, b"200")
        token = header(head, b"x-turn-token")
        if token is None:
            self._swarm.go_on(self._pair.leave)
        else:
            self._swarm.go_on(lambda: self._send(token))

    def _send(self, token: bytes) -> None:
        headers = b"x-turn-token: %b\r\n" % token
        self._wire.send(request(b"POST", self._path, next(self._turns), headers))


def _move(tile: Tile, favoured: str) -> bytes:
    return json.dumps({"tile": {"row": tile.row, "col": tile.col}, "favor": favoured}).encode()


async def play_games(swarm: Swarm, port: int, games: int) -> None:
    """Have so many pairs begin."""
    scripts = cycle([write_script(side) for side in SIDES])
    wires = await swarm.connect(port, 2 * games)
    for number in range(games):
        Pair(swarm, wires[2 * number : 2 * number + 2], scripts).begin()


async def post_trifles(swarm: Swarm, port: int, clients: int) -> None:
    """Have so many clients post something like a move, over and over."""
    post = request(
        b"POST",
        b"/0123456789abcdef/moves",
        b'{"tile": {"row": 3, "col": 14}, "favor": "0123456789abcdef"}',
        b"x-turn-token: 0123456789abcdef01234567\r\n",
    )
    for wire in await swarm.connect(port, clients):
        _post_over_and_over(swarm, wire, post)


def _post_over_and_over(swarm: Swarm, wire: Wire, post: bytes) -> None:
    def again(head: bytes, body: bytes) -> None:
        swarm.expect(head, b"200")
        swarm.go_on(lambda: wire.send(post))

    wire.on_response = again
    wire.send(post)


@contextmanager
def load_contest(games: int = GAMES, piece: int = PIECE) -> Iterator[Contest]:
    """The contest, with both servers up."""
    raise_file_limit()
    with (
        served(serve_games) as ours,
        served(serve_bare) as bare,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        playing, posting = Swarm(), Swarm()
        runner.run(play_games(playing, ours.port, games))
        runner.run(post_trifles(posting, bare.port, 2 * games))
        try:
            yield Contest(
                f"{games} games over HTTP side by side",
                "requests",
                (
                    Contestant("moves on Agon's server", lambda: runner.run(playing.work(piece))),
                    Contestant(
                        "a FastAPI route that does nothing", lambda: runner.run(posting.work(piece))
                    ),
                ),
            )
        finally:
            runner.run(playing.close())
            runner.run(posting.close())


@dataclass(frozen=True, slots=True)
class Held:
    """Requests that were held at once, and the memory that the server had then."""

    held: int
    resident_bytes: int
    error: AgonError | None
    """The first thing that went wrong, if anything did."""


def measure_held(wanted: int = HELD) -> Held:
    """Have so many requests held at once by a new server, and then games begin."""
    raise_file_limit()
    with (
        served(serve_games) as server,
        asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner,
    ):
        return runner.run(hold_requests(server, wanted))


async def hold_requests(server: Served, wanted: int) -> Held:
    """Of four requests three are players who wait for a fourth, and one is an observer."""
    swarm = Swarm()
    games = wanted // SEATS
    wires = await swarm.connect(server.port, SEATS * games)
    fours = [wires[begin : begin + SEATS] for begin in range(0, len(wires), SEATS)]
    (asking,) = await swarm.connect(server.port, 1)
    try:
        async with asyncio.timeout(PATIENCE):
            paths = [await _make_game(swarm, asking) for _ in range(games)]
            for path, four in zip(paths, fours, strict=True):
                for wire in four[1:]:
                    wire.send(request(b"POST", path + b"/players", NAME))
                four[0].send(request(b"POST", path + b"/observers"))
            for path, four in zip(paths, fours, strict=True):
                await four[0].received.wait()
                while await _players(asking, path) < SEATS - 1:
                    pass
            found = server.resident_bytes()
            await _begin_all(swarm, server.port, paths, wires)
    finally:
        await swarm.close()
    return Held(len(wires), found, swarm.error)


async def _make_game(swarm: Swarm, wire: Wire) -> bytes:
    head, _ = await wire.ask(request(b"POST", b"/", b'{"rows": 15, "cols": 15, "seats": 4}'))
    return swarm.expect(head, b"201", b"location")


async def _players(wire: Wire, path: bytes) -> int:
    _, body = await wire.ask(request(b"GET", path))
    return len(json.loads(body)["players"])


async def _begin_all(
    swarm: Swarm, port: int, paths: Sequence[bytes], wires: Sequence[Wire]
) -> None:
    """The last player comes to each game; the first player is asked, and no other."""
    begun = 0
    all_begun = asyncio.Event()

    def on_first_turn(head: bytes, body: bytes) -> None:
        nonlocal begun
        swarm.expect(head, b"200", b"x-turn-token")
        begun += 1
        if begun == len(paths):
            all_begun.set()

    latecomers = await swarm.connect(port, len(paths))
    for wire in (*wires, *latecomers):
        wire.on_response = on_first_turn
    for path, wire in zip(paths, latecomers, strict=True):
        wire.send(request(b"POST", path + b"/players", NAME))
    await all_begun.wait()
