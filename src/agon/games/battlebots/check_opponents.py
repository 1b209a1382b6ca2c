"""What a Battlebots bot must cope with, and opponents who see to it that it comes about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.battlebots.bots import RandomBot
from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.move import Order
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.check_opponents import Idler, Situation

if TYPE_CHECKING:
    from agon.games.battlebots.move import Turn
    from agon.games.bot import Budget
    from agon.games.game import Options, Position

LONG = 150  # turns
CROWD = 8  # marches in sight

EXILE = """\
4 forts:
castle 0 0 ann 1
far 30 0 neutral 0
manor 0 9 bob 1
wide 30 9 neutral 0
2 roads:
castle far
manor wide
4 marches:
far castle bob 500 1
far castle ann 2000 4
wide manor ann 3000 6
wide manor bob 9000 9
"""
"""Both lose all forts, one after the other, and have armies that will win one back."""

LONELY = """\
6 forts:
attic 0 9 ann 40
barn 9 9 bob 40
cellar 0 0 ann 50
dairy 9 0 bob 50
east 5 4 neutral 0
west 4 4 neutral 3
3 roads:
cellar west
dairy east
east west
0 marches:
"""
"""Each has a fort that no road leads to; two forts are one step apart."""

ODD = """\
7 forts:
-3 -9000 0 ann 40000000
2 9000 0 bob 40000000
N°5 0 0 neutral 0
end -2 11 neutral 7
fort -4 -1 neutral 100000
roads: 3 -8 neutral 1
zürich,nord 1 12 neutral 0
6 roads:
end N°5
end zürich,nord
fort -3
fort N°5
2 roads:
N°5 roads:
2 marches:
fort N°5 ann 7 2
roads: N°5 bob 7 4
"""
"""Names that mean other things elsewhere, roads from 2 to thousands of steps, large armies."""


class Swarm(RandomBot):
    """Sends a soldier along every road, as long as there are soldiers, towards every neighbour."""

    def choose(self, position: Position[Any], seat: int, budget: Budget) -> Turn:
        here = BattlebotsPosition.of(position)
        orders = []
        for fort in here.field.forts:
            if fort.owner == here.players[seat]:
                targets = here.field.neighbours[fort.name][: fort.soldiers]
                orders += [Order(fort.name, target, 1) for target in targets]
        return tuple(orders)


def is_asked(position: Position[Any], seat: int) -> bool:
    """The bot has a turn to make."""
    return seat in position.to_act


def sees_nothing(position: Position[Any], seat: int) -> bool:
    """R10, R13: the bot has armies only, and is told of no fort at all."""
    return is_asked(position, seat) and not BattlebotsPosition.of(position).sight(seat).forts


def has_lonely_fort(position: Position[Any], seat: int) -> bool:
    """A fort of the bot has no road."""
    here = BattlebotsPosition.of(position)
    field, player = here.sight(seat), here.players[seat]
    own = (fort.name for fort in field.forts if fort.owner == player)
    return is_asked(position, seat) and any(not field.neighbours[name] for name in own)


def is_crowded(position: Position[Any], seat: int) -> bool:
    """There are many armies in sight."""
    here = BattlebotsPosition.of(position)
    return is_asked(position, seat) and len(here.sight(seat).marches) >= CROWD


def is_long(position: Position[Any], seat: int) -> bool:
    """The match has gone on for longer than most do."""
    return BattlebotsPosition.of(position).turn >= LONG


def has_answered(position: Position[Any], seat: int) -> bool:
    """The bot has made its first turn."""
    return BattlebotsPosition.of(position).turn > 0


def is_for_two(options: Options) -> bool:
    """The maps of these situations are for two."""
    return len(GAME.layout(BattlebotsOptions.of(options), 0).players) == GAME.seats[0]


SITUATIONS = (
    Situation(
        "no fort left",
        "A player with armies on the road is still asked, and sees nothing: 0 forts, 0 roads,"
        " 0 marches. Answer `0 marches:`, and wait: an army may take a fort again.",
        Idler,
        sees_nothing,
        {"field": EXILE},
        is_for_two,
    ),
    Situation(
        "a fort without roads",
        "Do not choose from an empty list of neighbours.",
        RandomBot,
        has_lonely_fort,
        {"field": LONELY},
        is_for_two,
    ),
    Situation(
        "many armies",
        "Read as many lines as each header says; armies pass, and several are on one road.",
        Swarm,
        is_crowded,
        {"map": "fair", "field": ""},
    ),
    Situation(
        "odd names and large numbers",
        "A name is anything without blanks, even `2` or `roads:`: tell lines apart by the counts in"
        " the headers. Coordinates may be negative, and roads and armies large.",
        RandomBot,
        has_answered,
        {"field": ODD},
        is_for_two,
    ),
    Situation(
        "a very long match",
        "Matches can go on for hundreds of turns: let no list or search grow with them.",
        Idler,
        is_long,
        {"field": LONELY},
        is_for_two,
    ),
)
"""What `agon bot check` tries, in this order."""
