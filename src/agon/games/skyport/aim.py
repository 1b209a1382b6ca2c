"""Aiming: the best shot of a weapon at a robot, and what it is worth in points.

Only shots that hit are looked at: lasers along the line to the victim, explosions on its hex and
beside it. A shot is worth the damage that it does to all others, more if it kills, less what the
shooter does to itself.
"""

from __future__ import annotations

from agon.games.skyport.board import (
    DIRECTIONS,
    DROID,
    DROID_WEAPON,
    FIRST_OPAQUE,
    LASER,
    LASER_WEAPON,
    LAST_ENTERED,
    MORTAR,
    MORTAR_WEAPON,
    OCCUPANT,
    SHIFT_TO_POSITIVE,
    SPAWN,
    TILE,
    WEAPONS,
    encode_action,
    on_spawn,
    tile_at,
)
from agon.games.skyport.walk import apart, is_reached, send_droids
from agon.games.skyport.weapons import (
    DEATH_POINTS,
    DROID_AREA,
    DROID_DAMAGE,
    DROID_RANGE,
    KILL_POINTS,
    LASER_DAMAGE,
    LASER_RANGE,
    MORTAR_AREA,
    MORTAR_DAMAGE,
    MORTAR_RANGE,
    by_level,
    damage_with,
)
from agon.kernel import Record, as_int, inlined, kernel

NO_SHOT = 0


@kernel
def worth_of_hit(state: Record, seat: int, cell: int, damage: int) -> int:
    """What it is worth to a seat to hit the robot on a cell; R15: not a body, not on a spawn."""
    word = as_int(state.cells[cell])
    victim = (word >> OCCUPANT) - 1
    if victim < 0 or word & TILE == SPAWN:
        return as_int(0)
    health = as_int(state.health[victim])
    if health == 0:
        return as_int(0)
    kills = damage >= health
    if victim == seat:
        return -damage - (DEATH_POINTS if kills else 0)
    return damage + (KILL_POINTS + DEATH_POINTS if kills else 0)


@kernel
def worth_of_explosion(
    setup: Record, state: Record, seat: int, cell: int, damage: int, area: int
) -> int:
    """R11: the same for an explosion."""
    worth = worth_of_hit(state, seat, cell, damage)
    for direction in range(DIRECTIONS):
        worth += worth_of_hit(state, seat, cell + as_int(setup.steps[direction]), area)
    return worth


@kernel
def consider(scratch: Record, shot: int, worth: int) -> None:
    """Keep the shot if it is better than what there is."""
    if worth > as_int(scratch.worth):
        scratch.worth = worth
        scratch.shot = shot


@inlined
def aim_laser(
    setup: Record, state: Record, scratch: Record, seat: int, victim: int, slot: int
) -> None:
    """R12: the rays that hit the victim."""
    level = as_int(state.level[seat, LASER_WEAPON])
    longest = by_level(as_int(LASER_RANGE), level)
    origin, aim = as_int(state.cell[seat]), as_int(state.cell[victim])
    far = apart(setup, origin, aim)
    if far > longest:
        return
    damage = damage_with(by_level(as_int(LASER_DAMAGE), level), 2 - slot)
    for direction in range(DIRECTIONS):
        step = as_int(setup.steps[direction])
        if origin + far * step == aim:  # or beyond the edge, where no ray gets
            worth = as_int(0)
            cell = origin + step
            walked = as_int(0)
            while walked < longest and tile_at(state, cell) < FIRST_OPAQUE:
                worth += worth_of_hit(state, seat, cell, damage)
                cell += step
                walked += 1
            if walked >= far:
                consider(scratch, encode_action(as_int(LASER), direction), worth)


@inlined
def aim_mortar(
    setup: Record, state: Record, scratch: Record, seat: int, victim: int, slot: int
) -> None:
    """R13: the shells that fall on the victim or beside it."""
    level = as_int(state.level[seat, MORTAR_WEAPON])
    longest = by_level(as_int(MORTAR_RANGE), level)
    origin, aim = as_int(state.cell[seat]), as_int(state.cell[victim])
    if apart(setup, origin, aim) > longest + 1:
        return
    damage = damage_with(by_level(as_int(MORTAR_DAMAGE), level), 2 - slot)
    area = damage_with(as_int(MORTAR_AREA), 2 - slot)
    stride = as_int(setup.stride)
    for direction in range(-1, DIRECTIONS):
        cell = aim + as_int(setup.steps[direction]) if direction >= 0 else aim
        if tile_at(state, cell) <= LAST_ENTERED and apart(setup, origin, cell) <= longest:
            dj = cell // stride - origin // stride + SHIFT_TO_POSITIVE
            dk = cell % stride - origin % stride + SHIFT_TO_POSITIVE
            worth = worth_of_explosion(setup, state, seat, cell, damage, area)
            consider(scratch, encode_action(as_int(MORTAR), dj | dk << 8), worth)


@inlined
def aim_droid(
    setup: Record, state: Record, scratch: Record, seat: int, victim: int, slot: int
) -> None:
    """R14: the droids that get to the victim or beside it."""
    level = as_int(state.level[seat, DROID_WEAPON])
    aim = as_int(state.cell[victim])
    longest = by_level(as_int(DROID_RANGE), level)
    if apart(setup, as_int(state.cell[seat]), aim) > longest + 1:
        return
    send_droids(setup, state, scratch, seat)
    damage = damage_with(by_level(as_int(DROID_DAMAGE), level), 2 - slot)
    area = damage_with(as_int(DROID_AREA), 2 - slot)
    for direction in range(-1, DIRECTIONS):
        cell = aim + as_int(setup.steps[direction]) if direction >= 0 else aim
        if is_reached(scratch, cell):
            worth = worth_of_explosion(setup, state, seat, cell, damage, area)
            consider(scratch, encode_action(as_int(DROID), as_int(scratch.way[cell])), worth)


@kernel
def can_be_hit(state: Record, seat: int) -> bool:
    """R15: alive, and not on a spawn."""
    return as_int(state.health[seat]) > 0 and not on_spawn(state, seat)


@kernel
def aim_at(
    setup: Record, state: Record, scratch: Record, seat: int, weapon: int, victim: int, slot: int
) -> None:
    """Look for better shots of a carried weapon than the one in `scratch.shot`, at one robot."""
    if weapon == LASER_WEAPON:
        aim_laser(setup, state, scratch, seat, victim, slot)
    elif weapon == MORTAR_WEAPON:
        aim_mortar(setup, state, scratch, seat, victim, slot)
    else:
        aim_droid(setup, state, scratch, seat, victim, slot)


@kernel
def forget_shots(scratch: Record) -> None:
    """No shot is found yet, and none is worth as little as nothing."""
    scratch.shot = NO_SHOT
    scratch.worth = 0


@inlined
def best_shot(setup: Record, state: Record, scratch: Record, seat: int, slot: int) -> int:
    """The best shot of all from where the robot stands; NO_SHOT if none is worth anything."""
    forget_shots(scratch)
    if not on_spawn(state, seat):
        for victim in range(as_int(setup.seats)):
            if victim != seat and can_be_hit(state, victim):
                for weapon in range(WEAPONS):
                    if as_int(state.level[seat, weapon]) > 0:
                        aim_at(setup, state, scratch, seat, weapon, victim, slot)
    return as_int(scratch.shot)
