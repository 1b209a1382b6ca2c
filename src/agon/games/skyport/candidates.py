"""The turns that are worth a try.

A turn is some moves, mines and upgrades, and then perhaps a shot that hits another robot. Of turns
that come to the same, one is enough: where the robot stands, what it has mined and upgraded, and
for each victim the best shot of each weapon.
"""

from __future__ import annotations

import numpy as np

from agon.games.skyport.aim import NO_SHOT, aim_at, can_be_hit, forget_shots
from agon.games.skyport.board import (
    DIRECTIONS,
    GRASS,
    LAST_ENTERED,
    MINE,
    MOVE,
    SLOTS,
    UPGRADE,
    WEAPONS,
    encode_action,
    on_spawn,
    seat_to_act,
    tile_at,
)
from agon.games.skyport.evaluate import copy_state, prospects
from agon.games.skyport.greedy import shot_at_nothing, take_greedy_turn
from agon.games.skyport.playout import affordable_upgrades, free_directions
from agon.games.skyport.rules import begin_turn, play_turn, take_action
from agon.games.skyport.walk import distance_to_others
from agon.kernel import IntArray, Record, as_int, inlined, kernel

MOST_TURNS = 400
SHOT = 0  # what a turn comes to that ends with a shot: each is one of its own

TURNS = np.dtype(
    [
        ("listed", np.int64),  # how many
        ("actions", np.int64, (MOST_TURNS, SLOTS)),
        ("length", np.int64, (MOST_TURNS,)),
        ("after", np.int64, (MOST_TURNS,)),  # what the turn comes to, or SHOT
    ],
    align=True,
)


@kernel
def sum_up(root: Record, state: Record, seat: int) -> int:
    """A number for where the robot stands and what it has; another one if that differs."""
    number = as_int(state.cell[seat])
    for weapon in range(WEAPONS):
        gained = as_int(state.units[seat, weapon]) - as_int(root.units[seat, weapon])
        number = number * 32 + gained + 16
    return number


@inlined
def is_listed(turns: Record, after: int) -> bool:
    """Whether there is a turn that comes to this."""
    i = as_int(0)
    while i < as_int(turns.listed) and as_int(turns.after[i]) != after:
        i += 1
    return i < as_int(turns.listed)


@kernel
def add_turn(turns: Record, base: int, action: int, after: int) -> None:
    """List the turn that is another one with an action more, if there is room."""
    new = as_int(turns.listed)
    if new == MOST_TURNS:
        return
    length = as_int(turns.length[base])
    for slot in range(length):
        turns.actions[new, slot] = turns.actions[base, slot]
    turns.actions[new, length] = action
    turns.length[new] = length + 1
    turns.after[new] = after
    turns.listed = new + 1


@kernel
def replay(
    setup: Record, root: Record, trial: Record, work: Record, turns: Record, turn: int
) -> None:
    """The position after the actions of a turn that is not over yet."""
    copy_state(setup, root, trial)
    begin_turn(work)
    for slot in range(as_int(turns.length[turn])):
        work.actions[slot] = turns.actions[turn, slot]
        take_action(setup, trial, work, slot)


@kernel
def try_action(
    setup: Record,
    root: Record,
    trial: Record,
    work: Record,
    turns: Record,
    base: int,
    action: int,
) -> None:
    """List a turn with this action more, if it comes to something new."""
    replay(setup, root, trial, work, turns, base)
    slot = as_int(turns.length[base])
    work.actions[slot] = action
    take_action(setup, trial, work, slot)
    after = sum_up(root, trial, seat_to_act(root))
    if not is_listed(turns, after):
        add_turn(turns, base, action, after)


@inlined
def add_shots(
    setup: Record, state: Record, scratch: Record, turns: Record, base: int, seat: int
) -> None:
    """List the best shots at each victim after the actions of a turn, which led to this state."""
    if on_spawn(state, seat):
        return
    for victim in range(as_int(setup.seats)):
        if victim == seat or not can_be_hit(state, victim):
            continue
        for weapon in range(WEAPONS):
            if as_int(state.level[seat, weapon]) > 0:
                forget_shots(scratch)
                aim_at(setup, state, scratch, seat, weapon, victim, as_int(turns.length[base]))
                if as_int(scratch.shot) != NO_SHOT:
                    add_turn(turns, base, as_int(scratch.shot), as_int(SHOT))
    if base == 0:  # to stay without being idle
        add_turn(turns, base, shot_at_nothing(setup, state, seat), as_int(SHOT))


@inlined
def add_actions(
    setup: Record, root: Record, trial: Record, work: Record, turns: Record, base: int, seat: int
) -> None:
    """List a turn with a move, a mine or an upgrade more; the trial is the position before it."""
    free = free_directions(setup, trial, seat)
    upgrades = affordable_upgrades(trial, seat)
    tile = tile_at(trial, as_int(trial.cell[seat]))
    for direction in range(DIRECTIONS):
        if free >> direction & 1:
            action = encode_action(as_int(MOVE), direction)
            try_action(setup, root, trial, work, turns, base, action)
    if GRASS < tile <= LAST_ENTERED:
        try_action(setup, root, trial, work, turns, base, as_int(MINE))
    for weapon in range(WEAPONS):
        if upgrades >> weapon & 1:
            action = encode_action(as_int(UPGRADE), weapon)
            try_action(setup, root, trial, work, turns, base, action)


@kernel
def list_turns(
    setups: IntArray,
    roots: IntArray,
    trials: IntArray,
    works: IntArray,
    scratches: IntArray,
    lists: IntArray,
) -> int:
    """List the turns of the seat that is due, the greedy one first; returns how many they are."""
    setup, root, trial, work = setups[0], roots[0], trials[0], works[0]
    scratch, turns = scratches[0], lists[0]
    seat = seat_to_act(root)
    turns.listed = 1
    turns.length[0] = 0
    turns.after[0] = sum_up(root, root, seat)
    base = as_int(0)
    while base < as_int(turns.listed):
        if as_int(turns.after[base]) != SHOT and as_int(turns.length[base]) < SLOTS:
            replay(setup, root, trial, work, turns, base)
            add_shots(setup, trial, scratch, turns, base, seat)
            add_actions(setup, root, trial, work, turns, base, seat)
        base += 1
    # to do nothing at all is never good: the greedy turn takes its place
    copy_state(setup, root, trial)
    turns.length[0] = take_greedy_turn(setup, trial, work, scratch)
    for slot in range(SLOTS):
        turns.actions[0, slot] = work.actions[slot]
    return as_int(turns.listed)


@inlined
def play_listed(setup: Record, state: Record, work: Record, turns: Record, turn: int) -> None:
    """Play one of the turns."""
    for slot in range(SLOTS):
        work.actions[slot] = turns.actions[turn, slot]
    play_turn(setup, state, work, as_int(turns.length[turn]))


@kernel
def is_idle(setup: Record, root: Record, trial: Record, seat: int) -> bool:
    """Whether a turn, which led to this trial, gained nothing and came no nearer to the others."""
    trial.turn = root.turn  # prospects become less from turn to turn
    return prospects(setup, trial, seat) <= prospects(setup, root, seat) and distance_to_others(
        setup, trial, seat, as_int(trial.cell[seat])
    ) >= distance_to_others(setup, root, seat, as_int(root.cell[seat]))


@kernel
def drop_idle_turns(
    setups: IntArray,
    roots: IntArray,
    trials: IntArray,
    works: IntArray,
    scratches: IntArray,
    lists: IntArray,
) -> int:
    """Of the listed turns keep the greedy one and those that are not idle; returns how many."""
    setup, root, trial, work, turns = setups[0], roots[0], trials[0], works[0], lists[0]
    seat = seat_to_act(root)
    kept = as_int(1)
    for turn in range(1, as_int(turns.listed)):
        copy_state(setup, root, trial)
        play_listed(setup, trial, work, turns, turn)
        if not is_idle(setup, root, trial, seat):
            turns.length[kept] = turns.length[turn]
            for slot in range(SLOTS):
                turns.actions[kept, slot] = turns.actions[turn, slot]
            kept += 1
    turns.listed = kept
    return kept
