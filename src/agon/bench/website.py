"""How heavy the website is: pages with all that they load, and replays, as they are sent."""

from __future__ import annotations

import http.client
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.limits import Limits
from agon.arbiter.match import play_match
from agon.errors import AgonError
from agon.games.registry import NAMES, find_game
from agon.website.replays import compress, replay_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arbiter.match import Match

MOST_PAGE_BYTES = 100 << 10
MOST_REPLAY_BYTES = 300 << 10
TURNS = 500
SEEDS = range(4)
LONG = {
    "atlantis": {"board": "hexagon", "size": "4"},
    "skyport": {"turns": "300"},
    "mebipenny": {"rows": "40", "cols": "40"},
}
"""Options with which a match lasts that long, for games whose matches are shorter by themselves."""
CROWDED = {"mebipenny": 4}
"""Seats of such a match where they are not two."""
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
class ReplayWeight:
    """The replay document of a match, packed."""

    game: str
    turns: int
    packed: int

    @property
    def scaled(self) -> int:
        """What it would take if the match had lasted for all turns that were wanted."""
        return self.packed * max(TURNS, self.turns) // max(1, self.turns)


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


def weigh_replays(turns: int = TURNS) -> Iterator[ReplayWeight]:
    """The replay of a long match of every game."""
    for name in NAMES:
        match = play_long_match(name, turns)
        packed = sum(map(len, compress(replay_lines(match.transcript, None))))
        yield ReplayWeight(name, match.turns, packed)


def play_long_match(name: str, turns: int = TURNS) -> Match:
    """The longest of a few matches between random bots, cut off after so many turns."""
    game = find_game(name)
    options = game.parse_options(LONG.get(name, {}))
    longest: Match | None = None
    for seed in SEEDS:
        bots = [game.bot("random", seed + seat) for seat in range(CROWDED.get(name, 2))]
        match = play_match(game, bots, Limits(turns=turns), options, seed)
        if longest is None or match.turns > longest.turns:
            longest = match
        if longest.turns >= turns:
            break
    if longest is None:
        raise AgonError("no match was played")
    return longest
