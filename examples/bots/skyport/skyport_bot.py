"""A whole Skyport bot: it connects, chooses its weapons, and answers every turn of its own.

    python3 skyport_bot.py NAME HOST PORT

Make it yours in `choose`, in the middle: for now it shoots where it can hit, and else walks to
the nearest place where it can mine or shoot. `agon bot check .` tries the bot out,
`agon match skyport . random --watch` lets it play.
"""

from __future__ import annotations

import json
import random
import socket
import sys
from collections import deque
from typing import Any

Hex = tuple[int, int]  # j grows to the lower left, k to the lower right
Action = dict[str, Any]

STEPS: dict[str, Hex] = {
    "up": (-1, -1),
    "down": (1, 1),
    "right-up": (-1, 0),
    "right-down": (0, 1),
    "left-up": (0, -1),
    "left-down": (1, 0),
}
LOADOUT = ("laser", "mortar")  # two of laser, mortar and droid
LASER_RANGE = (0, 5, 6, 7)  # by level
MORTAR_RANGE = (0, 2, 3, 4)
UPGRADE_COST = (0, 4, 5)  # from level 1, from level 2
TOP_LEVEL = 3
FUEL = {"laser": "R", "mortar": "E", "droid": "C"}  # what a weapon's upgrades are made of
ACTIONS = 3  # in a turn
UNITS = 2  # in a mine that is still whole


def distance(one: Hex, other: Hex) -> int:
    """How many steps two hexes are apart."""
    j, k = other[0] - one[0], other[1] - one[1]
    return max(abs(j), abs(k), abs(j - k))


def beside(place: Hex, direction: str) -> Hex:
    """The next hex in a direction."""
    j, k = STEPS[direction]
    return place[0] + j, place[1] + k


# --- Actions ---

MINE: Action = {"type": "mine"}
PASS: Action = {"type": "pass"}  # gives up the rest of the turn


def move(direction: str) -> Action:
    """One step."""
    return {"type": "move", "direction": direction}


def upgrade(weapon: str) -> Action:
    """A level more for a weapon that we carry."""
    return {"type": "upgrade", "weapon": weapon}


def laser(direction: str) -> Action:
    """A ray; like every shot, it ends the turn."""
    return {"type": "laser", "direction": direction}


def mortar(j: int, k: int) -> Action:
    """A shell, so far away from where we stand."""
    return {"type": "mortar", "coordinates": f"{j},{k}"}


def droid(directions: list[str]) -> Action:
    """A walking bomb; this bot does not carry one."""
    return {"type": "droid", "sequence": directions}


class Purse:
    """What we have mined. The arena tells what was carried out, and nothing else: we count."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.units = {"R": 0, "E": 0, "C": 0}
        self.dug: dict[Hex, int] = {}  # how much of it came from where
        self._asked: list[tuple[Hex, str]] = []
        self._levels: dict[str, int] = {}

    def expect(self, board: Board, actions: list[Action]) -> None:
        """These actions are about to be sent: where do they mine?"""
        here = board.here
        self._asked, self._levels = [], board.levels
        for action in actions:
            if action["type"] == "move":
                here = beside(here, action["direction"])
            elif action["type"] == "mine":
                self._asked.append((here, board.tile(here)))

    def count(self, done: dict[str, Any]) -> None:
        """One of them was carried out."""
        if done["type"] == "mine" and self._asked:
            place, kind = self._asked.pop(0)
            self.units[kind] += 1
            self.dug[place] = self.dug.get(place, 0) + 1
        elif done["type"] == "upgrade":
            weapon = done["weapon"]
            self.units[FUEL[weapon]] -= UPGRADE_COST[self._levels[weapon]]


class Board:
    """What a gamestate tells, and what we have counted ourselves."""

    def __init__(self, state: dict[str, Any], name: str, purse: Purse) -> None:
        """A gamestate, as the player of this name sees it."""
        self.tiles: list[list[str]] = state["map"]["data"]
        self.purse = purse
        self.robots: set[Hex] = set()  # where they stand, dead ones too: bodies block the way
        self.targets: list[Hex] = []
        self.here = (0, 0)
        self.levels: dict[str, int] = {}
        for player in state["players"]:
            j, _, k = player["position"].partition(",")
            place = int(j), int(k)
            self.robots.add(place)
            if player["name"] == name:
                self.here = place
                for key in ("primary-weapon", "secondary-weapon"):
                    self.levels[player[key]["name"]] = player[key]["level"]
            elif player["health"] > 0 and self.tile(place) != "S":  # no robot is hurt on a spawn
                self.targets.append(place)

    def tile(self, place: Hex) -> str:
        """G, R, E, C, V, O or S; nothing off the map."""
        j, k = place
        inside = 0 <= j < len(self.tiles) and 0 <= k < len(self.tiles[j])
        return self.tiles[j][k] if inside else ""

    def is_free(self, place: Hex) -> bool:
        """Whether we could step there."""
        return self.tile(place) in ("G", "R", "E", "C") and place not in self.robots

    def wants(self, place: Hex) -> bool:
        """Whether there is something to mine that we can use."""
        useful = [FUEL[weapon] for weapon, level in self.levels.items() if level < TOP_LEVEL]
        return self.tile(place) in useful

    def left(self, place: Hex) -> int:
        """How much is left in a mine, as far as we know: others do not say where they mine."""
        return max(1, UNITS - self.purse.dug.get(place, 0))

    def upgrade(self) -> str | None:
        """A weapon that we can pay an upgrade for."""
        for weapon, level in self.levels.items():
            if level < TOP_LEVEL and self.purse.units[FUEL[weapon]] >= UPGRADE_COST[level]:
                return weapon
        return None

    def shot(self, place: Hex) -> Action | None:
        """A shot from this place that hits another robot, and not us."""
        if self.tile(place) == "S":
            return None
        for direction in STEPS:
            if self.laser_hits(place, direction):
                return laser(direction)
        reach = MORTAR_RANGE[self.levels.get("mortar", 0)]
        for target in self.targets:
            if 2 <= distance(place, target) <= reach:  # its neighbours are hurt as well
                return mortar(target[0] - place[0], target[1] - place[1])
        return None

    def laser_hits(self, place: Hex, direction: str) -> bool:
        """Whether a ray from this place hits a robot."""
        for _ in range(LASER_RANGE[self.levels.get("laser", 0)]):
            place = beside(place, direction)
            if self.tile(place) in ("", "O"):
                return False
            if place in self.targets:
                return True
        return False

    def way_to_work(self, start: Hex, done: set[Hex]) -> str | None:
        """The first step to the nearest place where we can mine or shoot; None if there is none."""
        first: dict[Hex, str] = {start: ""}
        queue = deque([start])
        while queue:
            place = queue.popleft()
            if place != start and ((self.wants(place) and place not in done) or self.shot(place)):
                return first[place]
            for direction in STEPS:
                near = beside(place, direction)
                if near not in first and self.is_free(near):
                    first[near] = first[place] or direction
                    queue.append(near)
        return None


# --- What to do ---


def choose(board: Board) -> list[Action]:
    """The actions of a turn, three at most. This is where your bot begins.

    A shot does a fifth more damage for each action that it leaves unused.
    """
    actions: list[Action] = []
    here, mined, done = board.here, 0, set[Hex]()
    weapon = board.upgrade()
    while len(actions) < ACTIONS:
        shot = board.shot(here)
        if shot is not None:
            return [*actions, shot]
        if weapon is not None:
            actions.append(upgrade(weapon))
            weapon = None
        elif board.wants(here) and here not in done:
            actions.append(MINE)
            mined += 1
            if mined == board.left(here):
                done.add(here)
        else:
            step = board.way_to_work(here, done) or wander(board, here)
            if step is None:
                return [*actions, PASS]
            actions.append(move(step))
            here, mined = beside(here, step), 0
    return actions


def wander(board: Board, here: Hex) -> str | None:
    """A step anywhere: it costs ten points to do nothing, and ten to stay on one's spawn."""
    free = [direction for direction in STEPS if board.is_free(beside(here, direction))]
    return random.choice(free) if free else None


# --- Talking to the arena ---


class Bot:
    """One match: what to answer to each message."""

    def __init__(self, name: str) -> None:
        """The name that we connect with is the one in the messages."""
        self.name = name
        self.purse = Purse()

    def hello(self) -> list[dict[str, Any]]:
        """The handshake, and right behind it the weapons, which may come as early as that."""
        connect = {"message": "connect", "revision": 1, "name": self.name}
        primary, secondary = LOADOUT
        weapons = {"primary-weapon": primary, "secondary-weapon": secondary}
        return [connect, {"message": "loadout", **weapons}]

    def answer(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """What we say to a message; most need no answer."""
        kind = message.get("message")
        if "error" in message:
            print("the arena says:", message["error"], file=sys.stderr)
        elif kind == "action" and message["from"] == self.name:
            self.purse.count(message)
        elif kind == "gamestate" and self.is_my_turn(message):
            board = Board(message, self.name, self.purse)
            actions = choose(board)
            self.purse.expect(board, actions)
            return [{"message": "action", **action} for action in actions]
        return []

    def is_my_turn(self, state: dict[str, Any]) -> bool:
        """The player to act is the first of the players; turn 0 is for the weapons."""
        return bool(state["turn"] > 0 and state["players"][0]["name"] == self.name)


def play(bot: Bot, host: str, port: int) -> None:
    """Connect, and answer line by line, until the arena closes the connection."""
    with (
        socket.create_connection((host, port)) as connection,
        connection.makefile("r", encoding="utf-8", newline="\n") as lines,
    ):

        def send(messages: list[dict[str, Any]]) -> None:
            text = "".join(json.dumps(message) + "\n" for message in messages)
            connection.sendall(text.encode())

        send(bot.hello())
        for line in lines:
            send(bot.answer(json.loads(line)))


def main() -> None:
    """Play one match."""
    if len(sys.argv) != 4:
        sys.exit("usage: python3 skyport_bot.py NAME HOST PORT")
    name, host, port = sys.argv[1:]
    try:
        play(Bot(name), host, int(port))
    except ConnectionRefusedError:
        sys.exit(f"no server listens at {host}:{port}")
    except ConnectionError:
        pass  # the match is over, and we were about to say something


if __name__ == "__main__":
    main()
