"""Skyport for `learn`: the decisions of `decisions.py`, and what a seat knows as a row of numbers.

Seats are told as the one who looks counts them: itself is 0, the seat after it 1, and so on. What
robots have mined and what is left in a mine is not told (R10).
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from agon.games.learning import Learning, Part, nothing_to_settle, seen_as
from agon.games.skyport.board import (
    DIRECTIONS,
    DROID,
    FRAME,
    FULL_HEALTH,
    ROCK,
    SLOTS,
    TILE,
    WEAPONS,
)
from agon.games.skyport.decisions import (
    ACTIONS,
    DROID_ACTION,
    END,
    LASER_ACTION,
    LENGTH,
    LOADOUT_ACTION,
    LONGEST_WALK,
    MINE_ACTION,
    MORTAR_ACTION,
    MOST_ACTIONS,
    NO_WALK,
    UPGRADE_ACTION,
    is_over,
    list_actions,
    play_action,
    score,
    seat_to_act,
    start,
    state_in_turn,
)
from agon.games.skyport.move import (
    LOADOUTS,
    MINE,
    PASS,
    Loadout,
    droid,
    laser,
    mortar,
    move,
    upgrade,
)
from agon.games.skyport.playout import random_loadout
from agon.games.skyport.rules import IDLE_POINTS, SPAWN_POINTS, give_weapons
from agon.games.skyport.setup import hexes_near, records_for
from agon.games.skyport.weapons import DEATH_POINTS, KILL_POINTS
from agon.kernel import IntArray, Record, as_int, inlined, kernel, u64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.skyport.game import SkyportOptions
    from agon.games.skyport.move import Action, Actions, Turn
    from agon.games.skyport.position import SkyportPosition

NO_STEP = -1
NOT_CHOSEN = -1
ROBOT_FIELDS = 7
MOST_DAMAGE = 36  # R11: of a shot, to each robot


@lru_cache(16)
def make_learning(options: SkyportOptions) -> Learning:
    """Decisions with these options."""
    found = options.find_map(None)
    records = records_for(found)
    observation = describe_observation(found.side, found.seats, options.turns * found.seats)
    reaches = max(max(-part.low, part.high) for part in observation)
    return Learning(
        options=options,
        seats=found.seats,
        setup=options.build_setup(found),
        state=state_in_turn(records.state),
        work=records.work,
        at_once=1,
        most_actions=MOST_ACTIONS,
        actions=ACTIONS,
        observation=observation,
        observed=np.dtype(np.int16 if reaches <= np.iinfo(np.int16).max else np.int32),
        start=start,
        is_over=is_over,
        seat_to_act=seat_to_act,
        list_actions=list_actions,
        play_action=play_action,
        encode=encode,
        score=score,
        redeal=redeal,
        settle=nothing_to_settle,
        load=load,
        turn_of=turn_of,
        actions_of=actions_of,
        has_secrets=True,
        has_chance=True,
    )


def load(position: SkyportPosition, seat: int, states: IntArray) -> None:
    states["match"][0] = position.copy_state()
    states["walk"], states["slot"] = NO_WALK, 0
    states["chosen"] = seat if position.turn == 0 else position.seats


def turn_of(position: SkyportPosition, seat: int, actions: Sequence[int]) -> Turn | None:
    if position.turn == 0:
        return LOADOUTS[actions[0] - LOADOUT_ACTION] if actions else None
    taken, walk, is_ended = read_actions(actions)
    if is_ended or (walk is None and taken and position.ends_turn(taken)):
        return taken
    return None


def read_actions(actions: Sequence[int]) -> tuple[Actions, list[int] | None, bool]:
    """The actions of a turn so far, the walk of a droid that is being made, and whether it ends."""
    taken: Actions = ()
    walk: list[int] | None = None
    for action in actions:
        if walk is not None and action < MINE_ACTION:
            walk.append(action)
        elif walk is not None:
            taken, walk = (*taken, droid(walk)), None
        elif action == END:
            return taken, None, True
        elif action == DROID_ACTION:
            walk = []
        else:
            taken = (*taken, one_action(action))
    return taken, walk, False


def actions_of(position: SkyportPosition, seat: int, turn: Turn) -> list[int] | None:
    """An action that was not understood, or none before another, cannot be decided."""
    if isinstance(turn, Loadout):
        return [LOADOUT_ACTION + LOADOUTS.index(turn)]
    acted = len(turn)
    while acted and turn[acted - 1] == PASS:
        acted -= 1
    found: list[int] = []
    for action in turn[:acted]:
        numbers = numbers_of(action)
        if numbers is None:
            return None
        found += numbers
    return found if turn_of(position, seat, found) is not None else [*found, END]


def numbers_of(action: Action) -> list[int] | None:
    """The decisions that one action of a turn is made of."""
    if action.kind == DROID:
        return [DROID_ACTION, *action.steps, END]
    number = single_actions().get(action)
    return None if number is None else [number]


@cache
def single_actions() -> dict[Action, int]:
    """The number of each action that a single decision makes."""
    return {one_action(number): number for number in range(DROID_ACTION)}


def one_action(action: int) -> Action:
    """What a single decision does."""
    if action < MINE_ACTION:
        return move(action)
    if action < UPGRADE_ACTION:
        return MINE
    if action < LASER_ACTION:
        return upgrade(action - UPGRADE_ACTION)
    if action < MORTAR_ACTION:
        return laser(action - LASER_ACTION)
    return mortar(*hexes_near()[action - MORTAR_ACTION])


def describe_observation(side: int, seats: int, turns: int) -> tuple[Part, ...]:
    lowest, highest = score_bounds(seats, turns)
    return (
        Part(
            "tiles",
            (side, side),
            "of the hex j, k: 0 grass, 1 rubidium, 2 explodium, 3 scrap, 4 void, 5 spawn, 6 rock",
            0,
            ROCK,
        ),
        Part(
            "robots",
            (seats, ROBOT_FIELDS),
            "of each seat: place j and k; health, 0 dead; number of the primary weapon, -1 not"
            " shown yet; levels of laser, mortar and droid, 0 not carried",
            NOT_CHOSEN,
            max(side - 1, FULL_HEALTH),
        ),
        Part("scores", (seats,), "of each seat", lowest, highest),
        Part(
            "order", (seats,), "seats in the order of their turns, this turn's first", 0, seats - 1
        ),
        Part("turn", (1,), "its number; 0: loadouts are due", 0, turns + 1),
        Part("last_turn", (1,), "the number of the last turn of the match", 0, turns),
        Part("seat", (1,), "of the one who looks", 0, seats - 1),
        Part("to_move", (1,), "1 if that seat decides now", 0, 1),
        Part("slot", (1,), "actions carried out in this turn", 0, SLOTS - 1),
        Part("walking", (1,), "1 if that seat makes the walk of a droid", 0, 1),
        Part(
            "walk",
            (LONGEST_WALK,),
            "the directions of that walk up to now; -1: no step",
            NO_STEP,
            DIRECTIONS - 1,
        ),
    )


def score_bounds(seats: int, turns: int) -> tuple[int, int]:
    """Scores are not below the one number, nor above the other.

    R16: of a robot's turns one after another at most one is skipped, so between a turn of a seat
    and the next but one all others have had theirs. R17: a turn may hit all others.
    """
    own = 2 * (turns // (seats + 1)) + 2
    lost, won = IDLE_POINTS + SPAWN_POINTS + DEATH_POINTS, MOST_DAMAGE + KILL_POINTS
    return -(own + 1) * lost, own * (seats - 1) * won


# --- what a seat knows ----------------------------------------------------------------------------


@kernel
def encode(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    at = encode_tiles(setup, state.match, row)
    at = encode_robots(setup, state.match, seat, row, at)
    row[at] = as_int(state.match.turn)
    row[at + 1] = as_int(setup.turns)
    row[at + 2] = seat
    is_own = seat_to_act(setup, state) == seat
    row[at + 3] = 1 if is_own else 0
    row[at + 4] = as_int(state.slot)
    walk = as_int(state.walk) if is_own else as_int(NO_WALK)
    encode_walk(walk, row, at + 5)


@inlined
def encode_tiles(setup: Record, match: Record, row: IntArray) -> int:
    """R9: a mine looks the same with one unit and with two. Where the next part begins.

    An index without a sign cannot count from the end: so the loop takes many hexes at once.
    """
    stride = as_int(setup.stride)
    side = stride - FRAME
    for j in range(side):
        at = u64(j * side)
        cell = u64((j + FRAME) * stride + FRAME)
        for k in range(u64(side)):
            row[at + u64(k)] = as_int(match.cells[cell + u64(k)]) & TILE
    return side * side


@inlined
def encode_robots(setup: Record, match: Record, seat: int, row: IntArray, first: int) -> int:
    """Robots, scores and the order of turns. Where the next part begins."""
    seats = as_int(setup.seats)
    stride = as_int(setup.stride)
    scores = first + seats * ROBOT_FIELDS
    is_shown = as_int(match.turn) > 0  # R5: all choose at the same time
    place = as_int(match.place)
    for seen in range(seats):
        other = seat + seen if seat + seen < seats else seat + seen - seats
        at = first + seen * ROBOT_FIELDS
        cell = as_int(match.cell[other])
        row[at] = cell // stride - FRAME
        row[at + 1] = cell % stride - FRAME
        row[at + 2] = as_int(match.health[other])
        row[at + 3] = as_int(match.primary[other]) if is_shown else as_int(NOT_CHOSEN)
        for weapon in range(WEAPONS):
            row[at + 4 + weapon] = as_int(match.level[other, weapon]) if is_shown else as_int(0)
        row[scores + seen] = as_int(match.score[other])
        row[scores + seats + seen] = seen_as(as_int(match.order[place]), seat, seats)
        place = place + 1 if place + 1 < seats else as_int(0)
    return scores + 2 * seats


@inlined
def encode_walk(walk: int, row: IntArray, first: int) -> None:
    """R14: whether there is a walk, and its steps."""
    length = walk & LENGTH if walk != NO_WALK else as_int(0)
    row[first] = 1 if walk != NO_WALK else 0
    for step in range(LONGEST_WALK):
        row[first + 1 + step] = walk >> 3 * (step + 1) & 7 if step < length else as_int(NO_STEP)


@kernel
def redeal(setup: Record, state: Record, work: Record, seat: int, seed: int) -> None:
    """R5: the others' loadouts until they are shown; another's walk of a droid is not begun.

    All else is known to those who count: what was mined is told, as all actions are (R10).
    """
    match = state.match
    match.random = u64(seed)
    if seat_to_act(setup, state) != seat:
        state.walk = NO_WALK
    if as_int(match.turn) > 0:
        return
    for other in range(as_int(state.chosen)):
        if other != seat and as_int(setup.loadouts[other]) < 0:
            for weapon in range(WEAPONS):
                match.level[other, weapon] = 0
            give_weapons(match, as_int(other), random_loadout(match, work))
