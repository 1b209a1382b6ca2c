"""A slow, obvious second implementation of Skyport, written from the rules text alone.

The map is a dictionary of (j, k) to a letter; a robot is an object; an action is the JSON object of
the protocol. `take_turn` plays a list of them and says what became of each: "ok" or a reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

Place = tuple[int, int]
Json = dict[str, Any]

VECTORS = {
    "up": (-1, -1),
    "down": (1, 1),
    "right-up": (-1, 0),
    "right-down": (0, 1),
    "left-up": (0, -1),
    "left-down": (1, 0),
}
RESOURCE = {"laser": "R", "mortar": "E", "droid": "C"}
RANGE = {"laser": [5, 6, 7], "mortar": [2, 3, 4], "droid": [3, 4, 5]}
DAMAGE = {"laser": [16, 18, 22], "mortar": [20, 20, 25], "droid": [22, 24, 26]}
AREA = {"mortar": 18, "droid": 10}
PRICE = {1: 4, 2: 5}
WEAPONS = ["laser", "mortar", "droid"]


@dataclass
class Robot:
    seat: int
    spawn: Place
    place: Place
    weapons: list[str] = field(default_factory=list)
    levels: dict[str, int] = field(default_factory=dict)
    units: dict[str, int] = field(default_factory=lambda: {"R": 0, "E": 0, "C": 0})
    health: int = 100
    score: int = 0
    turns_to_skip: int = 0
    dead: bool = False


def steps_between(one: Place, other: Place) -> int:
    dj, dk = one[0] - other[0], one[1] - other[1]
    return max(abs(dj), abs(dk), abs(dj - dk))


def with_bonus(base: int, unused: int) -> int:
    return floor(base * (1 + Fraction(unused, 5)) + Fraction(1, 2))


class NaiveSkyport:
    """A match; `order` is the shuffled order of the seats."""

    def __init__(self, rows: Sequence[str], order: Sequence[int], turns_each: int) -> None:
        self.tiles = {(j, k): row[k] for j, row in enumerate(rows) for k in range(len(row))}
        self.left = {place: 2 for place, tile in self.tiles.items() if tile in "REC"}
        spawns = [place for place, tile in self.tiles.items() if tile == "S"]
        spawns.sort(key=lambda p: (p[0] + p[1], p[1]))  # as one reads the drawing
        self.robots = [Robot(seat, place, place) for seat, place in enumerate(spawns)]
        self.order = list(order)
        self.place = 0
        self.turn = 0
        self.last_turn = turns_each * len(self.robots)

    # --- whose turn it is ---

    def choose_loadouts(self, loadouts: Sequence[tuple[str, str]]) -> None:
        for robot, weapons in zip(self.robots, loadouts, strict=True):
            assert weapons[0] != weapons[1]
            robot.weapons = list(weapons)
            robot.levels = dict.fromkeys(weapons, 1)
        self.turn = 1

    @property
    def is_over(self) -> bool:
        return self.turn > self.last_turn

    @property
    def robot(self) -> Robot:
        """The robot whose turn it is."""
        return self.robots[self.order[self.place % len(self.order)]]

    def next_turn(self) -> None:
        self.turn += 1
        while not self.is_over:
            self.place += 1
            robot = self.robot
            if not robot.dead:
                return
            if robot.turns_to_skip == 0:
                robot.dead = False
                robot.health = 100
                robot.place = robot.spawn
                return
            robot.turns_to_skip -= 1

    # --- a turn ---

    def take_turn(self, actions: Sequence[Json]) -> list[str]:
        robot = self.robot
        results = []
        done = []
        has_ended = False
        for slot, action in enumerate(actions):
            if has_ended:
                results.append("turn is over")
                continue
            result = self.act(robot, action, unused=2 - slot)
            results.append(result)
            if result == "ok":
                done.append(action["type"])
                has_ended = action["type"] in ("pass", "laser", "mortar", "droid")
        if not any(kind != "pass" for kind in done):
            robot.score -= 10
        if robot.place == robot.spawn:
            robot.score -= 10
        self.next_turn()
        return results

    def act(self, robot: Robot, action: Json, unused: int) -> str:
        kind = action["type"]
        if kind == "pass":
            return "ok"
        if kind == "move":
            return self.move(robot, action["direction"])
        if kind == "mine":
            return self.mine(robot)
        if kind == "upgrade":
            return self.upgrade(robot, action["weapon"])
        if kind in WEAPONS:
            return self.shoot(robot, action, unused)
        return "not understood"

    def robot_at(self, place: Place) -> Robot | None:
        for robot in self.robots:
            if robot.place == place:
                return robot
        return None

    def move(self, robot: Robot, direction: str) -> str:
        dj, dk = VECTORS[direction]
        target = robot.place[0] + dj, robot.place[1] + dk
        if target not in self.tiles:
            return "off the map"
        if self.tiles[target] in "VOS":
            return "not accessible"
        if self.robot_at(target):
            return "occupied"
        robot.place = target
        return "ok"

    def mine(self, robot: Robot) -> str:
        tile = self.tiles[robot.place]
        if tile not in "REC":
            return "nothing to mine"
        robot.units[tile] += 1
        self.left[robot.place] -= 1
        if self.left[robot.place] == 0:
            self.tiles[robot.place] = "G"
        return "ok"

    def upgrade(self, robot: Robot, weapon: str) -> str:
        if weapon not in robot.weapons:
            return "not carried"
        if robot.levels[weapon] == 3:
            return "top level"
        price = PRICE[robot.levels[weapon]]
        if robot.units[RESOURCE[weapon]] < price:
            return "not enough"
        robot.units[RESOURCE[weapon]] -= price
        robot.levels[weapon] += 1
        return "ok"

    # --- shots ---

    def shoot(self, robot: Robot, action: Json, unused: int) -> str:
        weapon = action["type"]
        if weapon not in robot.weapons:
            return "not carried"
        if self.tiles[robot.place] == "S":
            return "shot from spawn"
        level = robot.levels[weapon] - 1
        reach = RANGE[weapon][level]
        damage = with_bonus(DAMAGE[weapon][level], unused)
        if weapon == "laser":
            self.laser(robot, VECTORS[action["direction"]], reach, damage)
            return "ok"
        if weapon == "mortar":
            dj, dk = (int(part) for part in action["coordinates"].split(","))
            target = robot.place[0] + dj, robot.place[1] + dk
            if steps_between(target, robot.place) > reach:
                return "out of range"
            if self.tiles.get(target, "V") not in "VOS":
                self.explode(robot, target, damage, with_bonus(AREA[weapon], unused))
            return "ok"
        if len(action["sequence"]) > reach:
            return "too long"
        place = robot.place
        for direction in action["sequence"]:
            beyond = place[0] + VECTORS[direction][0], place[1] + VECTORS[direction][1]
            if self.tiles.get(beyond, "V") in "VOS":
                break
            place = beyond
        self.explode(robot, place, damage, with_bonus(AREA[weapon], unused))
        return "ok"

    def laser(self, robot: Robot, vector: Place, reach: int, damage: int) -> None:
        j, k = robot.place
        for _ in range(reach):
            j, k = j + vector[0], k + vector[1]
            if self.tiles.get((j, k), "O") == "O":
                break
            self.hit(robot, (j, k), damage)

    def explode(self, robot: Robot, place: Place, damage: int, area: int) -> None:
        self.hit(robot, place, damage)
        for dj, dk in VECTORS.values():
            self.hit(robot, (place[0] + dj, place[1] + dk), area)

    def hit(self, shooter: Robot, place: Place, damage: int) -> None:
        victim = self.robot_at(place)
        if victim is None or victim.dead or self.tiles[place] == "S":
            return
        victim.health -= damage
        if victim is not shooter:
            shooter.score += damage
        if victim.health <= 0:
            victim.health = 0
            victim.dead = True
            victim.turns_to_skip = 1
            victim.score -= 40
            if victim is not shooter:
                shooter.score += 20

    # --- random play ---

    def legal_kinds(self) -> list[str]:
        robot = self.robot
        kinds = ["pass"]
        if self.free_directions():
            kinds.append("move")
        if self.tiles[robot.place] in "REC":
            kinds.append("mine")
        if self.affordable():
            kinds.append("upgrade")
        if self.tiles[robot.place] != "S":
            kinds += robot.weapons
        return kinds

    def free_directions(self) -> list[str]:
        j, k = self.robot.place
        return [
            direction
            for direction, (dj, dk) in VECTORS.items()
            if self.tiles.get((j + dj, k + dk), "V") not in "VOS"
            and not self.robot_at((j + dj, k + dk))
        ]

    def affordable(self) -> list[str]:
        robot = self.robot
        return [
            weapon
            for weapon in robot.weapons
            if robot.units[RESOURCE[weapon]] >= PRICE.get(robot.levels[weapon], 10**9)
        ]

    def random_action(self, rng: Random) -> Json:
        kind = rng.choice(self.legal_kinds())
        action: Json = {"type": kind}
        if kind == "move":
            action["direction"] = rng.choice(self.free_directions())
        elif kind == "upgrade":
            action["weapon"] = rng.choice(self.affordable())
        elif kind == "laser":
            action["direction"] = rng.choice(list(VECTORS))
        elif kind == "mortar":
            reach = RANGE[kind][self.robot.levels[kind] - 1]
            span = range(-reach, reach + 1)
            near = [(j, k) for j in span for k in span if abs(j - k) <= reach]
            j, k = rng.choice(near)
            action["coordinates"] = f"{j},{k}"
        elif kind == "droid":
            count = rng.randint(0, RANGE[kind][self.robot.levels[kind] - 1])
            action["sequence"] = rng.choices(list(VECTORS), k=count)
        return action

    def take_random_turn(self, rng: Random) -> None:
        """Three actions, or fewer; they are chosen one by one, as the robot gets about."""
        robot = self.robot
        kind = "pass"
        valid = 0
        for slot in range(3):
            action = self.random_action(rng)
            kind = action["type"]
            assert self.act(robot, action, 2 - slot) == "ok"
            valid += kind != "pass"
            if kind in ("pass", "laser", "mortar", "droid"):
                break
        if not valid:
            robot.score -= 10
        if robot.place == robot.spawn:
            robot.score -= 10
        self.next_turn()
