"""What a seat may send next, as messages: for programs that want the legal moves.

Listed is what the seat can know (R10): a mine is taken to be full, so that the second unit of one
mine may turn out not to be there, and an upgrade that it was to pay for fails with it. What a droid
does depends on nothing but the hex where it explodes, so the list has one shortest walk for each
hex, not the thousands that there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.games.skyport import board, wire
from agon.games.skyport import move as acts
from agon.games.skyport.marks import WALKED, as_known, beyond, letter_at
from agon.games.skyport.weapons import DROID_RANGE, by_level

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.game import JsonObject
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.position import SkyportPosition


def legal_messages(
    position: SkyportPosition, seat: int, actions: acts.Actions
) -> Sequence[JsonObject]:
    """The loadouts, or what may follow these actions of the turn of this seat."""
    if not position.turn:
        return [wire.loadout_message(loadout) for loadout in acts.LOADOUTS]
    now = as_known(position, seat).amid_turn(actions)
    return [wire.action_message(action) for action in _actions(now, seat)]


def _actions(now: SkyportPosition, seat: int) -> Iterator[acts.Action]:
    legal: Sequence[Any] = now.legal_moves(seat)
    yield from (action for action in legal if action.kind != board.DROID)
    if any(action.kind == board.DROID for action in legal[-1:]):
        level = now.robots[seat].levels[board.DROID_WEAPON]
        walks = shortest_walks(now, now.robots[seat].place, int(by_level(DROID_RANGE, level)))
        yield from map(acts.droid, walks)


def shortest_walks(now: SkyportPosition, start: Place, reach: int) -> Sequence[tuple[int, ...]]:
    """R14: a walk to each hex where a droid can explode, the nearest first."""
    ways: dict[Place, tuple[int, ...]] = {start: ()}
    edge = [start]
    for _ in range(reach):
        places, edge = edge, []
        for place in places:
            for direction in range(board.DIRECTIONS):
                near = beyond(place, direction)
                letter = letter_at(now, near)
                if near not in ways and letter and letter in WALKED:
                    ways[near] = (*ways[place], direction)
                    edge.append(near)
    return tuple(ways.values())
