"""The rules: start, loadouts, turns and their actions, score.

A turn is `begin_turn`, `take_action` for each action, and `finish_turn`; `play_turn` does it all
for the actions in `work.actions`.
"""

from __future__ import annotations

from agon.games.skyport.board import (
    EDGE,
    FIRST_ENDING,
    FULL_HEALTH,
    GRASS,
    INVALID,
    LASER_WEAPON,
    LAST_ENTERED,
    MAX_SEATS,
    MINE,
    MORTAR_WEAPON,
    MOVE,
    OCCUPANT,
    PASS,
    RUBIDIUM,
    SECOND_UNIT,
    TOP_LEVEL,
    UPGRADE,
    WEAPONS,
    is_over,
    kind_of,
    lift_robot,
    on_spawn,
    parameter_of,
    place_robot,
    seat_to_act,
    tile_at,
)
from agon.games.skyport.weapons import (
    DONE,
    IS_OCCUPIED,
    IS_TOP_LEVEL,
    NOT_ACCESSIBLE,
    NOT_CARRIED,
    NOT_ENOUGH_UNITS,
    NOT_UNDERSTOOD,
    NOTHING_TO_MINE,
    OFF_THE_MAP,
    TURN_IS_OVER,
    shoot,
)
from agon.kernel import Record, as_int, inlined, kernel, random_below

DEFAULT_LOADOUT = LASER_WEAPON * WEAPONS + MORTAR_WEAPON
IDLE_POINTS = 10
SPAWN_POINTS = 10


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    """R3, R6: every robot on its spawn, and the order of the seats; loadouts are due."""
    state.random = seed
    state.turn = 0
    for seat in range(MAX_SEATS):
        state.score[seat] = 0
        state.health[seat] = 0
        state.cell[seat] = as_int(setup.spawn[seat])
        state.primary[seat] = 0
        state.secondary[seat] = 0
        state.order[seat] = seat
        state.absent[seat] = 0
        for weapon in range(WEAPONS):
            state.units[seat, weapon] = 0
            state.level[seat, weapon] = 0
    for cell in range(setup.cells.shape[0]):
        state.cells[cell] = setup.cells[cell]
    seats = as_int(setup.seats)
    for seat in range(seats):
        state.health[seat] = FULL_HEALTH
    if as_int(setup.is_ordered) == 1:
        for place in range(seats):
            state.order[place] = setup.order[place]
    else:
        shuffle_seats(state, seats)
    state.place = 0


@inlined
def shuffle_seats(state: Record, seats: int) -> None:
    """R6: the order of the seats, by chance."""
    for last in range(seats - 1, 0, -1):
        chosen = random_below(state, last + 1)
        seat = as_int(state.order[last])
        state.order[last] = state.order[chosen]
        state.order[chosen] = seat


@kernel
def choose_loadouts(setup: Record, state: Record, work: Record) -> None:
    """R5: give all seats the weapons in `work.loadouts`; then turn 1 is due."""
    for seat in range(as_int(setup.seats)):
        give_weapons(state, as_int(seat), as_int(work.loadouts[seat]))
    state.turn = 1


@kernel
def give_weapons(state: Record, seat: int, loadout: int) -> None:
    """R3, R5: the two weapons of a seat, at level 1."""
    state.primary[seat] = loadout // WEAPONS
    state.secondary[seat] = loadout % WEAPONS
    state.level[seat, loadout // WEAPONS] = 1
    state.level[seat, loadout % WEAPONS] = 1


@kernel
def play_turn(setup: Record, state: Record, work: Record, count: int) -> None:
    """R7: play a turn of so many actions; what became of them is in `work.refusals`."""
    begin_turn(work)
    for slot in range(count):
        take_action(setup, state, work, slot)
    finish_turn(setup, state, work)


@kernel
def begin_turn(work: Record) -> None:
    """Nothing is done yet."""
    work.valid = 0
    work.ended = 0


@kernel
def take_action(setup: Record, state: Record, work: Record, slot: int) -> None:
    """R7: carry out the action of this slot, or refuse it."""
    action = as_int(work.actions[slot])
    if as_int(work.ended) == 1:
        work.refusals[slot] = TURN_IS_OVER
        return
    refusal = carry_out(setup, state, work, action, slot)
    work.refusals[slot] = refusal
    if refusal == DONE:
        if kind_of(action) != PASS:
            work.valid += 1
        if kind_of(action) >= FIRST_ENDING:
            work.ended = 1


@inlined
def carry_out(setup: Record, state: Record, work: Record, action: int, slot: int) -> int:
    """Do what an action says: DONE, or why it is refused."""
    seat = seat_to_act(state)
    kind = kind_of(action)
    if kind == MOVE:
        return move(setup, state, seat, parameter_of(action))
    if kind == MINE:
        return mine(state, seat)
    if kind == UPGRADE:
        return upgrade(state, seat, parameter_of(action))
    if kind == PASS:
        return DONE
    if kind == INVALID:
        return NOT_UNDERSTOOD
    return shoot(setup, state, work, seat, action, slot)


@inlined
def move(setup: Record, state: Record, seat: int, direction: int) -> int:
    """R8: one step."""
    target = as_int(state.cell[seat]) + as_int(setup.steps[direction])
    tile = tile_at(state, target)
    if tile == EDGE:
        return OFF_THE_MAP
    if tile > LAST_ENTERED:
        return NOT_ACCESSIBLE
    if as_int(state.cells[target]) >> OCCUPANT:
        return IS_OCCUPIED
    lift_robot(state, seat)
    place_robot(state, seat, target)
    return DONE


@inlined
def mine(state: Record, seat: int) -> int:
    """R9: one unit off the tile; the last one leaves grass."""
    cell = as_int(state.cell[seat])
    tile = tile_at(state, cell)
    if tile == GRASS or tile > LAST_ENTERED:
        return NOTHING_TO_MINE
    state.units[seat, tile - RUBIDIUM] += 1  # for the weapon that this is mined for, R10
    word = as_int(state.cells[cell])
    # without the second unit, or, GRASS being 0, without the tile
    state.cells[cell] = word ^ (SECOND_UNIT if word & SECOND_UNIT else tile)
    return DONE


@kernel
def upgrade_cost(level: int) -> int:
    """R10: units for the level after this one."""
    return 3 + level


@inlined
def upgrade(state: Record, seat: int, weapon: int) -> int:
    """R10: a level more for its price."""
    level = as_int(state.level[seat, weapon])
    if level == 0:
        return NOT_CARRIED
    if level == TOP_LEVEL:
        return IS_TOP_LEVEL
    if as_int(state.units[seat, weapon]) < upgrade_cost(level):
        return NOT_ENOUGH_UNITS
    state.units[seat, weapon] -= upgrade_cost(level)
    state.level[seat, weapon] = level + 1
    return DONE


@inlined
def finish_turn(setup: Record, state: Record, work: Record) -> None:
    """The penalties of the turn; then the next one is due."""
    charge_penalties(state, work)
    pass_turn_on(setup, state)


@inlined
def charge_penalties(state: Record, work: Record) -> None:
    """R17: what a turn costs in which nothing was done, or that ends on the spawn."""
    seat = seat_to_act(state)
    if as_int(work.valid) == 0:
        state.score[seat] -= IDLE_POINTS
    if on_spawn(state, seat):
        state.score[seat] -= SPAWN_POINTS


@inlined
def pass_turn_on(setup: Record, state: Record) -> None:
    """R6, R16: the next number, and the seat whose turn it is; those who skip theirs take none.

    A robot whose wait is over returns at the beginning of the turn in which it acts, not earlier.
    """
    state.turn += 1
    if is_over(setup, state):
        return
    while True:
        place = as_int(state.place) + 1
        state.place = place if place < as_int(setup.seats) else 0
        seat = seat_to_act(state)
        if as_int(state.absent[seat]) == 0:
            return
        state.absent[seat] -= 1
        if as_int(state.absent[seat]) == 0:
            lift_robot(state, seat)
            place_robot(state, seat, as_int(setup.spawn[seat]))
            state.health[seat] = FULL_HEALTH
            return


@kernel
def points(setup: Record, state: Record, seat: int) -> int:
    """How many other seats have a lower score: what simulations count, never negative."""
    beaten = 0
    for other in range(as_int(setup.seats)):
        if as_int(state.score[other]) < as_int(state.score[seat]):
            beaten += 1
    return beaten
