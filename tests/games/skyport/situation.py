"""Situations for tests: a map as rows of letters, robots where one wants them, turns as text.

The rows of a drawing are j = 0, 1 ... and the letters in a row k = 0, 1 ...: `right-down` is one
letter to the right, `left-down` one line down, `down` both. Spawns belong to seats in the order of
j + k, then k.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.skyport.game import SkyportOptions
from agon.games.skyport.mapfile import Map, format_map
from agon.games.skyport.move import LOADOUTS, WEAPONS
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.setup import cell_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.skyport.mapfile import Place

DUEL = "SGGGGGG" + "/GGGGGGG" * 5 + "/GGGGGGS"


def drawn_map(drawing: str) -> Map:
    """Rows divided by slashes or line ends; blanks do not count."""
    rows = [row.replace(" ", "") for row in drawing.strip().replace("/", "\n").splitlines()]
    return Map(tuple(row for row in rows if row))


def options_for(drawn: Map, turns: int = 100) -> SkyportOptions:
    return SkyportOptions(map_text=format_map(drawn), turns=turns)


def begin(
    drawing: str = DUEL,
    loadouts: str = "",
    turns: int = 100,
    first: int = 0,
) -> SkyportPosition:
    """Turn 1 of a match in which this seat comes first, and after it the others in their order.

    Loadouts are as `laser droid, mortar laser`; the default ones if there is none.
    """
    drawn = drawn_map(drawing)
    start = SkyportPosition.start(options_for(drawn, turns), drawn, 0)
    order = [(first + place) % drawn.seats for place in range(drawn.seats)]
    ordered = change(start, order=order)
    chosen = [loadout.split() for loadout in loadouts.split(",")] if loadouts else []
    given = {
        seat: next(
            loadout
            for loadout in LOADOUTS
            if [WEAPONS[loadout.primary], WEAPONS[loadout.secondary]]
            == (chosen[seat] if seat < len(chosen) else ["laser", "mortar"])
        )
        for seat in range(drawn.seats)
    }
    return ordered.play(given)


def change(
    position: SkyportPosition,
    places: Mapping[int, Place] | None = None,
    health: Mapping[int, int] | None = None,
    level: Mapping[tuple[int, str], int] | None = None,
    units: Mapping[tuple[int, str], int] | None = None,
    order: list[int] | None = None,
) -> SkyportPosition:
    """The same position but for where robots stand and what they have."""
    state = position.copy_state()
    side = position.map.side
    for seat, place in (places or {}).items():
        cells = state["cells"]
        cells[state["cell"][seat]] &= 15
        state["cell"][seat] = cell_at(side, place)
        assert cells[state["cell"][seat]] < 16, "there is a robot already"
        cells[state["cell"][seat]] |= (seat + 1) << 4
    for seat, points in (health or {}).items():
        state["health"][seat] = points
    for name, values in (("level", level or {}), ("units", units or {})):
        for (seat, weapon), value in values.items():
            state[name][seat, WEAPONS.index(weapon)] = value
    if order is not None:
        state["order"][: len(order)] = order
    return SkyportPosition(position.options, position.map, position.seed, state, position.out)


def play(position: SkyportPosition, *turns: str) -> SkyportPosition:
    """The position after these turns, in text, of the seat to act."""
    for text in turns:
        (seat,) = position.to_act
        position = position.play({seat: position.parse_turn(seat, text)})
    return position


def refusals(position: SkyportPosition) -> list[str | None]:
    """What became of each action of the last turn."""
    return [deed.refusal for deed in position.deeds]


def health(position: SkyportPosition) -> list[int]:
    return [robot.health for robot in position.robots]


def scores(position: SkyportPosition) -> list[int]:
    return [robot.score for robot in position.robots]


def places(position: SkyportPosition) -> list[Place]:
    return [robot.place for robot in position.robots]
