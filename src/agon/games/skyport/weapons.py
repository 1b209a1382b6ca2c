"""Shots and what they do: R11 to R15."""

from __future__ import annotations

from agon.games.skyport.board import (
    DIRECTIONS,
    FIRST_OPAQUE,
    LASER,
    LAST_ENTERED,
    MORTAR,
    OCCUPANT,
    SHIFT_TO_POSITIVE,
    SPAWN,
    TILE,
    kind_of,
    on_spawn,
    parameter_of,
    tile_at,
)
from agon.kernel import Record, as_int, inlined, kernel

# What became of an action: carried out, or why it was refused.
DONE = 0
NOT_UNDERSTOOD = 1
TURN_IS_OVER = 2
OFF_THE_MAP = 3
NOT_ACCESSIBLE = 4
IS_OCCUPIED = 5
NOTHING_TO_MINE = 6
NOT_CARRIED = 7
IS_TOP_LEVEL = 8
NOT_ENOUGH_UNITS = 9
SHOT_FROM_SPAWN = 10
OUT_OF_RANGE = 11
TOO_LONG = 12


def pack_levels(first: int, second: int, third: int) -> int:
    """What a weapon has at levels 1, 2 and 3 in one number, which kernels can hold."""
    return first | second << 8 | third << 16


# R11 to R14; `by_level` reads them.
LASER_RANGE, LASER_DAMAGE = pack_levels(5, 6, 7), pack_levels(16, 18, 22)
MORTAR_RANGE, MORTAR_DAMAGE = pack_levels(2, 3, 4), pack_levels(20, 20, 25)
DROID_RANGE, DROID_DAMAGE = pack_levels(3, 4, 5), pack_levels(22, 24, 26)
MORTAR_AREA, DROID_AREA = 18, 10  # on the neighbours, at every level

KILL_POINTS = 20
DEATH_POINTS = 40
TURNS_UNTIL_RETURN = 2  # R16: the skipped one, and the one in which the robot is back


@kernel
def by_level(packed: int, level: int) -> int:
    """What `pack_levels` packed for this level."""
    return packed >> 8 * (level - 1) & 255


@kernel
def damage_with(base: int, unused: int) -> int:
    """R11: a fifth more for each unused slot, halves rounded up."""
    return (2 * base * (5 + unused) + 5) // 10


@kernel
def distance(j: int, k: int) -> int:
    """R1: steps to the hex that is so far away in j and k."""
    return max(abs(j), abs(k), abs(j - k))


@kernel
def hit(state: Record, shooter: int, cell: int, damage: int) -> None:
    """Hit the robot on a cell, if there is one. R15: not on a spawn, and not a body."""
    word = as_int(state.cells[cell])
    victim = (word >> OCCUPANT) - 1
    if victim < 0 or word & TILE == SPAWN or as_int(state.health[victim]) == 0:
        return
    health = max(as_int(0), as_int(state.health[victim]) - damage)
    state.health[victim] = health
    if victim != shooter:
        state.score[shooter] += damage  # R17: in full, also beyond the victim's health
    if health == 0:
        state.absent[victim] = TURNS_UNTIL_RETURN
        state.score[victim] -= DEATH_POINTS
        if victim != shooter:
            state.score[shooter] += KILL_POINTS


@kernel
def explode(
    setup: Record, state: Record, shooter: int, cell: int, damage: int, area_damage: int
) -> None:
    """R11: one damage on the cell, another on its neighbours."""
    hit(state, shooter, cell, damage)
    for direction in range(DIRECTIONS):
        hit(state, shooter, cell + as_int(setup.steps[direction]), area_damage)


@inlined
def shoot(setup: Record, state: Record, work: Record, seat: int, action: int, slot: int) -> int:
    """R11 to R14: make a shot, or refuse it; it leaves the slots after this one unused."""
    kind = kind_of(action)
    weapon = kind - LASER
    level = as_int(state.level[seat, weapon])
    if level == 0:
        return NOT_CARRIED
    if on_spawn(state, seat):
        return SHOT_FROM_SPAWN
    work.origin[slot] = as_int(state.cell[seat])
    if kind == LASER:
        return shoot_laser(setup, state, work, seat, parameter_of(action), level, slot)
    if kind == MORTAR:
        return shoot_mortar(setup, state, work, seat, parameter_of(action), level, slot)
    return launch_droid(setup, state, work, seat, parameter_of(action), level, slot)


@inlined
def shoot_laser(
    setup: Record, state: Record, work: Record, seat: int, direction: int, level: int, slot: int
) -> int:
    """R12: hit everyone up to a rock, the edge or the end of the range."""
    damage = damage_with(by_level(LASER_DAMAGE, level), 2 - slot)
    step = as_int(setup.steps[direction])
    cell = as_int(state.cell[seat])
    walked = 0
    while walked < by_level(LASER_RANGE, level):
        if tile_at(state, cell + step) >= FIRST_OPAQUE:
            break
        cell += step
        walked += 1
        hit(state, seat, cell, damage)
    work.target[slot] = cell
    work.walked[slot] = walked
    return DONE


@inlined
def shoot_mortar(
    setup: Record, state: Record, work: Record, seat: int, target: int, level: int, slot: int
) -> int:
    """R13: explode on a hex within range, unless the shell is lost there."""
    dj = (target & 255) - SHIFT_TO_POSITIVE
    dk = (target >> 8) - SHIFT_TO_POSITIVE
    if distance(dj, dk) > by_level(MORTAR_RANGE, level):
        return OUT_OF_RANGE
    cell = as_int(state.cell[seat]) + dj * as_int(setup.stride) + dk
    work.target[slot] = cell
    if tile_at(state, cell) <= LAST_ENTERED:
        damage = damage_with(by_level(MORTAR_DAMAGE, level), 2 - slot)
        explode(setup, state, seat, cell, damage, damage_with(as_int(MORTAR_AREA), 2 - slot))
    return DONE


@inlined
def launch_droid(
    setup: Record, state: Record, work: Record, seat: int, sequence: int, level: int, slot: int
) -> int:
    """R14: walk, and explode at the end of the list or where the way is blocked."""
    count = sequence & 7  # then 3 bits for each step
    if count > by_level(DROID_RANGE, level):
        return TOO_LONG
    cell = as_int(state.cell[seat])
    walked = 0
    while walked < count:
        beyond = cell + as_int(setup.steps[sequence >> 3 * (walked + 1) & 7])
        if tile_at(state, beyond) > LAST_ENTERED:
            break
        cell = beyond
        walked += 1
    work.target[slot] = cell
    work.walked[slot] = walked
    damage = damage_with(by_level(DROID_DAMAGE, level), 2 - slot)
    explode(setup, state, seat, cell, damage, damage_with(as_int(DROID_AREA), 2 - slot))
    return DONE
