"""Greed: a turn at a glance, one action after the other.

A robot shoots at a robot that it can hit, with the shot that is worth most. It upgrades when it can
afford to. While no other is near it goes mining for its weapons; otherwise it walks to the nearest
of the others.
"""

from __future__ import annotations

from agon.games.skyport.aim import NO_SHOT, best_shot
from agon.games.skyport.board import (
    GRASS,
    LASER,
    LASER_WEAPON,
    LAST_ENTERED,
    MINE,
    MORTAR,
    MOVE,
    PASS,
    SHIFT_TO_POSITIVE,
    SLOTS,
    UPGRADE,
    encode_action,
    on_spawn,
    seat_to_act,
    tile_at,
)
from agon.games.skyport.playout import affordable_upgrades, free_directions
from agon.games.skyport.rules import begin_turn, finish_turn, take_action
from agon.games.skyport.walk import (
    NO_STEPS,
    NOWHERE,
    distance_to_others,
    first_step,
    is_of_use,
    later_steps,
    way_to_mine,
    way_to_others,
)
from agon.kernel import IntArray, Record, as_int, inlined, kernel, lowest_bit

SAFE = 7  # steps: a robot so far away needs more than a turn to come and shoot
TWO_AWAY = 7  # in the list of hexes near a robot, the first that is two steps away


@kernel
def is_safe(setup: Record, state: Record, seat: int) -> bool:
    """Whether the others are far away."""
    return distance_to_others(setup, state, seat, as_int(state.cell[seat])) >= SAFE


@inlined
def greedy_step(setup: Record, state: Record, scratch: Record, seat: int) -> int:
    """A direction: on the way of this turn, or of a new one; to a mine if that is safe."""
    way = as_int(scratch.plan)
    if way == NO_STEPS and is_safe(setup, state, seat):
        way = way_to_mine(setup, state, scratch, seat)
    if way == NO_STEPS:
        way = way_to_others(setup, state, scratch, seat)
    if way == NO_STEPS:
        return as_int(NOWHERE)
    scratch.plan = later_steps(way)
    return first_step(way)


@kernel
def shot_at_nothing(setup: Record, state: Record, seat: int) -> int:
    """A shot that does the shooter no harm; every loadout has a laser or a mortar."""
    if as_int(state.level[seat, LASER_WEAPON]) > 0:
        return encode_action(as_int(LASER), as_int(0))
    j = as_int(setup.near[TWO_AWAY, 0]) + SHIFT_TO_POSITIVE
    k = as_int(setup.near[TWO_AWAY, 1]) + SHIFT_TO_POSITIVE
    return encode_action(as_int(MORTAR), j | k << 8)


@inlined
def keep_busy(setup: Record, state: Record, seat: int) -> int:
    """R17: anything but to stand idle or on the spawn, if there is a choice."""
    free = free_directions(setup, state, seat)
    if on_spawn(state, seat):
        return encode_action(as_int(MOVE), lowest_bit(free)) if free else as_int(PASS)
    if GRASS < tile_at(state, as_int(state.cell[seat])) <= LAST_ENTERED:
        return as_int(MINE)
    if free:
        return encode_action(as_int(MOVE), lowest_bit(free))
    return shot_at_nothing(setup, state, seat)


@inlined
def greedy_action(
    setup: Record, state: Record, work: Record, scratch: Record, seat: int, slot: int
) -> int:
    """The action for this slot."""
    shot = best_shot(setup, state, scratch, seat, slot)
    if shot != NO_SHOT:
        return shot
    upgrades = affordable_upgrades(state, seat)
    if upgrades:
        return encode_action(as_int(UPGRADE), lowest_bit(upgrades))
    if is_of_use(state, seat, as_int(state.cell[seat])) and is_safe(setup, state, seat):
        return as_int(MINE)
    direction = greedy_step(setup, state, scratch, seat)
    if direction != NOWHERE:
        return encode_action(as_int(MOVE), direction)
    if as_int(work.valid) == 0 or on_spawn(state, seat):
        return keep_busy(setup, state, seat)
    return as_int(PASS)


@kernel
def take_greedy_turn(setup: Record, state: Record, work: Record, scratch: Record) -> int:
    """Play a turn of the seat that is due; how many actions are in `work.actions` then."""
    seat = seat_to_act(state)
    begin_turn(work)
    scratch.plan = NO_STEPS
    slot = as_int(0)
    while slot < SLOTS and as_int(work.ended) == 0:
        work.actions[slot] = greedy_action(setup, state, work, scratch, seat, slot)
        take_action(setup, state, work, slot)
        slot += 1
    finish_turn(setup, state, work)
    return slot


@kernel
def choose_greedily(
    setups: IntArray, states: IntArray, works: IntArray, scratches: IntArray
) -> int:
    """The same for arrays of one, as Python has them."""
    return take_greedy_turn(setups[0], states[0], works[0], scratches[0])
