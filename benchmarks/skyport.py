"""Skyport's contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays it without a network. The plain one, a dictionary of tiles and
an object for each robot, is the slow referee of the tests.
"""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

from agon.games.skyport.game import GAME, SkyportOptions
from agon.games.skyport.move import WEAPONS
from benchmarks.measure import Contest, Contestant
from benchmarks.random_play import compiled, interpreted
from tests.games.skyport.naive import NaiveSkyport

if TYPE_CHECKING:
    from collections.abc import Iterator

CAP = 2000
BATCH = 32
USUAL = SkyportOptions(map="two")
LARGE = SkyportOptions(map="eight")


def skyport_contests() -> Iterator[Contest]:
    """All contests of Skyport, each on one core."""
    for options in (USUAL, LARGE):
        rivals = [plain(options)]
        if options == USUAL:
            flags = ("--option", f"map={options.map}", "--option", f"turns={options.turns}")
            command = ("simulate", "skyport", "--games", "10", "--threads", "1", "--cap", "300")
            rivals.append(interpreted("plies", *command, *flags))
        ours = compiled(GAME.simulation(options), BATCH, CAP)
        field = options.find_map(None)
        title = f"random play, {field.side} by {field.side} for {field.seats}"
        yield Contest(title, "plies", (ours, *rivals))


def plain(options: SkyportOptions) -> Contestant:
    """The tests' own implementation."""
    field = options.find_map(None)
    loadouts = [*permutations(WEAPONS, 2)]
    rng = Random(1)  # noqa: S311

    def work() -> int:
        order = rng.sample(range(field.seats), field.seats)
        match = NaiveSkyport(field.rows, order, options.turns)
        match.choose_loadouts(rng.choices(loadouts, k=field.seats))
        turns = 1  # the loadouts, which are one ply of ours too
        while turns < CAP and not match.is_over:
            match.take_random_turn(rng)
            turns += 1
        return turns

    return Contestant("plain Python with dictionaries", work)
