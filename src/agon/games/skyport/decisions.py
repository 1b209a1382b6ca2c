"""Decisions for `learn`: a turn is made action by action, a droid's walk step by step.

Loadouts are chosen seat by seat, and none is shown before all are there. Then a decision is an
action, and the third one or a shot ends the turn by itself (R7). A droid takes several decisions:
one begins its walk, the same numbers as moves are its steps, and END launches it. Otherwise END
ends the turn; if nothing was done in it, it costs what R17 says.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from agon.games.learning import Part
from agon.games.skyport.board import (
    DIRECTIONS,
    DROID,
    DROID_WEAPON,
    LASER,
    MINE,
    MORTAR,
    MORTAR_WEAPON,
    MOVE,
    NEAR,
    SHIFT_TO_POSITIVE,
    SLOTS,
    UPGRADE,
    WEAPONS,
    encode_action,
)
from agon.games.skyport.board import is_over as is_match_over
from agon.games.skyport.board import seat_to_act as seat_of_turn
from agon.games.skyport.playout import affordable_upgrades, free_directions, possible_kinds
from agon.games.skyport.rules import finish_turn, give_weapons, take_action
from agon.games.skyport.rules import start as start_match
from agon.games.skyport.weapons import DROID_RANGE, MORTAR_RANGE, by_level
from agon.kernel import IntArray, Record, as_int, inlined, kernel, u64

LOADOUTS = WEAPONS * (WEAPONS - 1)
MINE_ACTION = DIRECTIONS  # moves come first
UPGRADE_ACTION = MINE_ACTION + 1
LASER_ACTION = UPGRADE_ACTION + WEAPONS
MORTAR_ACTION = LASER_ACTION + DIRECTIONS
DROID_ACTION = MORTAR_ACTION + NEAR
END = DROID_ACTION + 1
LOADOUT_ACTION = END + 1
MOST_ACTIONS = DIRECTIONS + 1 + 2 + DIRECTIONS + NEAR + 1  # on a mine, with laser and mortar

NO_WALK = -1  # no droid is on its way
LENGTH = 7  # the bits of a walk that say how long it is
LONGEST_WALK = 5  # R14: at the highest level

ACTIONS = (
    Part(
        "move",
        (DIRECTIONS,),
        "a move, or the next step of a droid whose walk is being made: up, down, right-up,"
        " right-down, left-up, left-down",
    ),
    Part("mine", (1,), "take a unit from the tile under the robot"),
    Part("upgrade", (WEAPONS,), "laser, mortar, droid"),
    Part("laser", (DIRECTIONS,), "a ray in a direction; ends the turn"),
    Part(
        "mortar",
        (NEAR,),
        "a shell to a hex within four steps, the nearest first, those equally far by j, then by k;"
        " ends the turn",
    ),
    Part("droid", (1,), "begin the walk of a droid: its steps follow, then the end launches it"),
    Part("end", (1,), "launch the droid whose walk is being made, or else end the turn"),
    Part(
        "loadout",
        (LOADOUTS,),
        "in turn 0: primary and secondary weapon, laser mortar, laser droid, mortar laser,"
        " mortar droid, droid laser, droid mortar",
    ),
)


@functools.cache
def state_in_turn(match: np.dtype[Any]) -> np.dtype[Any]:
    """The record of a match in the middle of a turn: no gaps, equal positions are equal bytes."""
    return np.dtype(
        [
            ("match", match),
            ("walk", np.int32),  # of a droid, as the parameter of its shot, or NO_WALK
            ("slot", np.int16),  # of the next action, so many were carried out in this turn
            ("chosen", np.int16),  # so many seats, from 0 on, have their weapons
        ],
        align=True,
    )


# --- the match ------------------------------------------------------------------------------------


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    start_match(setup, state.match, seed)
    state.walk = NO_WALK
    state.slot = 0
    state.chosen = 0
    take_given(setup, state)


@inlined
def take_given(setup: Record, state: Record) -> None:
    """R5: seats whose weapons are given do not choose; when all have theirs, turn 1 is due."""
    seats = as_int(setup.seats)
    seat = as_int(state.chosen)
    while seat < seats and as_int(setup.loadouts[seat]) >= 0:
        give_weapons(state.match, seat, as_int(setup.loadouts[seat]))
        seat += 1
    state.chosen = seat
    if seat == seats:
        state.match.turn = 1


@kernel
def is_over(setup: Record, state: Record) -> bool:
    return is_match_over(setup, state.match)


@kernel
def seat_to_act(setup: Record, state: Record) -> int:
    """Loadouts are chosen in the order of the seats; then comes the seat whose turn it is."""
    if as_int(state.match.turn) == 0:
        return as_int(state.chosen)
    return seat_of_turn(state.match)


@kernel
def score(setup: Record, state: Record, seat: int) -> int:
    return as_int(state.match.score[seat])


# --- decisions ------------------------------------------------------------------------------------


@kernel
def add_actions(actions: IntArray, count: int, first: int, more: int) -> int:
    """Add as many actions, from this number on; how many there are then."""
    for i in range(more):
        actions[u64(count + i)] = first + i
    return count + more


@kernel
def add_chosen(actions: IntArray, count: int, first: int, chosen: int) -> int:
    """Add an action for each set bit; how many there are then."""
    number = first
    while chosen != 0:
        if chosen & 1:
            actions[count] = number
            count += 1
        chosen >>= 1
        number += 1
    return count


@kernel
def list_actions(setup: Record, state: Record, work: Record, seat: int, actions: IntArray) -> int:
    match = state.match
    if as_int(match.turn) == 0:
        return add_actions(actions, as_int(0), as_int(LOADOUT_ACTION), as_int(LOADOUTS))
    walk = as_int(state.walk)
    if walk != NO_WALK:
        longest = by_level(as_int(DROID_RANGE), as_int(match.level[seat, DROID_WEAPON]))
        steps = as_int(DIRECTIONS) if walk & LENGTH < longest else as_int(0)  # R14
        count = add_actions(actions, as_int(0), as_int(0), steps)
        return add_actions(actions, count, as_int(END), as_int(1))
    directions = free_directions(setup, match, seat)
    upgrades = affordable_upgrades(match, seat)
    kinds = possible_kinds(match, seat, directions, upgrades)
    count = add_chosen(actions, as_int(0), as_int(0), directions)
    if kinds >> MINE & 1:
        count = add_actions(actions, count, as_int(MINE_ACTION), as_int(1))
    count = add_chosen(actions, count, as_int(UPGRADE_ACTION), upgrades)
    if kinds >> LASER & 1:
        count = add_actions(actions, count, as_int(LASER_ACTION), as_int(DIRECTIONS))
    if kinds >> MORTAR & 1:
        reach = by_level(as_int(MORTAR_RANGE), as_int(match.level[seat, MORTAR_WEAPON]))
        targets = 1 + 3 * reach * (reach + 1)  # R13
        count = add_actions(actions, count, as_int(MORTAR_ACTION), targets)
    if kinds >> DROID & 1:
        count = add_actions(actions, count, as_int(DROID_ACTION), as_int(1))
    return add_actions(actions, count, as_int(END), as_int(1))


@kernel
def play_action(setup: Record, state: Record, work: Record, seat: int, action: int) -> None:
    if action >= LOADOUT_ACTION:
        give_weapons(state.match, seat, loadout_of(action - LOADOUT_ACTION))
        state.chosen = seat + 1
        take_given(setup, state)
        return
    walk = as_int(state.walk)
    if action == DROID_ACTION:
        state.walk = 0
    elif walk != NO_WALK and action != END:
        state.walk = walk + 1 | action << 3 * ((walk & LENGTH) + 1)
    else:
        play_in_slot(setup, state, work, action, walk)


@kernel
def loadout_of(number: int) -> int:
    """R5: the number that the rules have for one of the pairs of different weapons."""
    primary = number // (WEAPONS - 1)
    secondary = number % (WEAPONS - 1)
    if secondary >= primary:
        secondary += 1
    return primary * WEAPONS + secondary


@inlined
def play_in_slot(setup: Record, state: Record, work: Record, action: int, walk: int) -> None:
    """R7: carry out an action of the turn, or end it."""
    slot = as_int(state.slot)
    work.valid = slot  # none of them was refused
    work.ended = 0
    if action == END and walk == NO_WALK:
        work.ended = 1
    else:
        work.actions[slot] = rules_action(setup, action, walk)
        take_action(setup, state.match, work, slot)
        slot += 1
    state.walk = NO_WALK
    state.slot = slot
    if slot == SLOTS or as_int(work.ended) == 1:
        state.slot = 0
        finish_turn(setup, state.match, work)


@inlined
def rules_action(setup: Record, action: int, walk: int) -> int:
    """The action as the rules have it."""
    kind = as_int(MOVE)
    parameter = action
    if action == END:
        kind = as_int(DROID)
        parameter = walk
    elif action >= MORTAR_ACTION:
        kind = as_int(MORTAR)
        j = as_int(setup.near[action - MORTAR_ACTION, 0]) + SHIFT_TO_POSITIVE
        k = as_int(setup.near[action - MORTAR_ACTION, 1]) + SHIFT_TO_POSITIVE
        parameter = j | k << 8
    elif action >= LASER_ACTION:
        kind = as_int(LASER)
        parameter = action - LASER_ACTION
    elif action >= UPGRADE_ACTION:
        kind = as_int(UPGRADE)
        parameter = action - UPGRADE_ACTION
    elif action == MINE_ACTION:
        kind = as_int(MINE)
        parameter = as_int(0)
    return encode_action(kind, parameter)
