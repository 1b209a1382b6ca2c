"""How good a position of Atlantis is for a seat, in points; compiled, for the bots.

A hundred points are a field that is held for good. What counts, in words:

- **Land.** A stable area is worth its fields to its holder; one that touches only growing
  fields of its single holder a little less. In an area where several seats have stones or growing
  fields, its fields are shared out by the squares of their strengths, for stones die one for one
  and the stronger side takes all.
- **Strength** is stones: those on open fields, more if they are crowded enough to explode soon;
  those on growing fields, which will land on the neighbours; and those that are still to grow.
- **Ground.** Of a contested area, the fields that are nearer to the seat's stones than to others,
  and the segments in which it has stones there, for each allows a move (R6).
- **What will come by itself.** Growing fields explode whether a seat moves or not, and one that
  explodes sets off others: much of the island sinks in this way. So the position is looked at
  three times: as it is, after two rounds in which all seats pass, and after 28 turns more.
- **The tie.** The later seat wins it (R15), above all when everything sinks. So the earlier seats
  want land to be left, of any seat, and the later ones do not.
- **Patience.** When the match has gone on for long, a seat that shares an area with others wants to
  get at them and to be rid of the stones there, more and more, so that it ends.

All this for the seat, minus the average of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agon.games.atlantis.areas import growth_touches_open
from agon.games.atlantis.board import (
    DIRECTIONS,
    GROWING,
    MAX_PLAYERS,
    NO_OWNER,
    ONE_AREA,
    OPEN,
    SEA,
    next_field,
    pass_to_next,
)
from agon.games.atlantis.explosion import explosion_phase, growth_phase
from agon.games.atlantis.rules import is_out
from agon.kernel import Record, as_int, inlined, kernel

HELD = 100  # a field of a stable area
NEARLY_HELD = 97  # a field of an area that only its holder's growing fields touch
SHARED = 126  # a field of a contested area, to be shared out

STONE = 71  # strength: a stone on an open field,
RIPE = 53  # on a growing one,
TO_COME = 26  # and one that is still to grow
CROWD = 35  # on top for a field with as many stones as open neighbours, by the square of the share

STRENGTH = 60  # points for 64 of strength in a contested area
NEAR = 18  # a field of it that is nearer to the seat's stones
SEGMENT = 10  # a segment of it with stones of the seat
LAND = 8  # an open field, for the first seat; for the last one minus as much
FORESEEN = 500  # an end that comes if all seats pass
CERTAIN = 200  # the end itself: points for each field of the board

SOON_ROUNDS, LATER_TURNS = 2, 28
NOW_SHARE, SOON_SHARE, LATER_SHARE = 4, 3, 2

PATIENCE = 24  # rounds, and one more for 16 fields of the board
PAIR = 32  # steps that a stone less is worth then
FAR = 1 << 20
STRONGEST = 1 << 24  # more than this is no stronger: so no square overflows


def judge_dtype(tier: int) -> np.dtype[Any]:
    """The record of what evaluation needs to remember, for boards of up to `tier` fields."""
    numbers = tier + 1
    return np.dtype(
        [
            ("noise", np.uint64),  # seeds the little differences between bots
            ("brief", np.int64),  # 1: without the last of the three looks, at half the price
            ("evaluated", np.int64),  # positions so far, which is how long work is measured
            ("stamp", np.int64),  # the number of the evaluation
            ("points", np.int64, (MAX_PLAYERS,)),
            ("score", np.int64, (MAX_PLAYERS,)),  # fields of stable areas
            ("standoff", np.int64, (MAX_PLAYERS,)),  # steps and stones between it and the others
            ("land", np.int64),
            ("unstable", np.int64),  # how many areas are
            # the area that is looked at
            ("strength", np.int64, (MAX_PLAYERS,)),
            ("near", np.int64, (MAX_PLAYERS,)),
            ("apart", np.int64, (MAX_PLAYERS,)),  # steps between its stones and others
            ("piles", np.int64, (MAX_PLAYERS,)),  # open fields with stones
            ("sources", np.int64, (MAX_PLAYERS,)),  # places where a growing field touches it
            ("stones", np.int64),  # of all seats
            ("area", np.uint16, (numbers,)),
            ("front", np.uint16, (numbers,)),
            ("seen", np.int64, (numbers,)),  # by field, the last evaluation that came by
            ("used", np.int64, (numbers, MAX_PLAYERS)),  # by segment and seat, the same
            ("distance", np.int32, (numbers,)),
            ("nearest", np.uint8, (numbers,)),
        ],
        align=True,
    )


@inlined
def pile_strength(state: Record, field: int) -> int:
    """What the stones of an open field are worth."""
    stones = as_int(state.stones[field])
    around = max(as_int(state.open_around[field]), 1)
    crowd = min(stones, around)
    return STONE * stones + CROWD * crowd * crowd // around


@inlined
def source_strength(state: Record, field: int) -> int:
    """What a growing field is worth to each of its open neighbours."""
    around = as_int(state.open_around[field])
    ripe = min(as_int(state.stones[field]), around)
    return (RIPE * ripe + TO_COME * (around - ripe)) // around


@inlined
def clear_area(setup: Record, judge: Record) -> None:
    """Nobody has anything in the area that is to be looked at."""
    judge.stones = 0
    for seat in range(as_int(setup.players)):
        judge.strength[seat] = 0
        judge.piles[seat] = 0
        judge.sources[seat] = 0


@inlined
def count_island(setup: Record, state: Record, judge: Record) -> int:
    """Find what `explore` does where all open fields are one area: without going through it."""
    clear_area(setup, judge)
    size = as_int(0)
    for field in range(1, as_int(setup.fields) + 1):
        judge.area[size] = field  # to stay only if it is open
        size += 1 if as_int(state.kind[field]) == OPEN else 0
    for seat in range(as_int(setup.players)):
        field = next_field(setup, state.stacks[seat], SEA)
        while field != SEA:
            judge.strength[seat] += pile_strength(state, field)
            judge.piles[seat] += 1
            judge.stones += as_int(state.stones[field])
            field = next_field(setup, state.stacks[seat], field)
        field = next_field(setup, state.growing[seat], SEA)
        while field != SEA:
            around = as_int(state.open_around[field])
            if around > 0:
                judge.strength[seat] += around * source_strength(state, field)
                judge.sources[seat] += around
            field = next_field(setup, state.growing[seat], field)
    return size


@inlined
def explore(setup: Record, state: Record, judge: Record, first: int) -> int:
    """Find the area of a field, and who has what in it; returns its size."""
    clear_area(setup, judge)
    stamp = as_int(judge.stamp)
    judge.area[0] = first
    judge.seen[first] = stamp
    size = as_int(1)
    looked = 0
    while looked < size:
        field = as_int(judge.area[looked])
        looked += 1
        owner = as_int(state.owner[field])
        if owner != NO_OWNER:
            judge.strength[owner] += pile_strength(state, field)
            judge.piles[owner] += 1
            judge.stones += as_int(state.stones[field])
        for direction in range(DIRECTIONS):
            other = as_int(setup.neighbour[field, direction])
            kind = as_int(state.kind[other])
            if kind == GROWING:
                grower = as_int(state.owner[other])
                judge.strength[grower] += source_strength(state, other)
                judge.sources[grower] += 1
            elif kind == OPEN and as_int(judge.seen[other]) != stamp:
                judge.seen[other] = stamp
                judge.area[size] = other
                size += 1
    return size


@inlined
def gather_front(setup: Record, state: Record, judge: Record, size: int) -> int:
    """Begin to divide the area: all fields with stones; returns how many."""
    for seat in range(as_int(setup.players)):
        judge.near[seat] = 0
        judge.apart[seat] = FAR
    count = as_int(0)
    for i in range(size):
        field = as_int(judge.area[i])
        judge.distance[field] = FAR
        judge.nearest[field] = state.owner[field]
        if as_int(state.owner[field]) != NO_OWNER:
            judge.distance[field] = 0
            judge.front[count] = field
            count += 1
    return count


@kernel
def meet(judge: Record, seat: int, steps: int) -> None:
    """Stones of the seat are so many steps away from another seat's."""
    if seat != NO_OWNER:
        judge.apart[seat] = min(as_int(judge.apart[seat]), steps)


@inlined
def divide(setup: Record, state: Record, judge: Record, size: int) -> None:
    """Find out who is nearest to each field of the area, and how far apart the seats are.

    What is equally near to two seats belongs to neither.
    """
    count = gather_front(setup, state, judge, size)
    looked = 0
    while looked < count:
        field = as_int(judge.front[looked])
        looked += 1
        seat = as_int(judge.nearest[field])
        here = as_int(judge.distance[field])
        if seat != NO_OWNER:
            judge.near[seat] += 1
        for direction in range(DIRECTIONS):
            other = as_int(setup.neighbour[field, direction])
            if as_int(state.kind[other]) != OPEN:
                continue
            there = as_int(judge.distance[other])
            if there == FAR:
                judge.distance[other] = here + 1
                judge.nearest[other] = seat
                judge.front[count] = other
                count += 1
            elif as_int(judge.nearest[other]) != seat:
                meet(judge, seat, here + there + 1)
                meet(judge, as_int(judge.nearest[other]), here + there + 1)
                if there == here + 1:
                    judge.nearest[other] = NO_OWNER


@inlined
def count_holders(setup: Record, judge: Record) -> int:
    """How many seats have stones in the area or growing fields beside it."""
    holders = 0
    for seat in range(as_int(setup.players)):
        judge.strength[seat] = min(as_int(judge.strength[seat]), STRONGEST)
        if as_int(judge.strength[seat]) > 0:
            holders += 1
    return holders


@inlined
def judge_held(setup: Record, judge: Record, size: int) -> None:
    """An area with a single holder."""
    for seat in range(as_int(setup.players)):
        if as_int(judge.sources[seat]) > 0:
            judge.unstable += 1
            judge.points[seat] += size * NEARLY_HELD
        elif as_int(judge.piles[seat]) > 0:
            judge.points[seat] += size * HELD
            judge.score[seat] += size


@inlined
def judge_contested(setup: Record, state: Record, judge: Record, size: int) -> None:
    """An area with several holders."""
    judge.unstable += 1
    divide(setup, state, judge, size)
    squares = as_int(0)
    for seat in range(as_int(setup.players)):
        squares += as_int(judge.strength[seat]) * as_int(judge.strength[seat])
    for seat in range(as_int(setup.players)):
        strength = as_int(judge.strength[seat])
        share = strength * strength * 256 // squares
        judge.points[seat] += size * SHARED * share // 256
        judge.points[seat] += strength * STRENGTH // 64 + NEAR * as_int(judge.near[seat])
        if as_int(judge.apart[seat]) < FAR:
            judge.standoff[seat] += as_int(judge.apart[seat]) + as_int(judge.stones) * PAIR
    stamp = as_int(judge.stamp)
    for i in range(size):
        field = as_int(judge.area[i])
        owner = as_int(state.owner[field])
        if owner != NO_OWNER:
            segment = as_int(setup.segment[field])
            if as_int(judge.used[segment, owner]) != stamp:
                judge.used[segment, owner] = stamp
                judge.points[owner] += SEGMENT


@kernel
def judge_area(setup: Record, state: Record, judge: Record, size: int) -> None:
    """Judge the area that was found."""
    judge.land += size
    holders = count_holders(setup, judge)
    if holders == 1:
        judge_held(setup, judge, size)
    elif holders > 1:
        judge_contested(setup, state, judge, size)


@kernel
def look(setup: Record, state: Record, judge: Record) -> None:
    """Judge all areas, as they are."""
    judge.evaluated += 1
    judge.stamp += 1
    judge.land = 0
    judge.unstable = 0
    for seat in range(as_int(setup.players)):
        judge.points[seat] = 0
        judge.score[seat] = 0
        judge.standoff[seat] = 0
    if as_int(state.areas) == ONE_AREA:
        size = count_island(setup, state, judge)
        if size > 0:
            judge_area(setup, state, judge, size)
        return
    stamp = as_int(judge.stamp)
    for first in range(1, as_int(setup.fields) + 1):
        if as_int(state.kind[first]) == OPEN and as_int(judge.seen[first]) != stamp:
            judge_area(setup, state, judge, explore(setup, state, judge, first))


@inlined
def impatience(setup: Record, state: Record) -> int:
    """What it costs to face others, by now: after 50 rounds or so more than a defeat."""
    fields = as_int(setup.fields)
    rounds = max(as_int(state.turn) // as_int(setup.players) - PATIENCE - fields // 16, 0)
    return rounds * rounds


@kernel
def value_of(setup: Record, state: Record, judge: Record, seat: int, ending: int) -> int:
    """What the last look means for a seat; `ending` is for each other that it beats, if it ends."""
    others = as_int(setup.players) - 1
    total = as_int(0)
    for other in range(as_int(setup.players)):
        total += as_int(judge.points[seat]) - as_int(judge.points[other])
        if as_int(judge.unstable) == 0 and other != seat:
            ahead = as_int(judge.score[seat]) - as_int(judge.score[other])
            won = is_out(state, other) or ahead > 0 or (ahead == 0 and seat > other)  # R15, R17
            total += ending if won else -ending
    total += LAND * as_int(judge.land) * (others - 2 * seat) // others
    return total // others - as_int(judge.standoff[seat]) * impatience(setup, state) // 4


@kernel
def pass_on(setup: Record, state: Record, work: Record, turns: int) -> None:
    """Let so many turns go by without a move, as long as they can change anything in an area."""
    while turns > 0 and growth_touches_open(setup, state):
        explosion_phase(setup, state, work)
        growth_phase(setup, state)
        pass_to_next(setup, state)
        turns -= 1


@kernel
def evaluate(setup: Record, state: Record, work: Record, judge: Record, seat: int) -> int:
    """The points of a position between two turns. Spoils the state: it passes on."""
    look(setup, state, judge)
    value = value_of(setup, state, judge, seat, CERTAIN * as_int(setup.fields))
    if not growth_touches_open(setup, state):
        return value  # nothing will come by itself
    value *= NOW_SHARE
    pass_on(setup, state, work, SOON_ROUNDS * as_int(setup.players))
    look(setup, state, judge)
    value += SOON_SHARE * value_of(setup, state, judge, seat, as_int(FORESEEN))
    if as_int(judge.brief) == 1:
        return value // (NOW_SHARE + SOON_SHARE)
    pass_on(setup, state, work, as_int(LATER_TURNS))
    look(setup, state, judge)
    value += LATER_SHARE * value_of(setup, state, judge, seat, as_int(FORESEEN))
    return value // (NOW_SHARE + SOON_SHARE + LATER_SHARE)
