"""A slow and obvious Battlebots: the referee that the fast rules are checked against.

Written from the rules text alone, with lists and dictionaries as a contestant would write it, and
sharing no code with the package. Every army is an object that knows how far it has come, in exact
fractions of a step; nothing is laid out in arrays, and nothing is kept up to date.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

NEUTRAL = "neutral"
HALF = Fraction(1, 2)


@dataclass
class Army:
    """Soldiers on a road, and how many steps they have come from their origin."""

    origin: str
    target: str
    owner: str
    size: int
    come: Fraction


class NaiveBattlebots:
    """One match."""

    def __init__(
        self,
        forts: dict[str, tuple[int, int, str, int]],
        roads: Iterable[tuple[str, str]],
        marches: Iterable[tuple[str, str, str, int, int]] = (),
        turn_limit: int = 500,
        most_soldiers: bool = False,
    ) -> None:
        self.places = {name: (x, y) for name, (x, y, _, _) in forts.items()}
        self.owner = {name: owner for name, (_, _, owner, _) in forts.items()}
        self.garrison = {name: size for name, (_, _, _, size) in forts.items()}
        self.roads = list(roads)
        self.armies: list[Army] = []
        for origin, target, owner, size, left in marches:
            come = Fraction(self.length(origin, target) - left)
            self.armies.append(Army(origin, target, owner, size, come))
        self.turn_limit = turn_limit
        self.most_soldiers = most_soldiers
        self.turn = 0
        self.players = sorted({owner for owner in self.owner.values() if owner != NEUTRAL})
        self.homes = {
            player: self.places[min(f for f in self.owner if self.owner[f] == player)]
            for player in self.players
        }
        self.out: dict[str, int] = {}  # R10: the turn in which each went out
        self.failed: set[str] = set()  # R12

    def length(self, one: str, other: str) -> int:
        """R2: the distance, rounded up, without any float."""
        (ax, ay), (bx, by) = self.places[one], self.places[other]
        square = (ax - bx) ** 2 + (ay - by) ** 2
        steps = math.isqrt(square)
        return steps if steps * steps == square else steps + 1

    def left(self, army: Army) -> int:
        """The steps that an army has to go."""
        steps = self.length(army.origin, army.target) - army.come
        assert steps.denominator == 1
        return int(steps)

    def neighbours(self, fort: str) -> list[str]:
        """The forts at the other ends of a fort's roads."""
        ends = [other for one, other in self.roads if one == fort]
        return ends + [one for one, other in self.roads if other == fort]

    def still_in(self) -> list[str]:
        """R10, R12: the players that order."""
        return [p for p in self.players if p not in self.out and p not in self.failed]

    def is_over(self) -> bool:
        """R11: whether the match has ended."""
        return len(self.still_in()) <= 1 or self.turn >= self.turn_limit

    # --- a turn ---

    def play(self, orders: dict[str, list[tuple[str, str, int]]]) -> None:
        """R4: a turn with legal orders of each player."""
        for player, sent in orders.items():
            assert player in self.still_in()
            for origin, target, size in sent:
                self.send(player, origin, target, size)
        for _ in range(2):
            for army in self.armies:
                army.come += HALF
            self.collide()
        self.besiege()
        for fort, owner in self.owner.items():
            if owner != NEUTRAL:  # R9
                self.garrison[fort] += 1
        self.turn += 1
        for player in self.players:
            if player not in self.out and not self.has_anything(player):  # R10
                self.out[player] = self.turn

    def send(self, player: str, origin: str, target: str, size: int) -> None:
        """R5: soldiers leave; what leaves by the same road at once is one army."""
        assert self.owner[origin] == player
        assert target in self.neighbours(origin)
        assert 1 <= size <= self.garrison[origin]
        self.garrison[origin] -= size
        for army in self.armies:
            if army.come == 0 and (army.origin, army.target) == (origin, target):
                army.size += size
                return
        self.armies.append(Army(origin, target, player, size, Fraction(0)))

    def collide(self) -> None:
        """R7: hostile armies from opposite directions at the same point, not at the gates."""
        for i, one in enumerate(self.armies):
            for other in self.armies[i + 1 :]:
                if (one.origin, one.target) != (other.target, other.origin):
                    continue
                if one.owner == other.owner:
                    continue
                if one.come + other.come == self.length(one.origin, one.target):
                    loss = min(one.size, other.size)
                    one.size -= loss
                    other.size -= loss
        self.armies = [army for army in self.armies if army.size > 0]

    def besiege(self) -> None:
        """R8: the armies that have come to the end of the road, and the garrison."""
        arrived = [a for a in self.armies if a.come == self.length(a.origin, a.target)]
        self.armies = [army for army in self.armies if army not in arrived]
        for fort in self.owner:
            sides = {self.owner[fort]: self.garrison[fort]}
            for army in arrived:
                if army.target == fort:
                    sides[army.owner] = sides.get(army.owner, 0) + army.size
            sides = {side: size for side, size in sides.items() if size > 0}
            while len(sides) > 1:
                smallest = min(sides.values())
                sides = {side: n - smallest for side, n in sides.items() if n > smallest}
            self.garrison[fort] = 0
            for side, size in sides.items():
                self.owner[fort], self.garrison[fort] = side, size

    def has_anything(self, player: str) -> bool:
        """R10: a fort or an army."""
        return player in self.owner.values() or any(a.owner == player for a in self.armies)

    def fail(self, player: str) -> None:
        """R12: the player's bot has failed."""
        self.failed.add(player)

    # --- results and views ---

    def soldiers(self, player: str) -> int:
        """All soldiers of a player."""
        here = sum(size for fort, size in self.garrison.items() if self.owner[fort] == player)
        return here + sum(army.size for army in self.armies if army.owner == player)

    def scores(self) -> list[int]:
        """R11, R12: how many each player has left behind, -1 for those that failed."""
        return [
            -1 if player in self.failed else sum(self.is_behind(o, player) for o in self.players)
            for player in self.players
        ]

    def is_behind(self, other: str, player: str) -> bool:
        if other in self.failed:
            return True
        if other in self.out:
            return player not in self.out or self.out[player] > self.out[other]
        if player in self.out or not self.most_soldiers:
            return False
        return self.soldiers(other) < self.soldiers(player)

    def march_list(self) -> set[tuple[str, str, str, int, int]]:
        """Origin, target, owner, size and steps to go of all armies."""
        marches = [(a.origin, a.target, a.owner, a.size, self.left(a)) for a in self.armies]
        assert len(set(marches)) == len(marches)
        return set(marches)

    def message(self, player: str, own_roads: bool = False, absolute: bool = False) -> str:
        """R13: what a player is told."""
        own = [fort for fort in self.owner if self.owner[fort] == player]
        seen = sorted({*own, *(near for fort in own for near in self.neighbours(fort))})
        x, y = (0, 0) if absolute else self.homes[player]
        forts = []
        for fort in seen:
            fx, fy = self.places[fort]
            forts.append(f"{fort} {fx - x} {fy - y} {self.owner[fort]} {self.garrison[fort]}")
        roads = []
        for one, other in self.roads:
            if one in seen and other in seen and (not own_roads or one in own or other in own):
                roads.append(f"{min(one, other)} {max(one, other)}")
        marches = []
        for origin, target, owner, size, left in self.march_list():
            if f"{min(origin, target)} {max(origin, target)}" in roads:
                marches.append(f"{origin} {target} {owner} {size} {left}")
        text = ""
        for title, lines in (("forts", forts), ("roads", roads), ("marches", marches)):
            text += f"{len(lines)} {title}:\n"
            for line in sorted(lines):
                text += line + "\n"
        return text

    def random_orders(self, player: str, rng: Random) -> list[tuple[str, str, int]]:
        """By the chances of the README."""
        orders = []
        for fort, owner in self.owner.items():
            near = self.neighbours(fort)
            if owner == player and self.garrison[fort] > 0 and near and rng.random() < 0.5:
                orders.append((fort, rng.choice(near), rng.randint(1, self.garrison[fort])))
        return orders
