"""A field as people name it in the records of the kernels, and back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import SettingError
from agon.games.battlebots.board import (
    BACK,
    MOST_SEATS,
    MOST_SOLDIERS,
    NEUTRAL,
    THERE,
    TIERS,
    Tier,
    encode_army,
    owner_of,
    soldiers_of,
    state_dtype,
    work_dtype,
)
from agon.games.battlebots.field import NEUTRAL_NAME, Battlefield, Fort, March, Road

if TYPE_CHECKING:
    from agon.kernel import IntArray, Record


@dataclass(frozen=True)
class Layout:
    """How the forts, roads and players of one match are numbered.

    Forts and roads have the order of the field at the start, seats that of its players' names.
    """

    field: Battlefield

    def __post_init__(self) -> None:
        """Refuse a field that no match can begin with."""
        self.tier  # noqa: B018  refuses what is too large
        players = self.players
        if not 2 <= len(players) <= MOST_SEATS:
            raise SettingError(f"a map for {len(players)} players: expected 2 to {MOST_SEATS}")
        for player in players:
            if all(fort.owner != player for fort in self.field.forts):
                raise SettingError(f"a map on which {player} has no fort: expected one at least")
        soldiers = self.field.soldiers
        if soldiers > MOST_SOLDIERS:
            raise SettingError(f"a map with {soldiers} soldiers: expected at most {MOST_SOLDIERS}")

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.field.players

    @cached_property
    def places(self) -> int:
        """How many places all roads have."""
        return sum(self.field.length[road] + 1 for road in self.field.roads)

    @cached_property
    def tier(self) -> Tier:
        """The smallest records that hold the field."""
        needed = Tier(len(self.field.forts), len(self.field.roads), self.places)
        for tier in TIERS:
            if all(need <= room for need, room in zip(needed, tier, strict=True)):
                return tier
        most = TIERS[-1]
        raise SettingError(
            f"a map of {needed.forts} forts, {needed.roads} roads and {needed.places} places on"
            f" them: expected at most {most.forts}, {most.roads} and {most.places}"
        )

    @cached_property
    def state_dtype(self) -> np.dtype[Any]:
        return state_dtype(self.tier)

    @cached_property
    def work_dtype(self) -> np.dtype[Any]:
        return work_dtype(self.tier)

    @cached_property
    def fort_numbers(self) -> dict[str, int]:
        return {fort.name: number for number, fort in enumerate(self.field.forts)}

    @cached_property
    def lanes(self) -> dict[Road, int]:
        """The lane from each fort to each neighbour."""
        lanes = {}
        for road, (one, other) in enumerate(self.field.roads):
            lanes[one, other], lanes[other, one] = 2 * road, 2 * road + 1
        return lanes

    @cached_property
    def departures(self) -> tuple[int, ...]:
        """The place where armies leave by each lane."""
        places, departures = 0, []
        for road in self.field.roads:
            departures += [places, places + self.field.length[road]]
            places += self.field.length[road] + 1
        return tuple(departures)

    def write_field(self, field: Battlefield, record: Record, turn: int = 0) -> None:
        """Put owners, garrisons and armies of this layout's field, at any turn, into a record."""
        seats = {name: seat for seat, name in enumerate(self.players)}
        seats[NEUTRAL_NAME] = NEUTRAL
        for number, fort in enumerate(field.forts):
            record["owner"][number] = seats[fort.owner]
            record["garrison"][number] = fort.soldiers
        armies = np.zeros((2, self.tier.places), np.int32)
        for march in field.marches:
            lane = self.lanes[march.origin, march.target]
            gone = self.field.length[march.origin, march.target] - march.steps
            place = self.departures[lane] + (-gone if lane & 1 else gone)
            armies[lane & 1, place] = encode_army(seats[march.owner], march.soldiers)
        record["armies"] = 0
        for ring, slots, standing in zip(
            record["armies"], self._slots(record, turn), armies, strict=True
        ):
            ring[slots] = standing[: self.places]
        record["occupied"] = np.packbits(armies != 0, axis=1, bitorder="little").view("<u4")

    def read_armies(self, state: Record) -> tuple[list[int], list[int]]:
        """The armies that go there and back, by place."""
        there, back = self._slots(state, int(state["turn"]))
        return state["armies"][THERE][there].tolist(), state["armies"][BACK][back].tolist()

    def _slots(self, record: Record, turn: int) -> tuple[IntArray, IntArray]:
        """Where the rings hold the armies of all places, there and back: `slot_of` of each."""
        places, slots = np.arange(self.places), record["armies"].shape[1]
        return (places - turn) % slots, (places + turn) % slots

    def read_field(self, state: Record) -> Battlefield:
        marches = tuple(self._read_marches(state))
        return replace(self.field, forts=self.read_forts(state), marches=marches)

    def read_forts(self, state: Record) -> tuple[Fort, ...]:
        names = {**dict(enumerate(self.players)), NEUTRAL: NEUTRAL_NAME}
        owners = map(names.__getitem__, state["owner"][: len(self.field.forts)].tolist())
        garrisons = state["garrison"].tolist()
        return tuple(
            Fort(fort.name, fort.x, fort.y, owner, soldiers)
            for fort, owner, soldiers in zip(self.field.forts, owners, garrisons, strict=False)
        )

    def _read_marches(self, state: Record) -> list[March]:
        there, back = self.read_armies(state)
        marches = []
        for road, (one, other) in enumerate(self.field.roads):
            first, last = self.departures[2 * road : 2 * road + 2]
            for place in range(first + 1, last):
                for army, way, steps in (
                    (there[place], (one, other), last - place),
                    (back[place], (other, one), place - first),
                ):
                    if army:
                        owner = self.players[owner_of(army)]
                        marches.append(March(*way, owner, soldiers_of(army), steps))
        return marches

    @cached_property
    def homes(self) -> tuple[Fort, ...]:
        """The home base of each seat: its fort at the start, or the first of them by name."""
        forts = sorted(self.field.forts)
        return tuple(next(f for f in forts if f.owner == player) for player in self.players)
