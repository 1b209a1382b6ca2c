"""What a Skyport bot must cope with, and opponents who see to it that it comes about.

When a player leaves a match of Skyport the others play on, so all of these matches are short.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.check_opponents import Idler, Situation
from agon.games.skyport import move as acts
from agon.games.skyport.bots import GreedyBot, RandomBot
from agon.games.skyport.mapfile import SIDES, Map, format_map
from agon.games.skyport.move import DEFAULT_LOADOUT
from agon.games.skyport.position import SkyportPosition

if TYPE_CHECKING:
    from agon.games.bot import Budget
    from agon.games.game import Position
    from agon.games.skyport.move import Turn

SOME_TURNS = 8
CELL = Map(("SVGGG", "VVGGG", "GGRGG", "GGGVV", "GGGVS"))
"""No robot can leave its spawn."""
MEADOW = Map(("SGGGGG", *["GGGGGG"] * 4, "GGGGGS"))
"""Nothing to mine, and nowhere to hide."""
LARGEST = Map(
    (
        f"S{'G' * (SIDES[-1] - 1)}",
        *[("GGGRGGGEGGGC" * SIDES[-1])[row : row + SIDES[-1]] for row in range(SIDES[-1] - 2)],
        f"{'G' * (SIDES[-1] - 1)}S",
    )
)
"""As large as maps can be."""


class ArmedIdler(Idler):
    """Chooses weapons, then does nothing, and pays for it."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        return () if SkyportPosition.of(position).turn else DEFAULT_LOADOUT


class Martyr:
    """Leaves its spawn and shoots at itself until it is dead."""

    def __init__(self, seed: int) -> None: ...

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        here = SkyportPosition.of(position)
        if not here.turn:
            return DEFAULT_LOADOUT
        shell = acts.mortar(0, 0)
        possible = here.legal_moves(seat)
        return (shell,) if shell in possible else (possible[-1], shell)


def has_no_way(position: Position[Any], seat: int) -> bool:
    """R8: the bot is asked, and can go nowhere."""
    here = SkyportPosition.of(position)
    kinds = {action.kind for action in here.legal_moves(seat)} if here.turn else set()
    return here.to_act == (seat,) and acts.move(0).kind not in kinds


def is_dead(position: Position[Any], seat: int) -> bool:
    """R16: the bot has been killed."""
    return SkyportPosition.of(position).robots[seat].health == 0


def sees_a_body(position: Position[Any], seat: int) -> bool:
    """R16: the bot is asked, and a robot is dead."""
    robots = SkyportPosition.of(position).robots
    return position.to_act == (seat,) and any(robot.health == 0 for robot in robots)


def sees_a_debt(position: Position[Any], seat: int) -> bool:
    """R17: the bot is asked, and a player has less than nothing."""
    robots = SkyportPosition.of(position).robots
    return position.to_act == (seat,) and any(robot.score < 0 for robot in robots)


def is_under_way(position: Position[Any], seat: int) -> bool:
    """Some turns have been played."""
    return SkyportPosition.of(position).turn >= SOME_TURNS


def on_map(drawn: Map, turns: int) -> dict[str, str]:
    """Options for a short match on a map."""
    return {"map": "auto", "map_text": format_map(drawn), "turns": str(turns)}


SITUATIONS = (
    Situation(
        "a spawn without a way out",
        "Where no tile beside the robot can be entered, send pass, or an upgrade. No shot is"
        " allowed from a spawn.",
        ArmedIdler,
        has_no_way,
        on_map(CELL, 8),
    ),
    Situation(
        "its own death",
        "At health 0 a robot misses its next turn; with the one after it is on its spawn again,"
        " with full health, its weapons and what it has mined.",
        GreedyBot,
        is_dead,
        on_map(MEADOW, 40),
    ),
    Situation(
        "a body in the way",
        "A player with health 0 is a body: it cannot be hit, and it blocks its tile.",
        Martyr,
        sees_a_body,
        on_map(MEADOW, 20),
    ),
    Situation(
        "a negative score",
        "Scores may be negative: a turn without a valid action costs 10, and so does one that ends"
        " on the own spawn.",
        ArmedIdler,
        sees_a_debt,
        {"turns": "10"},
    ),
    Situation(
        "nothing to mine",
        "A map may have no mines at all, and none remain when all are empty: look for something"
        " else to do.",
        RandomBot,
        is_under_way,
        on_map(MEADOW, 15),
    ),
    Situation(
        "four players",
        "The players of a gamestate are in the order of their turns, and the first is to act: find"
        " yourself by name, not by place.",
        RandomBot,
        is_under_way,
        {"map": "four", "map_text": "", "turns": "12"},
    ),
    Situation(
        "a very large map",
        "A gamestate can be a line of tens of thousands of characters, which comes in pieces: read"
        " until the line end. Keep searches for a way short.",
        RandomBot,
        is_under_way,
        on_map(LARGEST, 8),
    ),
)
"""What `agon bot check` tries, in this order."""
