"""How soon each seat can be at a fort, from the start of a match: what redeals hold to."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agon.games.battlebots.field import Battlefield

NEVER = 2**31 - 1


def find_reach(field: Battlefield) -> list[list[int]]:
    """R6: for each fort, after how many turns each player can hold it; 0 for its first owner.

    Fights are left out: no one is there sooner.
    """
    by_player = [_reach_of(field, player) for player in field.players]
    return [[reach.get(fort.name, NEVER) for reach in by_player] for fort in field.forts]


def _reach_of(field: Battlefield, player: str) -> dict[str, int]:
    waiting = [(0, fort.name) for fort in field.forts if fort.owner == player]
    waiting += [(march.steps, march.target) for march in field.marches if march.owner == player]
    heapq.heapify(waiting)
    found: dict[str, int] = {}
    while waiting:
        turns, name = heapq.heappop(waiting)
        if name not in found:
            found[name] = turns
            for other in field.neighbours[name]:
                heapq.heappush(waiting, (turns + field.length[name, other], other))
    return found
