"""A position of Battlebots, for people and programs: immutable, in terms of forts and marches.

A turn is a tuple of orders. `legal_moves` lists single ones, each with all soldiers of its fort.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.battlebots import rules
from agon.games.battlebots.armies import AT_REST, HALFWAY, LEFT, STEPPED, Army, list_armies
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.move import PASS, Order, Turn
from agon.games.battlebots.notation import check_turn, format_turn, parse_turn
from agon.games.battlebots.setup import build_setup
from agon.games.battlebots.sight import move_origin, see
from agon.games.game import JsonObject, Outcome, Position
from agon.kernel import copy_record, new_record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from agon.games.battlebots.field import Battlefield, Fort
    from agon.games.battlebots.game import BattlebotsOptions
    from agon.games.battlebots.layout import Layout
    from agon.games.scene import Scene
    from agon.kernel import Record

NO_FAULTS: Mapping[int, str] = MappingProxyType({})


class BattlebotsPosition(Position[Turn]):
    """One moment of a match, between two turns."""

    options: BattlebotsOptions
    adjustable = ("turn_limit", "at_limit", "sight", "origin")

    def __init__(
        self,
        options: BattlebotsOptions,
        layout: Layout,
        setup: Record,
        state: Record,
        faults: Mapping[int, str] = NO_FAULTS,
        moment: int = AT_REST,
    ) -> None:
        """Not for callers: use `start`, `replay` and `play`."""
        self.options = options
        self.layout = layout
        self.players = layout.players
        self.seats = len(layout.players)
        self.faults = faults
        """R12: the seats that failed, and how."""
        self.turn = int(state["turn"]) - (moment == STEPPED)
        self.moment = moment
        """Where within a turn this is; nearly always between two."""
        self._parsed: dict[int, Turn] = {}
        """Turns of this position that were parsed: they are checked."""
        self._setup = setup
        self._state = state
        self.outcome = self._ending() if state["over"] else None
        still_in = int(state["still_in"])
        owing = range(self.seats) if self.outcome is None else ()
        self.to_act = tuple(seat for seat in owing if still_in >> seat & 1)

    @classmethod
    def start(cls, options: BattlebotsOptions, layout: Layout) -> BattlebotsPosition:
        setup = _setup(options, layout)
        state = new_record(layout.state_dtype)
        rules.start(setup, state, 0)
        return cls(options, layout, setup, state)

    @classmethod
    def replay(
        cls, options: BattlebotsOptions, layout: Layout, fields: Sequence[Battlefield]
    ) -> Iterator[BattlebotsPosition]:
        """The positions of a log that begins with the layout's field."""
        position = cls.start(options, layout)
        yield position
        for turn, field in enumerate(fields[1:], 1):
            state = copy_record(position._state, layout.state_dtype)
            layout.write_field(match_fields(layout.field, field, turn), state, turn)
            state["turn"] = turn
            rules.put_out_seats(position._setup, state)
            position = cls(options, layout, position._setup, state)
            yield position

    def _ending(self) -> Outcome:
        """R11, R12: the scores, and why the match is over."""
        scores = (int(rules.score(self._setup, self._state, s)) for s in range(self.seats))
        left = int(self._state["still_in"]).bit_count()
        reason = ("no player left", "one player left", "turn limit")[min(left, 2)]
        failed = [f"{self.players[seat]}: {self.faults[seat]}" for seat in sorted(self.faults)]
        return Outcome(tuple(scores), "; ".join([reason, *failed]))

    @functools.cached_property
    def field(self) -> Battlefield:
        """All forts, roads and marches."""
        return self.layout.read_field(self._state)

    @functools.cached_property
    def forts(self) -> Mapping[str, Fort]:
        """The forts by name; quicker to read than the field."""
        return {fort.name: fort for fort in self.layout.read_forts(self._state)}

    @functools.cached_property
    def armies(self) -> tuple[Army, ...]:
        """All armies; unlike marches also those at the gates, in the middle of a turn."""
        return tuple(list_armies(self.layout, self._state, self.moment))

    def out_since(self, seat: int) -> int | None:
        """R10: the turn in which the seat went out; None if it is in or has failed."""
        if seat in self.faults or int(self._state["still_in"]) >> seat & 1:
            return None
        return int(self._state["standing"][seat]) // rules.TURN_WEIGHT

    def in_sight(self, seat: int) -> Battlefield:
        """R13: what the seat sees, with the coordinates of the map."""
        return see(self.field, self.players[seat], self.options.sight == "own-roads")

    def shown_to(self, seat: int | None) -> Battlefield:
        """R13: forts and roads that the seat sees, or all; for pictures, which show `armies`."""
        if seat is None:
            return replace(self.layout.field, forts=tuple(self.forts.values()), marches=())
        return self.in_sight(seat)

    def sight(self, seat: int) -> Battlefield:
        """R13: what the seat sees, with coordinates as it is told them."""
        seen = self.in_sight(seat)
        if self.options.origin == "absolute":
            return seen
        return move_origin(seen, self.layout.homes[seat].place)

    def legal_moves(self, seat: int) -> Sequence[Any]:
        """To send no soldiers, or all soldiers of a fort along one of its roads."""
        if seat not in self.to_act:
            return ()
        return (
            PASS,
            *(
                Order(fort.name, target, fort.soldiers)
                for fort in self.field.forts
                if fort.owner == self.players[seat] and fort.soldiers > 0
                for target in self.field.neighbours[fort.name]
            ),
        )

    def random_turn(self, seat: int, rng: Random) -> Turn:
        """Each fort sends some of its soldiers along one of its roads, or does not."""
        exits: dict[str, list[Order]] = {}
        for order in self.legal_moves(seat)[1:]:
            exits.setdefault(order.origin, []).append(order)
        chosen = [rng.choice(orders) for orders in exits.values() if rng.getrandbits(1)]
        return tuple(order._replace(soldiers=rng.randint(1, order.soldiers)) for order in chosen)

    def play(self, turns: Mapping[int, Turn]) -> BattlebotsPosition:
        """The position after the orders of all seats that are still in."""
        work = self._read_orders(turns)
        state = self.copy_state()
        rules.play_turn(self._setup, state, work)
        return BattlebotsPosition(self.options, self.layout, self._setup, state, self.faults)

    def _read_orders(self, turns: Mapping[int, Turn]) -> Record:
        """Work that holds the orders of all seats, checked."""
        self.check_turns(turns)
        lanes = self.layout.lanes
        orders = [0] * len(lanes)
        for seat, turn in turns.items():
            if turn is not self._parsed.get(seat):
                check_turn(self.forts, lanes, self.players[seat], turn)
            for origin, target, soldiers in turn:
                orders[lanes[origin, target]] += soldiers
        self._parsed.clear()  # a long match has a hundred thousand orders
        work = new_record(self.layout.work_dtype)
        work["orders"][: len(lanes)] = orders
        return work

    def stages(self, turns: Mapping[int, Turn]) -> Sequence[tuple[str, BattlebotsPosition]]:
        """R4: armies leave, half a step, a whole one, and then sieges and growth."""
        work = self._read_orders(turns)
        state = self.copy_state()
        rules.leave_forts(self._setup, state, work["orders"])
        found = [("orders", self._stage(state, LEFT))]
        rules.meet_halfway(self._setup, state, work)
        found.append(("half a step", self._stage(state, HALFWAY)))
        rules.step(self._setup, state)
        rules.meet(self._setup, state, work)
        found.append(("a whole step", self._stage(state, STEPPED)))
        return (*found, ("sieges and growth", self.play(turns)))

    def _stage(self, state: Record, moment: int) -> BattlebotsPosition:
        kept = copy_record(state, self.layout.state_dtype)
        return BattlebotsPosition(self.options, self.layout, self._setup, kept, self.faults, moment)

    def drop(self, faults: Mapping[int, str]) -> BattlebotsPosition:
        """R12: those seats are out, and their forts and armies remain."""
        state = self.copy_state()
        for seat in faults:
            rules.drop_seat(self._setup, state, seat)
        rules.end_if_decided(self._setup, state)
        known = {**self.faults, **faults}
        return BattlebotsPosition(self.options, self.layout, self._setup, state, known)

    def _adjusted(self) -> BattlebotsPosition:
        setup = _setup(self.options, self.layout)
        state = self.copy_state()
        rules.end_if_decided(setup, state)
        return BattlebotsPosition(self.options, self.layout, setup, state, self.faults, self.moment)

    def copy_state(self) -> Record:
        """The record that the rules work on, to do with as one likes."""
        return copy_record(self._state, self.layout.state_dtype)

    def parse_turn(self, seat: int, text: str) -> Turn:
        """Orders in one line, or `pass`."""
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")
        turn = parse_turn(text)
        check_turn(self.forts, self.layout.lanes, self.players[seat], turn)
        self._parsed[seat] = turn
        return turn

    def format_turn(self, seat: int, turn: Turn) -> str:
        return format_turn(turn)

    def message(self, seat: int) -> str:
        """What the seat is told before its turn, with the players' names of the map."""
        return format_map(self.sight(seat))

    def observe(self, seat: int | None) -> JsonObject:
        """R13: what the seat sees; without a seat everything."""
        seen = self.field if seat is None else self.sight(seat)
        numbers = {name: number for number, name in enumerate(self.players)}
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        told: JsonObject = {
            "seat": seat,
            "turn": self.turn,
            "turn_limit": self.options.turn_limit,
            "forts": [
                {
                    "name": f.name,
                    "x": f.x,
                    "y": f.y,
                    "owner": numbers.get(f.owner),
                    "soldiers": f.soldiers,
                }
                for f in sorted(seen.forts)
            ],
            "roads": [list(road) for road in sorted(tuple(sorted(road)) for road in seen.roads)],
            "marches": [
                {
                    "origin": m.origin,
                    "target": m.target,
                    "owner": numbers[m.owner],
                    "soldiers": m.soldiers,
                    "steps": m.steps,
                }
                for m in sorted(seen.marches)
            ],
            "outcome": outcome,
        }
        if seat is None:
            told["to_act"] = list(self.to_act)
        return told

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        """The map and the players; for a seat, what it does not see is grey."""
        from agon.games.battlebots.scene import battlebots_scene

        return battlebots_scene(self, seat, names)


def _setup(options: BattlebotsOptions, layout: Layout) -> Record:
    return build_setup(layout, options.turn_limit, options.at_limit == "most-soldiers")[0]


def match_fields(first: Battlefield, field: Battlefield, step: int) -> Battlefield:
    """The field with its forts in the order of the first one; refuses another map's."""
    places = {name: fort.place for name, fort in field.fort.items()}
    if places != {name: fort.place for name, fort in first.fort.items()} or (
        {frozenset(road) for road in field.roads} != {frozenset(road) for road in first.roads}
    ):
        raise NotationError(f"step {step}: expected the forts and roads of step 0")
    if strangers := set(field.players) - set(first.players):
        raise NotationError(f"step {step}: {min(strangers)!r} is not a player of step 0")
    return type(field)(tuple(field.fort[f.name] for f in first.forts), first.roads, field.marches)
