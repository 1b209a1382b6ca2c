"""A whole Battlebots bot: every turn it reads what it sees, and answers with orders.

Make it yours in `choose`, near the end: for now it marches at random. `agon bot check .` tries the
bot out, `agon match battlebots . greedy --watch` lets it play.
"""

from __future__ import annotations

import math
import random
import sys
from typing import NamedTuple


class Fort(NamedTuple):
    """A fort that we see. Our home, where we began, is at 0 0."""

    name: str
    x: int
    y: int
    owner: str  # "neutral" if no player owns it
    soldiers: int


class March(NamedTuple):
    """An army on a road that we see."""

    origin: str
    target: str
    owner: str
    soldiers: int
    steps: int  # to go


class Order(NamedTuple):
    """So many soldiers leave one of our forts for a neighbour."""

    origin: str
    target: str
    soldiers: int


class View:
    """What we see in a turn: our forts, their neighbours, and what is between them."""

    def __init__(self, me: str, forts: list[Fort], roads: list[list[str]], marches: list[March]):
        """`me` is our name."""
        self.me = me
        self.forts = {fort.name: fort for fort in forts}
        self.marches = marches
        self.neighbours: dict[str, list[str]] = {fort.name: [] for fort in forts}
        for one, other in roads:
            self.neighbours[one].append(other)
            self.neighbours[other].append(one)

    def own_forts(self) -> list[Fort]:
        """The forts that we may send soldiers from."""
        return [fort for fort in self.forts.values() if fort.owner == self.me]

    def steps(self, one: str, other: str) -> int:
        """How many turns the march between two forts takes."""
        a, b = self.forts[one], self.forts[other]
        return math.isqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 - 1) + 1


def choose(view: View) -> list[Order]:
    """Send some soldiers from some forts. This is where your bot begins."""
    orders = []
    for fort in view.own_forts():
        near = view.neighbours[fort.name]
        if near and fort.soldiers > 0 and random.random() < 0.5:
            orders.append(Order(fort.name, random.choice(near), random.randint(1, fort.soldiers)))
    return orders


def read_section() -> list[list[str]]:
    """The words of each line, after a header that says how many lines there are."""
    header = sys.stdin.readline()
    if not header:
        sys.exit()  # the match is over
    return [sys.stdin.readline().split() for _ in range(int(header.split()[0]))]


def main() -> None:
    """Read what we see, and answer; until there is no more input."""
    home = me = ""
    while True:
        forts = [Fort(n, int(x), int(y), who, int(size)) for n, x, y, who, size in read_section()]
        roads = read_section()
        marches = [March(a, b, who, int(n), int(steps)) for a, b, who, n, steps in read_section()]
        for fort in forts:
            if (fort.x, fort.y) == (0, 0) and fort.name != home:
                home, me = fort.name, fort.owner  # the first turn of a match: this is us
        orders = choose(View(me, forts, roads, marches))
        lines = [f"{len(orders)} marches:", *(f"{a} {b} {size}" for a, b, size in orders)]
        print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
