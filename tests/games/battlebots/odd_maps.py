"""Maps for tests that generators do not make: crowded, with short roads and armies on them."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from agon.games.battlebots.field import Battlefield, Fort, March, lines_touch

if TYPE_CHECKING:
    from random import Random

NAMES = "abcdefghijklmnopqrstuvwxyz"
PLAYERS = ("ann", "bob", "cid", "dan", "eve", "flo", "gus", "hal")


def odd_map(rng: Random, players: int) -> Battlefield:
    """A few forts on a small grid, roads as long as they do not cross, and some armies."""
    count = rng.randint(players, players + 5)
    grid = [(x, y) for x in range(7) for y in range(5)]
    places = rng.sample(grid, count)
    owners = [*PLAYERS[:players], *rng.choices([*PLAYERS[:players], "neutral"], k=count - players)]
    forts = tuple(
        Fort(NAMES[i], *places[i], owners[i], rng.choice([0, 1, 3, 10, 30])) for i in range(count)
    )
    pairs = list(combinations(range(count), 2))
    rng.shuffle(pairs)
    if rng.random() < 0.5:
        pairs.sort(key=lambda p: abs(forts[p[0]].x - forts[p[1]].x))
    roads: list[tuple[int, int]] = []
    lines = [(place, place) for place in places]
    for i, j in pairs[: rng.randint(count, 30)]:
        if not any(lines_touch(places[i], places[j], *line) for line in lines):
            lines.append((places[i], places[j]))
            roads.append((i, j) if rng.random() < 0.5 else (j, i))
    field = Battlefield(forts, tuple((NAMES[i], NAMES[j]) for i, j in roads))
    return Battlefield(forts, field.roads, tuple(odd_marches(rng, field, PLAYERS[:players])))


def odd_marches(rng: Random, field: Battlefield, players: tuple[str, ...]) -> list[March]:
    """At most one army at each point."""
    marches = []
    for one, other in field.roads:
        for steps in range(1, field.length[one, other]):
            if rng.random() < 0.15:
                way = (one, other, steps)
                if rng.random() < 0.5:
                    way = (other, one, field.length[one, other] - steps)
                marches.append(March(*way[:2], rng.choice(players), rng.randint(1, 12), way[2]))
    return marches
