"""Battlebots' contests: random play, compiled against interpreted and against plain Python.

There is no other program that plays by these rules. The plain one, armies as objects, is the slow
referee of the tests.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from agon.games.battlebots.game import BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.maps import make_map
from agon.games.battlebots.simulation import make_simulation
from benchmarks.measure import Contest, Contestant
from benchmarks.random_play import compiled, interpreted
from tests.games.battlebots.naive import NaiveBattlebots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.battlebots.field import Battlefield

CAP = 500
BATCH = 16
USUAL_SEATS = 2


def battlebots_contests() -> Iterator[Contest]:
    """All contests of Battlebots, each on one core; a turn of all players is one."""
    for players in (USUAL_SEATS, 8):
        field = make_map("random", 2, 4, 14) if players == USUAL_SEATS else make_map("fair", 8, 0)
        rivals = [plain(field)]
        if players == USUAL_SEATS:
            command = ("simulate", "battlebots", "--games", "3", "--threads", "1", "--cap", "100")
            rivals.append(interpreted("plies", *command))
        ours = compiled(make_simulation(BattlebotsOptions(), Layout(field)), BATCH, CAP)
        title = f"random play, {len(field.forts)} forts, {len(field.roads)} roads for {players}"
        yield Contest(title, "turns", (ours, *rivals))


def plain(field: Battlefield) -> Contestant:
    """The tests' own implementation."""
    forts = {fort.name: fort[1:] for fort in field.forts}
    rng = Random(1)  # noqa: S311

    def work() -> int:
        match = NaiveBattlebots(forts, field.roads, field.marches, turn_limit=CAP)
        while not match.is_over():
            match.play({player: match.random_orders(player, rng) for player in match.still_in()})
        return int(match.turn)

    return Contestant("plain Python with objects", work)
