"""A small language for rule cases: a map in a few words, orders by player, and what is left.

    play("a 0 0 ann 10, b 3 0 bob 10", "a b", ann="a b 5")

Players are ann, bob, cid, dan: in that order they have the seats from 0 on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.battlebots.game import GAME, BattlebotsOptions
from agon.games.battlebots.position import BattlebotsPosition

if TYPE_CHECKING:
    from agon.games.battlebots.field import Battlefield

SEATS = {"ann": 0, "bob": 1, "cid": 2, "dan": 3}


def map_text(forts: str, roads: str = "", marches: str = "") -> str:
    """The text of a map, from lists with commas."""
    lines = []
    for word, things in (("forts", forts), ("roads", roads), ("marches", marches)):
        section = [thing.strip() for thing in things.split(",") if thing.strip()]
        lines += [f"{len(section)} {word}:", *section]
    return "\n".join(lines)


def begin(forts: str, roads: str = "", marches: str = "", **options: Any) -> BattlebotsPosition:
    """The first position on such a map."""
    return GAME.start(BattlebotsOptions(field=map_text(forts, roads, marches), **options))


def play(position: BattlebotsPosition, **orders: str) -> BattlebotsPosition:
    """The next position; players not named pass."""
    seats = {position.players.index(name): text for name, text in orders.items()}
    turns = {
        seat: position.parse_turn(seat, seats.get(seat, "pass"))
        for seat in {*position.to_act, *seats}
    }
    return position.play(turns)


def wait(position: BattlebotsPosition, turns: int) -> BattlebotsPosition:
    for _ in range(turns):
        position = play(position)
    return position


def forts(position: BattlebotsPosition) -> dict[str, str]:
    """Owner and soldiers of each fort."""
    return {fort.name: f"{fort.owner} {fort.soldiers}" for fort in position.field.forts}


def marches(position: BattlebotsPosition) -> list[str]:
    """All marches, as messages write them."""
    return sorted(" ".join(map(str, march)) for march in position.field.marches)


def scores(position: BattlebotsPosition) -> tuple[int, ...] | None:
    return position.outcome.scores if position.outcome else None


def with_field(position: BattlebotsPosition, field: Battlefield) -> BattlebotsPosition:
    """The position, had the field come out otherwise."""
    fields = [position.layout.field] * position.turn + [field]
    if position.turn == 0:
        raise ValueError("the first position is the map's own")
    return list(BattlebotsPosition.replay(position.options, position.layout, fields))[-1]
