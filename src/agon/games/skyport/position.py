"""A position of Skyport, for people and programs: immutable, in terms of hexes and robots."""

from __future__ import annotations

import functools
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.errors import IllegalMoveError, SettingError
from agon.games.game import JsonObject, Outcome, Position
from agon.games.skyport import board, playout, refusal, rules
from agon.games.skyport import move as acts
from agon.games.skyport.mapfile import LETTERS
from agon.games.skyport.move import DEFAULT_LOADOUT, LOADOUTS, Action, Loadout, Turn
from agon.games.skyport.notation import format_action, format_turn, parse_turn
from agon.games.skyport.robot import Deed, Hit, Robot
from agon.games.skyport.setup import build_setup, cell_at, hex_at, records_for
from agon.games.skyport.weapons import DONE
from agon.kernel import copy_record, new_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from agon.games.scene import Scene
    from agon.games.skyport.game import SkyportOptions
    from agon.games.skyport.mapfile import Map, Place
    from agon.games.skyport.stages import Moment
    from agon.kernel import Record

NO_SEATS_OUT: MappingProxyType[int, str] = MappingProxyType({})


class SkyportPosition(Position[Turn]):
    """One moment of a match."""

    options: SkyportOptions
    adjustable = ("turns",)

    def __init__(
        self,
        options: SkyportOptions,
        match_map: Map,
        seed: int,
        state: Record,
        out: Mapping[int, str] = NO_SEATS_OUT,
        last_turns: Mapping[int, Turn] = MappingProxyType({}),
        deeds: tuple[Deed, ...] = (),
        moment: Moment | None = None,
    ) -> None:
        """Not for callers: use `start` and `play`."""
        self.options = options
        self.map = match_map
        self.seed = seed
        self.seats = match_map.seats
        self.out = out
        """R19: the seats that failed, and how."""
        self.last_turns = last_turns
        """The turns that led here."""
        self.deeds = deeds
        """What became of the actions of the turn that led here."""
        self.moment = moment
        """What is just happening, in a position that is a stage of a turn."""
        self._state = state
        self.turn = int(state["turn"])
        self.outcome = self._ending()
        self.to_act: tuple[int, ...] = ()
        if self.outcome is None:
            self.to_act = (self.order[0],) if self.turn else tuple(range(self.seats))
        if not self.turn and options.loadouts:
            self.forced = dict(enumerate(options.given_loadouts)) if self.to_act else {}
        elif out:
            idle: Turn = () if self.turn else DEFAULT_LOADOUT
            self.forced = {seat: idle for seat in self.to_act if seat in out}

    @classmethod
    def start(cls, options: SkyportOptions, match_map: Map, seed: int) -> SkyportPosition:
        """Every robot on its spawn; loadouts are due."""
        state = new_record(records_for(match_map).state)
        word: Any = np.uint64(seed % 2**64)  # the type that simulations have too
        rules.start(options.build_setup(match_map)[0], state, word)
        return cls(options, match_map, seed, state)

    @property
    def _setup(self) -> Record:
        return _setup(self.map, self.options.turns)

    @property
    def last_turn(self) -> int:
        """R18: the number of the last turn of the match."""
        return self.options.turns * self.seats

    def copy_state(self) -> Record:
        """The record that the rules work on, to do with as one likes."""
        return copy_record(self._state, records_for(self.map).state)

    def _ending(self) -> Outcome | None:
        """R18, R19."""
        if len(self.out) == self.seats:
            reasons = [f"seat {seat}: {self.out[seat]}" for seat in sorted(self.out)]
            return Outcome((0,) * self.seats, ", ".join(reasons))
        if self.turn <= self.last_turn:
            return None
        scores = self._state["score"][: self.seats].tolist()
        lowest = min(score for seat, score in enumerate(scores) if seat not in self.out)
        scores = [min(s, lowest - 1) if seat in self.out else s for seat, s in enumerate(scores)]
        return Outcome(tuple(scores), "all turns are played")

    # --- turns ---

    def legal_moves(self, seat: int) -> Sequence[Any]:
        """The loadouts, or every action that would not be refused now."""
        if seat not in self.to_act:
            return ()
        if not self.turn:
            return (self.forced[seat],) if self.options.loadouts else LOADOUTS
        return self._actions

    @functools.cached_property
    def _actions(self) -> tuple[Action, ...]:
        state, seat = self.copy_state(), self.to_act[0]
        robot = self.robots[seat]
        free = int(playout.free_directions(self._setup, state, seat))
        upgrades = int(playout.affordable_upgrades(state, seat))
        found = [acts.PASS]
        found += [acts.move(d) for d in range(board.DIRECTIONS) if free >> d & 1]
        found += [acts.MINE] if self.tile(robot.place) in "REC" else []
        found += [acts.upgrade(weapon) for weapon in range(board.WEAPONS) if upgrades >> weapon & 1]
        if robot.place != self.map.spawns[seat]:
            for weapon in sorted(robot.weapons):
                found += acts.all_shots(weapon, robot.levels[weapon])
        return tuple(found)

    def random_turn(self, seat: int, rng: Random) -> Turn:
        """A loadout or a turn by chance, as the README says; none of its actions is refused."""
        return self.turn_by_chance(seat, rng.getrandbits(64))

    def turn_by_chance(self, seat: int, chance: int) -> Turn:
        """The random turn that belongs to a number of 64 bits."""
        self._check_seat(seat)
        if not self.turn:
            loadouts = self.legal_moves(seat)
            loadout: Loadout = loadouts[chance % len(loadouts)]
            return loadout
        state, work = self.copy_state(), new_record(board.WORK)
        state["random"] = chance
        count = int(playout.take_random_turn(self._setup, state, work))
        return tuple(Action(code) for code in work["actions"][:count].tolist())

    def _check_seat(self, seat: int) -> None:
        if seat not in self.to_act:
            raise SettingError(f"seat {seat}: the seats to act are {self.to_act}")

    def play(self, turns: Mapping[int, Turn]) -> SkyportPosition:
        """The position after all loadouts, or after the turn of one seat."""
        self.check_turns(turns)
        state, work = self.copy_state(), new_record(board.WORK)
        deeds: tuple[Deed, ...] = ()
        if self.turn:
            ((seat, turn),) = turns.items()
            actions = self._checked_actions(turn)
            for slot, action in enumerate(actions):
                work["actions"][slot] = action.code
            rules.play_turn(self._setup, state, work, len(actions))
            deeds = self._read_deeds(work, actions, state)
        else:
            for seat, turn in turns.items():
                work["loadouts"][seat] = self._checked_loadout(seat, turn).code
            rules.choose_loadouts(self._setup, state, work)
        return SkyportPosition(
            self.options, self.map, self.seed, state, self.out, dict(turns), deeds
        )

    def _checked_loadout(self, seat: int, turn: Turn) -> Loadout:
        """R5: two weapons of the seat's choice, or those that the options give it."""
        if not isinstance(turn, Loadout):
            raise IllegalMoveError(f"turn {format_turn(turn)[:60]!r}: a loadout is due")
        if self.options.loadouts and turn != self.forced[seat]:
            raise IllegalMoveError(f"turn '{turn}': the match gives '{self.forced[seat]}'")
        return turn

    def _checked_actions(self, turn: Turn) -> acts.Actions:
        if isinstance(turn, Loadout):
            raise IllegalMoveError(f"{turn}: it was chosen before turn 1")
        acts.check_length(turn)
        return turn

    def stages(self, turns: Mapping[int, Turn]) -> Sequence[tuple[str, SkyportPosition]]:
        """R7: action by action; shots fly, hit and kill one after the other."""
        from agon.games.skyport.stages import turn_stages

        return turn_stages(self, self._setup, turns)

    def stage(
        self, state: Record, turns: Mapping[int, Turn], deeds: tuple[Deed, ...], moment: Moment
    ) -> SkyportPosition:
        """A moment on the way to `play(turns)`: this state, and these deeds up to now."""
        kept = copy_record(state, records_for(self.map).state)
        return SkyportPosition(
            self.options, self.map, self.seed, kept, self.out, dict(turns), deeds, moment
        )

    def _read_deeds(self, work: Record, actions: acts.Actions, after: Record) -> tuple[Deed, ...]:
        results = work["refusals"][: len(actions)].tolist()
        texts: Sequence[str | None] = (None,) * len(actions)
        if any(result != DONE for result in results):
            texts = self._refusal_texts(actions)
        deeds = []
        for slot, action in enumerate(actions):
            if texts[slot] is None and action.kind >= board.LASER:
                origin, target = int(work["origin"][slot]), int(work["target"][slot])
                start = hex_at(self.map.side, origin)
                is_edge = int(self._state["cells"][target]) & board.TILE == board.EDGE
                end = None if is_edge else hex_at(self.map.side, target)
                walked = int(work["walked"][slot])
                deeds.append(Deed(action, None, start, end, walked, self._hits(after)))
            else:
                deeds.append(Deed(action, texts[slot]))
        return tuple(deeds)

    def _hits(self, after: Record) -> tuple[Hit, ...]:
        """Who lost health in a turn: all by its shot, for there is but one.

        Who died and is back already (R16) has lost all, and stands on its spawn.
        """
        had, has = self._state["health"].tolist(), after["health"].tolist()
        was, stands = self._state["cell"].tolist(), after["cell"].tolist()
        spawn = self._setup["spawn"].tolist()
        found = []
        for seat in range(self.seats):
            left = 0 if was[seat] != stands[seat] == spawn[seat] else has[seat]
            if left < had[seat]:
                found.append(Hit(seat, had[seat] - left, left == 0))
        return tuple(found)

    def _refusal_texts(self, actions: acts.Actions) -> list[str | None]:
        """Why each action is refused: plays the turn once more, action by action."""
        state, work = self.copy_state(), new_record(board.WORK)
        rules.begin_turn(work)
        texts = []
        for slot, action in enumerate(actions):
            work["actions"][slot] = action.code
            rules.take_action(self._setup, state, work, slot)
            result = int(work["refusals"][slot])
            now = SkyportPosition(self.options, self.map, self.seed, state)
            texts.append(refusal.explain(result, action, now, self.to_act[0]))
        return texts

    def ends_turn(self, actions: acts.Actions) -> bool:
        """R7: whether the turn of the seat to act is over after these actions."""
        _, work = self._take_actions(actions)
        return len(actions) == board.SLOTS or bool(work["ended"])

    def amid_turn(self, actions: acts.Actions) -> SkyportPosition:
        """R7: the moment after these actions, with which the turn is not over."""
        state, _ = self._take_actions(actions)
        return SkyportPosition(self.options, self.map, self.seed, state, self.out)

    def _take_actions(self, actions: acts.Actions) -> tuple[Record, Record]:
        state, work = self.copy_state(), new_record(board.WORK)
        rules.begin_turn(work)
        for slot, action in enumerate(actions):
            work["actions"][slot] = action.code
            rules.take_action(self._setup, state, work, slot)
        return state, work

    def drop(self, faults: Mapping[int, str]) -> SkyportPosition:
        """R19: a robot whose seat fails stays on the board, does nothing, and does not win."""
        out = {**self.out, **faults}
        return SkyportPosition(
            self.options, self.map, self.seed, self._state, out, self.last_turns, self.deeds
        )

    def in_last_round(self) -> SkyportPosition:
        """R18: the same position in a match of as few turns for each seat as are possible now."""
        rounds = max(1, -(-self.turn // self.seats))
        return self.with_options(replace(self.options, turns=min(rounds, self.options.turns)))

    def _adjusted(self) -> SkyportPosition:
        return SkyportPosition(
            self.options,
            self.map,
            self.seed,
            self._state,
            self.out,
            self.last_turns,
            self.deeds,
            self.moment,
        )

    def parse_turn(self, seat: int, text: str) -> Turn:
        """A loadout, or up to three actions."""
        self._check_seat(seat)
        turn = parse_turn(text)
        if not self.turn:
            return self._checked_loadout(seat, turn)
        if isinstance(turn, Loadout):
            raise IllegalMoveError(f"turn {text[:60]!r}: actions are due")
        return turn

    def format_turn(self, seat: int, turn: Turn) -> str:
        return format_turn(turn)

    # --- what there is ---

    def tile(self, place: Place) -> str:
        """The letter of a hex."""
        return self.rows[place[0]][place[1]]

    @functools.cached_property
    def rows(self) -> tuple[str, ...]:
        """The map as it is now: mines that are empty have become grass."""
        side = self.map.side
        letters = [f"{LETTERS}#"[word & board.TILE] for word in self._cells]
        starts = [cell_at(side, (j, 0)) for j in range(side)]
        return tuple("".join(letters[start : start + side]) for start in starts)

    @property
    def _cells(self) -> list[int]:
        cells: list[int] = self._state["cells"].tolist()
        return cells

    @functools.cached_property
    def robots(self) -> tuple[Robot, ...]:
        state, side = self._state, self.map.side
        chosen = zip(state["primary"].tolist(), state["secondary"].tolist(), strict=True)
        columns = (
            [hex_at(side, cell) for cell in state["cell"].tolist()],
            state["health"].tolist(),
            state["score"].tolist(),
            [pair if self.turn else () for pair in chosen],
            map(tuple, state["level"].tolist()),
            map(tuple, state["units"].tolist()),
        )
        rows = list(zip(*columns, strict=True))[: self.seats]
        return tuple(Robot(seat, *row) for seat, row in enumerate(rows))

    @property
    def order(self) -> tuple[int, ...]:
        """R6: the seats in the order of their turns, the one to act first."""
        order = self._state["order"][: self.seats].tolist()
        place = int(self._state["place"])
        return tuple(order[place:] + order[:place])

    @property
    def half_mined(self) -> tuple[Place, ...]:
        """R9: the mines that have one unit left."""
        words = enumerate(self._cells)
        left = [
            cell for cell, word in words if 0 < word & board.TILE <= board.SCRAP and not word & 8
        ]
        return tuple(hex_at(self.map.side, cell) for cell in left)

    def observe(self, seat: int | None) -> JsonObject:
        """Everything but the units that robots have and mines hold, which players are not told."""
        outcome: Any = None
        if self.outcome is not None:
            outcome = {"scores": list(self.outcome.scores), "reason": self.outcome.reason}
        told: JsonObject = {
            "turn": self.turn,
            "turns": self.last_turn,
            "to_act": list(self.to_act),
            "order": list(self.order),
            "map": list(self.rows),
            "robots": [
                {
                    "place": list(robot.place),
                    "health": robot.health,
                    "score": robot.score,
                    "weapons": [
                        {"name": acts.WEAPONS[weapon], "level": robot.levels[weapon]}
                        for weapon in robot.weapons
                    ],
                }
                for robot in self.robots
            ],
            "deeds": [
                {"action": format_action(deed.action), "refusal": deed.refusal}
                for deed in self.deeds
            ],
            "outcome": outcome,
        }
        if seat is None:
            told["units"] = [list(robot.units) for robot in self.robots]
            told["half_mined"] = [list(place) for place in self.half_mined]
        return told

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        """The map, the robots and the last turn; seats do not see what players are not told."""
        from agon.games.skyport.scene import skyport_scene

        return skyport_scene(self, seat, names)


@functools.lru_cache(64)
def _setup(match_map: Map, turns: int) -> Record:
    return build_setup(match_map, turns)[0]
