"""How heavy the website is: pages with all that they load, and replays, as they are sent."""

from __future__ import annotations

import http.client
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from agon.arbiter.arbiter import play_match
from agon.arbiter.limits import Limits
from agon.errors import AgonError
from agon.games.registry import find_game
from agon.website.http.encoding import COMPRESSORS
from agon.website.replay.pieces import load_match, make_piece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agon.match.result import MatchResult

MOST_PAGE_BYTES = 100 << 10
MOST_REPLAY_BYTES = 1 << 20
TURNS = 500
PATIENCE = 60
PLAIN = re.compile(rb'(?:href|src)="(/(?:static|looks)/[^"]+)"')
IMPORT = re.compile(rb'from "\./([^"]+)"')


@dataclass(frozen=True, slots=True)
class PageWeight:
    """What a browser loads for a page that it sees for the first time, in bytes on the wire."""

    path: str
    own: int
    assets: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.own + self.assets


@dataclass(frozen=True, slots=True)
class Long:
    """A match that lasts long, or as long as such matches do."""

    game: str
    seats: int
    bot: str
    seed: int
    options: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """What plays what."""
        told = "".join(f", {name} {value}" for name, value in self.options.items())
        return f"{self.game}, {self.seats} {self.bot}{told}"


ALL_TILES = {"variant": "Base+MLP"}
HEXAGON, LARGE_HEXAGON = ({"board": "hexagon", "size": size} for size in ("4", "5"))
BOARD, LARGEST_BOARD = ({"rows": side, "cols": side} for side in ("64", "256"))
LONG = (
    Long("hive", 2, "random", 1, ALL_TILES),
    Long("hive", 2, "greedy", 10, ALL_TILES),
    Long("atlantis", 2, "random", 1, HEXAGON),
    Long("atlantis", 2, "greedy", 0, HEXAGON),
    Long("atlantis", 6, "random", 2, LARGE_HEXAGON),
    Long("atlantis", 6, "greedy", 2, LARGE_HEXAGON),
    Long("battlebots", 2, "random", 2),
    Long("battlebots", 2, "greedy", 10),
    Long("battlebots", 4, "random", 4),
    Long("battlebots", 4, "greedy", 9),
    Long("battlebots", 8, "random", 0),
    Long("battlebots", 8, "greedy", 2),
    Long("skyport", 2, "random", 0, {"turns": "400"}),
    Long("skyport", 2, "greedy", 0, {"turns": "400"}),
    Long("skyport", 8, "random", 0),
    Long("skyport", 8, "greedy", 0),
    Long("mebipenny", 2, "random", 1, BOARD),
    Long("mebipenny", 2, "greedy", 0, BOARD),
    Long("mebipenny", 4, "random", 0, BOARD),
    Long("mebipenny", 4, "greedy", 0, BOARD),
    Long("mebipenny", 4, "greedy", 0, LARGEST_BOARD),
)
"""Matches of few and of many; their seeds and boards are those with which they last longest."""


@dataclass(frozen=True, slots=True)
class ReplayWeight:
    """The replay of a match: all its pieces, compressed by Brotli."""

    match: str
    turns: int
    pieces: int
    packed: int


def weigh_page(port: int, path: str) -> PageWeight:
    """Load a page and its style sheets, scripts and icons from a server on this machine."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        own, text = _load(connection, path)
        waiting = {address.decode() for address in PLAIN.findall(text)}
        known: dict[str, int] = {}
        while waiting:
            address = waiting.pop()
            known[address], text = _load(connection, address)
            if address.endswith(".js"):
                waiting |= set(_imports(address, text)) - known.keys()
        return PageWeight(path, own, sum(known.values()))
    finally:
        connection.close()


def _imports(address: str, text: bytes) -> Iterator[str]:
    folder = address.rsplit("/", 1)[0]
    return (f"{folder}/{name.decode()}" for name in IMPORT.findall(text))


def _load(connection: http.client.HTTPConnection, path: str) -> tuple[int, bytes]:
    """How many bytes an answer takes, with its head; and what it says."""
    import gzip

    connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
    response = connection.getresponse()
    body = response.read()
    if response.status != http.client.OK:
        raise AgonError(f"{path}: status {response.status}, expected 200")
    head = sum(len(name) + len(value) + 4 for name, value in response.getheaders())
    is_packed = response.headers["content-encoding"] == "gzip"
    return len(body) + head, gzip.decompress(body) if is_packed else body


def weigh_replays(turns: int = TURNS) -> list[ReplayWeight]:
    """The replays of long matches of every game; as many at once as there are cores."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=context) as pool:
        return list(pool.map(partial(weigh_replay, turns=turns), LONG))


def weigh_replay(long: Long, turns: int) -> ReplayWeight:
    """The replay of one of them."""
    match = load_match(play_long_match(long, turns).transcript)
    size = match.piece_size.longer
    firsts = range(0, match.last_turn + 1, size.turns)
    packed = sum(len(COMPRESSORS["br"](make_piece(match, first, None, size))) for first in firsts)
    return ReplayWeight(str(long), match.last_turn, len(firsts), packed)


def play_long_match(long: Long, turns: int) -> MatchResult:
    """The match, cut off after so many turns."""
    game = find_game(long.game)
    bots = [game.bot(long.bot, long.seed + seat) for seat in range(long.seats)]
    options = game.parse_options(long.options)
    return play_match(game, bots, Limits(turns=turns), options, long.seed)
