"""A Skyport bot that asks the arena what it may do: python3 skyport_bot.py NAME HOST PORT

Make it yours in `choose`. `agon bot check .` tries the bot out, `agon match skyport . random
--watch` lets it play. A bot that reads the map itself: examples/bots/skyport.
"""

import json
import random
import socket
import sys
from typing import Any

Hex = tuple[int, int]  # j grows to the lower left, k to the lower right
STEPS = {"up": (-1, -1), "down": (1, 1), "left-up": (0, -1), "right-down": (0, 1)}
STEPS |= {"right-up": (-1, 0), "left-down": (1, 0)}


def walk(here: Hex, *steps: Hex) -> Hex:
    return here[0] + sum(j for j, _ in steps), here[1] + sum(k for _, k in steps)


def aims_at(action: dict[str, Any], here: Hex) -> set[Hex]:
    """The hexes that a shot hits from here; terrain is left out. No other action hits any."""
    if action.get("type") not in ("laser", "mortar", "droid"):
        return set()
    if action["type"] == "laser":
        return {walk(here, *[STEPS[action["direction"]]] * length) for length in range(1, 6)}
    if action["type"] == "mortar":
        j, k = action["coordinates"].split(",")
        return {walk(here, (int(j), int(k)))}
    return {walk(here, *[STEPS[step] for step in action["sequence"]])}


def choose(legal: list[dict[str, Any]], here: Hex, enemies: set[Hex]) -> dict[str, Any]:
    """Pick one of the messages that we may send now. This is where your bot begins."""
    shots = [action for action in legal if aims_at(action, here) & enemies]
    work = [action for action in legal if action.get("type") in ("mine", "upgrade")]
    moves = [action for action in legal if action.get("type") == "move"]
    return random.choice(shots or work or moves or legal)


def main(name: str, host: str, port: str) -> None:
    """Connect, and answer every list of messages, until the arena closes the connection."""
    arena = socket.create_connection((host, int(port))).makefile("rw", encoding="utf-8")
    hello = json.dumps({"message": "connect", "revision": 1, "name": name})
    print("legal", hello, sep="\n", file=arena, flush=True)  # we want lists, and to play
    here, enemies = (0, 0), set[Hex]()
    for message in map(json.loads, arena):
        if message.get("message") == "gamestate":
            hexes = {p["name"]: p["position"].split(",") for p in message["players"]}
            robots = {robot: (int(j), int(k)) for robot, (j, k) in hexes.items()}
            here, enemies = robots.pop(name), {*robots.values()}
        elif message.get("message") == "legal":
            action = choose(message["legal"], here, enemies - {here})
            here = walk(here, STEPS[action["direction"]]) if action.get("type") == "move" else here
            print(json.dumps(action), file=arena, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
