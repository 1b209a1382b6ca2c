"""Turns as text: `boyard nox 30, boyard helsingor 20`, or `pass`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agon.errors import IllegalMoveError, NotationError
from agon.games.battlebots.move import Order

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from agon.games.battlebots.field import Fort, Road
    from agon.games.battlebots.move import Turn

QUOTED = 60
ORDERS = re.compile("(?:[^ ]+ [^ ]+ [0-9]{1,9}, )*[^ ]+ [^ ]+ [0-9]{1,9}")


def format_turn(turn: Turn) -> str:
    """The orders in one line."""
    return ", ".join(f"{origin} {target} {soldiers}" for origin, target, soldiers in turn) or "pass"


def parse_turn(text: str) -> Turn:
    """Read orders; whether they are allowed is another question.

    >>> parse_turn("boyard nox 30, boyard helsingor 20")[1]
    Order(origin='boyard', target='helsingor', soldiers=20)
    """
    if text == "pass":
        return ()
    if not ORDERS.fullmatch(text):
        raise NotationError(
            f"turn {text[:QUOTED]!r}: expected pass, or orders: origin target size, origin ..."
        )
    words = text.split(" ")
    sizes = (int(size.rstrip(",")) for size in words[2::3])
    return tuple(map(Order, words[0::3], words[1::3], sizes))


def check_turn(forts: Mapping[str, Fort], roads: Container[Road], player: str, turn: Turn) -> None:
    """R5: raise IllegalMoveError unless the player may give all these orders."""
    left: dict[str, int] = {}
    for origin, target, soldiers in turn:
        fort = forts.get(origin)
        if fort is None or fort.owner != player:
            why = f"{player} has no fort of that name"
        elif (origin, target) not in roads:
            why = "there is no such road"
        elif soldiers < 1:
            why = "expected at least 1 soldier"
        else:
            left[origin] = left.get(origin, fort.soldiers) - soldiers
            if left[origin] >= 0:
                continue
            why = f"{fort.soldiers} soldiers are there in all"
        order = format_turn((Order(origin, target, soldiers),))
        raise IllegalMoveError(f"order {order[:QUOTED]!r}: {why}")
