"""Skyport by clicks: first two weapons; then in each turn up to three actions, one after another.

A hex beside the robot is a move; mining, upgrades and weapons are buttons, and a weapon's target is
a hex again. A droid walks a hex at a time until it is told to explode. What was picked is carried
out on the board as far as the player can know: a mine is taken to be full, for players are not told
how much it holds (R10), so only the second unit from one mine may turn out not to be there.

Picks are `weapon-laser` for the loadout; `move-up`, `mine`, `upgrade-laser`, `pass`; `aim-laser`
and `laser-up`, `aim-mortar` and `mortar-3-2`, `aim-droid`, `step-up` and `explode`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from agon.games.clicks import Choice, Draft, Step, check_seat, overlay, take_step
from agon.games.players import Players
from agon.games.skyport import board
from agon.games.skyport import move as acts
from agon.games.skyport.look import SEAT_NAMES, TILES
from agon.games.skyport.marks import WALKED, as_known, beyond, droid_at, letter_at, light, ray
from agon.games.skyport.notation import format_action, format_turn
from agon.games.skyport.position import SkyportPosition
from agon.games.skyport.refusal import RESOURCES, format_place
from agon.games.skyport.rules import upgrade_cost
from agon.games.skyport.scene import skyport_scene
from agon.games.skyport.setup import hexes_near
from agon.games.skyport.stages import Phase
from agon.games.skyport.turn_words import describe_deed, describe_penalties
from agon.games.skyport.weapons import DROID_RANGE, LASER_RANGE, MORTAR_RANGE, by_level, distance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agon.games.game import Position
    from agon.games.scene import Scene
    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.robot import Robot

RANGES = (LASER_RANGE, MORTAR_RANGE, DROID_RANGE)
EXPLODE = "explode"
BONUS = ("", ", with 20% more damage", ", with 40% more damage")  # R11, by unused slots


def step(
    position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
) -> Step:
    check_seat(position, seat)
    known = as_known(SkyportPosition.of(position), seat)
    draft = TurnDraft if known.turn else LoadoutDraft
    return take_step(draft(known, seat, names), picks)


@dataclass(frozen=True)
class LoadoutDraft(Draft):
    """R5: none, one or two weapons."""

    position: SkyportPosition
    seat: int
    names: Sequence[str] = ()
    weapons: tuple[int, ...] = ()

    @property
    def prompt(self) -> str:
        return (
            "Choose your primary weapon",
            "Choose your secondary weapon",
            "Send your weapons, or take them back",
        )[len(self.weapons)]

    def choices(self) -> Sequence[Choice]:
        """None: weapons do not lie on the map."""
        return ()

    def buttons(self) -> Sequence[Choice]:
        """The weapons that are not chosen yet."""
        if len(self.weapons) == 2:
            return ()
        left = [name for number, name in enumerate(acts.WEAPONS) if number not in self.weapons]
        return [Choice(f"weapon-{name}", name) for name in left]

    def pick(self, choice: str) -> tuple[Draft, str]:
        name = choice.removeprefix("weapon-")
        words = f"{'secondary' if self.weapons else 'primary'} weapon: {name}"
        return replace(self, weapons=(*self.weapons, acts.WEAPONS.index(name))), words

    def turn(self) -> str | None:
        """The loadout, if there are two."""
        return str(acts.Loadout(*self.weapons)) if len(self.weapons) == 2 else None

    def scene(self) -> Scene:
        return skyport_scene(self.position, self.seat, self.names)


class Offer(NamedTuple):
    """Something that may be picked, and what comes of it."""

    words: str
    after: TurnDraft
    places: tuple[Place, ...] = ()
    """The hexes to click; a button has none."""


@dataclass(frozen=True)
class TurnDraft(Draft):
    """R7: some actions, and perhaps a weapon that is being aimed, or a droid under way."""

    position: SkyportPosition
    """As the seat knows it."""
    seat: int
    names: Sequence[str] = ()
    actions: acts.Actions = ()
    aim: int | None = None
    walk: tuple[int, ...] = ()

    @property
    def prompt(self) -> str:
        """What to click, and what it costs to stop here."""
        if self.aim is not None:
            return self._aim_prompt(self.aim)
        sent = f" (as it is, it costs {costs})" if (costs := self._costs) else ""
        if self._is_over:
            return f"Send the turn, or take actions back{sent}"
        number = len(self.actions) + 1
        what = f"Action {number} of {board.SLOTS}: choose a hex to move to, or press a button"
        return f"{what}; you have {self._units}. Or send the turn{sent}"

    def choices(self) -> Sequence[Choice]:
        """What has a place on the map."""
        return [Choice(name, offer.words) for name, offer in self._offers.items() if offer.places]

    def buttons(self) -> Sequence[Choice]:
        """What has none."""
        offers = self._offers.items()
        return [Choice(name, offer.words) for name, offer in offers if not offer.places]

    def pick(self, choice: str) -> tuple[Draft, str]:
        offer = self._offers[choice]
        return offer.after, offer.words

    def turn(self) -> str | None:
        """The actions, if no weapon is being aimed."""
        return None if self.aim is not None else format_turn(self.actions)

    def scene(self) -> Scene:
        """The map after the actions, with what can be clicked on top."""
        marks = []
        if self.aim is not None:
            name = f"aim-{acts.WEAPONS[self.aim]}"
            marks.append(light(self.position, name, "picked", self._walked))
            if self.walk:
                marks.append(droid_at(self.position, self._walked[-1]))
        for name, offer in self._offers.items():
            if offer.places:
                role = "choice piece" if len(offer.places) > 1 else "choice"
                marks.append(light(self.position, name, role, offer.places, offer.words))
        return overlay(skyport_scene(self._now, self.seat, self.names), marks)

    # --- what there is now ---

    @cached_property
    def _now(self) -> SkyportPosition:
        """The moment after the last action, before the turn is over."""
        if not self.actions:
            return self.position
        stages = [stage for _, stage in self.position.stages({self.seat: self.actions})]
        seen = (Phase.HIT, Phase.DONE)
        return next(s for s in reversed(stages) if s.moment and s.moment.phase in seen)

    @property
    def _robot(self) -> Robot:
        return self._now.robots[self.seat]

    @property
    def _is_over(self) -> bool:
        return self.position.ends_turn(self.actions)

    @property
    def _costs(self) -> str:
        """R17: the penalties, were the turn sent now."""
        after = self.position.play({self.seat: self.actions})
        return describe_penalties(after).removeprefix("lost: ")

    @property
    def _units(self) -> str:
        """R10: what the player has mined for its weapons, which it can count itself."""
        robot = self._robot
        return " and ".join(f"{robot.units[w]} {RESOURCES[w]}" for w in sorted(robot.weapons))

    @property
    def _walked(self) -> list[Place]:
        """The hexes where a droid has been, or the robot's own."""
        places = [self._robot.place]
        for direction in self.walk:
            places.append(beyond(places[-1], direction))
        return places

    def _reach(self, weapon: int) -> int:
        return int(by_level(RANGES[weapon], self._robot.levels[weapon]))

    def _aim_prompt(self, weapon: int) -> str:
        if weapon == board.LASER_WEAPON:
            return "Choose a direction for the laser"
        if weapon == board.MORTAR_WEAPON:
            return "Choose where the shell comes down"
        left = self._reach(weapon) - len(self.walk)
        return f"Choose the droid's way, at most {left} more steps, or let it explode"

    # --- what can be picked ---

    @cached_property
    def _offers(self) -> Mapping[str, Offer]:
        if self._is_over:
            return {}
        return dict(self._actions() if self.aim is None else self._targets(self.aim))

    def _with(self, action: acts.Action) -> TurnDraft:
        return TurnDraft(self.position, self.seat, self.names, (*self.actions, action))

    def _actions(self) -> Iterator[tuple[str, Offer]]:
        """R8 to R10, and the weapons that can be aimed."""
        robot, spawn = self._robot, self.position.map.spawns[self.seat]
        for action in self._now.legal_moves(self.seat):
            if action.kind == board.MOVE:
                place = beyond(robot.place, action.steps[0])
                words = f"{format_action(action)} to {self._describe(place)}"
                yield (
                    format_action(action).replace(" ", "-"),
                    Offer(words, self._with(action), (place,)),
                )
            elif action.kind in (board.MINE, board.UPGRADE):
                yield (
                    format_action(action).replace(" ", "-"),
                    Offer(self._button_words(action), self._with(action)),
                )
        for weapon in () if robot.place == spawn else robot.weapons:
            aiming = replace(self, aim=weapon)
            if next(aiming._targets(weapon), None):
                name, unused = acts.WEAPONS[weapon], board.SLOTS - 1 - len(self.actions)
                words = f"fire the {name}{BONUS[unused]}"
                yield f"aim-{name}", Offer(words, aiming)
        yield "pass", Offer("pass the rest of the turn", self._with(acts.PASS))

    def _button_words(self, action: acts.Action) -> str:
        if action.kind == board.MINE:
            return f"mine {TILES[self._now.tile(self._robot.place)]}"
        weapon = action.weapon
        level, units = self._robot.levels[weapon], self._robot.units[weapon]
        price = f"{int(upgrade_cost(level))} of your {units} {RESOURCES[weapon]}"
        return f"{format_action(action)} to level {level + 1} for {price}"

    def _describe(self, place: Place) -> str:
        return f"{format_place(place)}, {TILES[letter_at(self._now, place)]}"

    def _targets(self, weapon: int) -> Iterator[tuple[str, Offer]]:
        return (self._rays, self._shells, self._steps)[weapon]()

    def _rays(self) -> Iterator[tuple[str, Offer]]:
        """R12: the directions that are not blocked at once."""
        for direction, name in enumerate(acts.DIRECTIONS):
            reach = self._reach(board.LASER_WEAPON)
            places = tuple(ray(self._now, self._robot.place, direction, reach))
            if places:
                after = self._with(acts.laser(direction))
                yield f"laser-{name}", Offer(f"laser {name}{after._told}", after, places)

    def _shells(self) -> Iterator[tuple[str, Offer]]:
        """R13: the hexes in range where shells explode, the own one too."""
        here = self._robot.place
        for j, k in hexes_near():
            place = here[0] + j, here[1] + k
            letter = letter_at(self._now, place)
            in_range = distance(j, k) <= self._reach(board.MORTAR_WEAPON)
            if in_range and letter and letter in WALKED:
                after = self._with(acts.mortar(j, k))
                words = f"mortar to {self._describe(place)}{after._told}"
                yield f"mortar-{place[0]}-{place[1]}", Offer(words, after, (place,))

    def _steps(self) -> Iterator[tuple[str, Offer]]:
        """R14: the hexes where the droid can go on to; at the end of its range it explodes."""
        for direction, name in enumerate(acts.DIRECTIONS):
            place = beyond(self._walked[-1], direction)
            letter = letter_at(self._now, place)
            if letter and letter in WALKED:
                walk = (*self.walk, direction)
                is_last = len(walk) == self._reach(board.DROID_WEAPON)
                after = self._with(acts.droid(walk)) if is_last else replace(self, walk=walk)
                end = f", and explode{after._told}" if is_last else ""
                words = f"droid {name} to {self._describe(place)}{end}"
                yield f"step-{name}", Offer(words, after, (place,))
        after = self._with(acts.droid(self.walk))
        yield EXPLODE, Offer(f"let the droid explode here{after._told}", after)

    @property
    def _told(self) -> str:
        """What the last action, a shot, does."""
        players = Players(SEAT_NAMES, self.names)
        told = describe_deed(self._now, self._now.deeds[-1], players)
        return f":{told.partition(':')[2]}"
