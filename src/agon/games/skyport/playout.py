"""Random play, compiled: what simulations and GPUs run.

By what chance actions are chosen stands in the README.
"""

from __future__ import annotations

from agon.games.skyport.board import (
    DIRECTIONS,
    DROID,
    GRASS,
    LASER,
    LAST_ENTERED,
    MINE,
    MORTAR,
    MORTAR_WEAPON,
    MOVE,
    OCCUPANT,
    PASS,
    SHIFT_TO_POSITIVE,
    SLOTS,
    SPAWN,
    TILE,
    TOP_LEVEL,
    UPGRADE,
    WEAPONS,
    encode_action,
    seat_to_act,
    tile_at,
)
from agon.games.skyport.rules import (
    begin_turn,
    choose_loadouts,
    finish_turn,
    take_action,
    upgrade_cost,
)
from agon.games.skyport.weapons import DROID_RANGE, MORTAR_RANGE, by_level
from agon.kernel import Record, as_int, bit_count, inlined, kernel, lowest_bit, next_random, u64

FRACTION = (1 << 56) - 1


@kernel
def draw_chance(state: Record, work: Record) -> None:
    """A random number for all that is chosen about one action: a fraction, in 56 bits."""
    work.chance = as_int(next_random(state) >> u64(8))


@kernel
def choose(work: Record, bound: int) -> int:
    """A number from 0 to bound - 1, at most 63; it takes as much of the chance as it needs."""
    product = as_int(work.chance) * bound
    work.chance = product & FRACTION
    return product >> 56


@kernel
def choose_bit(work: Record, mask: int) -> int:
    """The number of one of the set bits, each with the same chance."""
    for _ in range(choose(work, bit_count(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def free_directions(setup: Record, state: Record, seat: int) -> int:
    """R8: where the robot can move, a bit for each direction."""
    cell = as_int(state.cell[seat])
    free = as_int(0)
    for direction in range(DIRECTIONS):
        word = as_int(state.cells[cell + as_int(setup.steps[direction])])
        if word & TILE <= LAST_ENTERED and not word >> OCCUPANT:
            free |= 1 << direction
    return free


@kernel
def affordable_upgrades(state: Record, seat: int) -> int:
    """R10: the weapons that could be upgraded, a bit for each."""
    affordable = as_int(0)
    for weapon in range(WEAPONS):
        level = as_int(state.level[seat, weapon])
        units = as_int(state.units[seat, weapon])
        if 0 < level < TOP_LEVEL and units >= upgrade_cost(level):
            affordable |= 1 << weapon
    return affordable


@inlined
def random_target(setup: Record, state: Record, work: Record, seat: int) -> int:
    """R13: a hex within range of the mortar, as the parameter of the shot."""
    reach = by_level(as_int(MORTAR_RANGE), as_int(state.level[seat, MORTAR_WEAPON]))
    chosen = choose(work, 1 + 3 * reach * (reach + 1))
    j = as_int(setup.near[chosen, 0]) + SHIFT_TO_POSITIVE
    k = as_int(setup.near[chosen, 1]) + SHIFT_TO_POSITIVE
    return j | k << 8


@inlined
def random_walk(state: Record, work: Record, seat: int) -> int:
    """R14: a list of steps for the droid, as the parameter of the shot."""
    reach = by_level(as_int(DROID_RANGE), as_int(state.level[seat, DROID - LASER]))
    sequence = choose(work, reach + 1)
    for step in range(sequence):
        sequence |= choose(work, as_int(DIRECTIONS)) << 3 * (step + 1)
    return sequence


@inlined
def possible_kinds(state: Record, seat: int, directions: int, upgrades: int) -> int:
    """The kinds of actions that are not all refused, a bit for each."""
    tile = tile_at(state, as_int(state.cell[seat]))
    kinds = as_int(1 << PASS)
    if directions != 0:
        kinds |= 1 << MOVE
    if GRASS < tile <= LAST_ENTERED:
        kinds |= 1 << MINE
    if upgrades != 0:
        kinds |= 1 << UPGRADE
    if tile != SPAWN:
        for weapon in range(WEAPONS):
            if as_int(state.level[seat, weapon]) != 0:
                kinds |= 1 << LASER + weapon
    return kinds


@inlined
def random_action(setup: Record, state: Record, work: Record) -> int:
    """An action that is not refused."""
    draw_chance(state, work)
    seat = seat_to_act(state)
    directions = free_directions(setup, state, seat)
    upgrades = affordable_upgrades(state, seat)
    kind = choose_bit(work, possible_kinds(state, seat, directions, upgrades))
    parameter = as_int(0)
    if kind == MOVE:
        parameter = choose_bit(work, directions)
    elif kind == UPGRADE:
        parameter = choose_bit(work, upgrades)
    elif kind == LASER:
        parameter = choose(work, as_int(DIRECTIONS))
    elif kind == MORTAR:
        parameter = random_target(setup, state, work, seat)
    elif kind == DROID:
        parameter = random_walk(state, work, seat)
    return encode_action(kind, parameter)


@inlined
def random_loadout(state: Record, work: Record) -> int:
    """R5: two different weapons."""
    draw_chance(state, work)
    primary = choose(work, as_int(WEAPONS))
    secondary = (primary + 1 + choose(work, as_int(WEAPONS - 1))) % WEAPONS
    return primary * WEAPONS + secondary


@kernel
def take_random_turn(setup: Record, state: Record, work: Record) -> int:
    """Play a turn of the seat that is due; how many actions are in `work.actions` then."""
    begin_turn(work)
    slot = as_int(0)
    while slot < SLOTS and as_int(work.ended) == 0:
        work.actions[slot] = random_action(setup, state, work)
        take_action(setup, state, work, slot)
        slot += 1
    finish_turn(setup, state, work)
    return slot


@inlined
def play_random_turn(setup: Record, state: Record, work: Record) -> None:
    """All loadouts at once, or the turn of one seat."""
    if as_int(state.turn) > 0:
        take_random_turn(setup, state, work)
        return
    for seat in range(as_int(setup.seats)):
        given = as_int(setup.loadouts[seat])
        work.loadouts[seat] = random_loadout(state, work) if given < 0 else given
    choose_loadouts(setup, state, work)
