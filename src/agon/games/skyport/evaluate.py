"""What a position is worth: the score, and what will bring points later.

That is health, levels, and units for the next level. To see what becomes of a position, `play_on`
plays it on greedily.
"""

from __future__ import annotations

from agon.games.skyport.board import FULL_HEALTH, TOP_LEVEL, WEAPONS, is_over
from agon.games.skyport.greedy import take_greedy_turn
from agon.games.skyport.rules import upgrade_cost
from agon.kernel import Record, as_int, inlined, kernel

# In hundredths of a point; tried in matches of the bot against itself.
POINT = 100
HEALTH = 60  # a death, at the end of 100 health, costs 40 points and gives another player 20
ABSENCE = 1500  # for each turn until a dead robot acts
LEVEL = 40  # for each turn that is left
UNIT = 8  # the same
TURNS_THAT_COUNT = 40
WON = 20_000  # the match


@kernel
def copy_state(setup: Record, state: Record, copy: Record) -> None:
    """Copy a position; what is beyond the map stays."""
    copy.random = state.random
    copy.turn = state.turn
    copy.place = state.place
    for seat in range(as_int(setup.seats)):
        copy.score[seat] = state.score[seat]
        copy.health[seat] = state.health[seat]
        copy.cell[seat] = state.cell[seat]
        copy.primary[seat] = state.primary[seat]
        copy.secondary[seat] = state.secondary[seat]
        copy.order[seat] = state.order[seat]
        copy.absent[seat] = state.absent[seat]
        for weapon in range(WEAPONS):
            copy.units[seat, weapon] = state.units[seat, weapon]
            copy.level[seat, weapon] = state.level[seat, weapon]
    for cell in range(state.cells.shape[0]):
        copy.cells[cell] = state.cells[cell]


@inlined
def play_on(setup: Record, state: Record, work: Record, scratch: Record, turns: int) -> None:
    """Play so many turns, all seats greedily."""
    for _ in range(turns):
        if is_over(setup, state):
            return
        take_greedy_turn(setup, state, work, scratch)


@kernel
def prospects(setup: Record, state: Record, seat: int) -> int:
    """The score of a seat with what will add to it."""
    points = POINT * as_int(state.score[seat])
    left = (as_int(setup.turns) + 1 - as_int(state.turn)) // as_int(setup.seats)
    if left <= 0:
        return points
    left = min(left, TURNS_THAT_COUNT)
    health = as_int(state.health[seat])
    if health == 0:
        points += HEALTH * FULL_HEALTH - ABSENCE * as_int(state.absent[seat])
    else:
        points += HEALTH * health
    for weapon in range(WEAPONS):
        level = as_int(state.level[seat, weapon])
        if level > 0:
            points += LEVEL * (level - 1) * left
            if level < TOP_LEVEL:
                units = min(as_int(state.units[seat, weapon]), upgrade_cost(level))
                points += UNIT * units * left
    return points


@kernel
def evaluate(setup: Record, state: Record, seat: int) -> int:
    """How far the seat is ahead of the best of the others, and of all of them on average."""
    own = prospects(setup, state, seat)
    best = as_int(-(1 << 40))
    total = as_int(0)
    others = as_int(setup.seats) - 1
    for other in range(as_int(setup.seats)):
        if other != seat:
            points = prospects(setup, state, other)
            best = max(best, points)
            total += points
    value = own - best + own - total // others
    if is_over(setup, state):
        value += WON if own > best else -WON if own < best else 0
    return value
