"""Battlebots for `learn`: all seats at once, an order of some soldiers by a lane at a time.

Seats are told as the one who looks counts them: itself is 0, the seat after it 1, and so on. An
action is lane * 4 + how many of the soldiers that are left in the lane's fort, or the END of the
turn. When all have ended theirs, the turn is played (R4).
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.battlebots import rules
from agon.games.battlebots.board import (
    MOST_SEATS,
    NEUTRAL,
    WORD_BITS,
    army_at,
    count_words,
    owner_of,
    soldiers_of,
)
from agon.games.battlebots.fog import OWN, UNSEEN, look_around, sees_road
from agon.games.battlebots.game import GAME
from agon.games.battlebots.mapfile import format_map
from agon.games.battlebots.move import Order
from agon.games.battlebots.reach import find_reach
from agon.games.battlebots.redeal import redeal
from agon.games.battlebots.setup import build_setup
from agon.games.learning import Learning, Part, seen_as
from agon.kernel import IntArray, Record, as_int, inlined, kernel, lowest_bit, new_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.battlebots.game import BattlebotsOptions
    from agon.games.battlebots.layout import Layout
    from agon.games.battlebots.move import Turn
    from agon.games.battlebots.position import BattlebotsPosition

ONE, QUARTER, HALF, ALL = range(4)
AMOUNTS = 4
MOST_AMOUNTS = 16
"""Of which an order is made that someone else has given."""
NOBODYS = -1


@lru_cache(16)
def make_learning(options: BattlebotsOptions, layout: Layout | None = None) -> Learning:
    """Decisions on this map, or on that of the options, where need be the one of seed 0."""
    if layout is None:
        if not options.field:
            options = replace(options, field=format_map(GAME.layout(options, 0).field))
        layout = GAME.layout(options, 0)
    seats, roads = len(layout.players), len(layout.field.roads)
    return Learning(
        options=options,
        seats=seats,
        setup=learning_setup(options, layout),
        state=learning_state(layout),
        work=learning_work(layout),
        at_once=seats,
        most_actions=2 * roads * AMOUNTS + 1,
        actions=(
            Part(
                "order",
                (2 * roads, AMOUNTS),
                "by which lane (2 * road from its first fort, 2 * road + 1 from its second), and"
                " how many of the soldiers left there: 1, a quarter, a half (rounded up), all",
            ),
            Part("end", (1,), "of the seat's turn; always legal"),
        ),
        observation=observation_parts(layout, options.turn_limit),
        observed=np.dtype(np.int32),
        start=start,
        is_over=is_over,
        seat_to_act=seat_to_act,
        list_actions=list_actions,
        play_action=play_action,
        encode=encode,
        score=score,
        redeal=redeal,
        settle=settle,
        load=load,
        turn_of=partial(turn_of, 2 * roads * AMOUNTS),
        actions_of=partial(actions_of, 2 * roads * AMOUNTS),
        has_secrets=True,
    )


def load(position: BattlebotsPosition, seat: int, states: IntArray) -> None:
    states["match"][0] = position.copy_state()
    states["orders"], states["ended"] = 0, 0


def turn_of(
    end: int, position: BattlebotsPosition, seat: int, actions: Sequence[int]
) -> Turn | None:
    """The orders, if the last action ends them; those by one lane are one."""
    if not actions or actions[-1] != end:
        return None
    ways = {lane: way for way, lane in position.layout.lanes.items()}
    left = {fort.name: fort.soldiers for fort in position.forts.values()}
    sent: dict[int, int] = {}
    for lane, amount in (divmod(action, AMOUNTS) for action in actions[:-1]):
        origin, _ = ways[lane]
        soldiers = int(share_of(left[origin], amount))
        left[origin] -= soldiers
        sent[lane] = sent.get(lane, 0) + soldiers
    return tuple(Order(*ways[lane], soldiers) for lane, soldiers in sent.items())


def actions_of(end: int, position: BattlebotsPosition, seat: int, turn: Turn) -> list[int] | None:
    """Each order by the largest amounts that it has; None: it would take too many."""
    left = {fort.name: fort.soldiers for fort in position.forts.values()}
    found: list[int] = []
    for origin, target, soldiers in turn:
        lane = position.layout.lanes[origin, target]
        first, wanted = len(found), soldiers
        while wanted:
            if len(found) - first == MOST_AMOUNTS or wanted > left[origin]:
                return None
            amounts = range(int(least_amount(left[origin])), AMOUNTS)
            amount = max(a for a in amounts if share_of(left[origin], a) <= wanted)
            sent = int(share_of(left[origin], amount))
            left[origin], wanted = left[origin] - sent, wanted - sent
            found.append(lane * AMOUNTS + amount)
    return [*found, end]


def observation_parts(layout: Layout, turn_limit: int) -> tuple[Part, ...]:
    field = layout.field
    seats, forts, roads = len(layout.players), len(field.forts), len(field.roads)
    points = layout.places - 2 * roads  # no army rests at the ends of a road
    most = field.soldiers + forts * turn_limit  # R9
    walked = "at each point of the roads, road after road from first fort to second"
    return (
        Part("seen", (forts,), "1 for each fort in sight (R13)", 0, 1),
        Part(
            "owners", (forts,), "seats of the forts in sight; -1 neutral or unseen", -1, seats - 1
        ),
        Part("soldiers", (forts,), "garrisons of the forts in sight; 0 if unseen", 0, most),
        Part("orders", (2 * roads,), "soldiers that leave by each lane; only the own", 0, most),
        Part("roads", (roads,), "1 for each road in sight (R13)", 0, 1),
        Part("there", (points,), f"soldiers on their way to the second fort, {walked}", 0, most),
        Part("back", (points,), "the same of those to the first fort", 0, most),
        Part("marchers", (points,), "whose these are; -1 none or unseen", -1, seats - 1),
        Part("seat", (1,), "of the one who looks", 0, seats - 1),
        Part("turn", (1,), "turns played", 0, turn_limit),
        Part("turn_limit", (1,), "turns after which the match ends", 0, turn_limit),
        Part("ended", (1,), "1 if this seat has ended its turn, and waits", 0, 1),
    )


def learning_setup(options: BattlebotsOptions, layout: Layout) -> Any:
    """What is fixed for a match, and for what a seat sees and may believe."""
    match = build_setup(layout, options.turn_limit, options.at_limit == "most-soldiers")
    setup = new_records(
        np.dtype(
            [
                ("match", match.dtype),
                ("own_roads", np.int32),  # R13: 1 if only roads that end at an own fort are seen
                ("soldiers", np.int32),  # of all sides at the start
                ("reach", np.int32, (layout.tier.forts, MOST_SEATS)),  # see `reach.py`
            ],
            align=True,
        )
    )
    setup[0]["match"] = match[0]
    setup[0]["own_roads"] = options.sight == "own-roads"
    setup[0]["soldiers"] = layout.field.soldiers
    reach = find_reach(layout.field)
    setup[0]["reach"][: len(reach), : len(layout.players)] = reach
    return setup


def learning_state(layout: Layout) -> np.dtype[Any]:
    """A match, and the orders of its turn up to now."""
    return np.dtype(
        [
            ("match", layout.state_dtype),
            ("orders", np.int32, (2 * layout.tier.roads,)),  # per lane, the soldiers that leave
            ("ended", np.int64),  # a bit for each seat
        ],
        align=True,
    )


def learning_work(layout: Layout) -> np.dtype[Any]:
    return np.dtype(
        [
            ("turn", layout.work_dtype),
            ("seen", np.uint8, (layout.tier.forts,)),  # see `fog.py`
            ("drawn", np.uint8, (layout.tier.forts,)),  # see `redeal.py`
        ],
        align=True,
    )


@inlined
def start(setup: Record, state: Record, seed: int) -> None:
    rules.start(setup.match, state.match, seed)
    for lane in range(state.orders.shape[0]):
        state.orders[lane] = 0
    state.ended = 0


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return as_int(state.match.over) == 1


@inlined
def score(setup: Record, state: Record, seat: int) -> int:
    return rules.score(setup.match, state.match, seat)


@inlined
def still_to_end(state: Record) -> int:
    """The seats that are in and have not ended their turns, a bit for each."""
    return as_int(state.match.still_in) & ~as_int(state.ended)


@inlined
def seat_to_act(setup: Record, state: Record) -> int:
    """The first of them: all decide at once."""
    return lowest_bit(still_to_end(state))


@kernel
def soldiers_left(setup: Record, state: Record, fort: int) -> int:
    """R5: those in a fort that have no order in this turn yet."""
    left = as_int(state.match.garrison[fort])
    for i in range(as_int(setup.match.first_exit[fort]), as_int(setup.match.first_exit[fort + 1])):
        left -= as_int(state.orders[as_int(setup.match.exits[i])])
    return left


@kernel
def share_of(left: int, amount: int) -> int:
    """So many soldiers."""
    if amount == ONE:
        return 1
    if amount == QUARTER:
        return (left + 3) >> 2
    if amount == HALF:
        return (left + 1) >> 1
    return left


@kernel
def least_amount(left: int) -> int:
    """The first amount that is legal; all after it are, too, and no two are equally many."""
    if left > 4:
        return ONE
    if left > 2:
        return QUARTER
    return HALF if left == 2 else ALL


@kernel
def list_actions(setup: Record, state: Record, work: Record, seat: int, actions: IntArray) -> int:
    if still_to_end(state) >> seat & 1 == 0 or as_int(state.match.over) == 1:
        return as_int(0)
    count = as_int(0)
    for fort in range(as_int(setup.match.forts)):
        if as_int(state.match.owner[fort]) != seat:
            continue
        left = soldiers_left(setup, state, fort)
        if left == 0:
            continue
        least = least_amount(left)
        first = as_int(setup.match.first_exit[fort])
        for i in range(first, as_int(setup.match.first_exit[fort + 1])):
            action = as_int(setup.match.exits[i]) * AMOUNTS
            for amount in range(least, AMOUNTS):
                actions[count] = action + amount
                count += 1
    actions[count] = 2 * as_int(setup.match.roads) * AMOUNTS
    return count + 1


@inlined
def play_action(setup: Record, state: Record, work: Record, seat: int, action: int) -> None:
    lane = action // AMOUNTS
    if lane == 2 * as_int(setup.match.roads):
        state.ended = as_int(state.ended) | 1 << seat
    else:
        left = soldiers_left(setup, state, as_int(setup.match.origin[lane]))
        state.orders[lane] += share_of(left, action % AMOUNTS)


@inlined
def settle(setup: Record, state: Record, work: Record) -> None:
    """R4: play the turn, if no seat has anything to add to it."""
    if still_to_end(state) == 0:
        rules.leave_forts(setup.match, state.match, state.orders)
        rules.finish_turn(setup.match, state.match, work.turn)
        state.ended = 0


@kernel
def side_seen_as(side: int, viewer: int, seats: int) -> int:
    """A seat as another one counts it, or -1 for the neutral side."""
    return as_int(NOBODYS) if side == NEUTRAL else seen_as(side, viewer, seats)


@kernel
def encode(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    look_around(setup.match, state.match, work, seat)
    encode_forts(setup, state, work, seat, row)
    forts, roads = as_int(setup.match.forts), as_int(setup.match.roads)
    at = 3 * forts
    for lane in range(2 * roads):
        own = as_int(work.seen[as_int(setup.match.origin[lane])]) == OWN
        row[at + lane] = as_int(state.orders[lane]) if own else 0
    at += 2 * roads
    encode_roads(setup, state, work, seat, row, at)
    at += roads + 3 * (as_int(setup.match.places) - 2 * roads)
    row[at] = seat
    row[at + 1] = as_int(state.match.turn)
    row[at + 2] = as_int(setup.match.turn_limit)
    row[at + 3] = as_int(state.ended) >> seat & 1


@inlined
def encode_forts(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    """R13: whose the forts in sight are, and how many soldiers are in them."""
    forts, seats = as_int(setup.match.forts), as_int(setup.match.seats)
    for fort in range(forts):
        seen = as_int(work.seen[fort]) != UNSEEN
        row[fort] = 1 if seen else 0
        owner = side_seen_as(as_int(state.match.owner[fort]), seat, seats)
        row[forts + fort] = owner if seen else as_int(NOBODYS)
        row[2 * forts + fort] = as_int(state.match.garrison[fort]) if seen else as_int(0)


@inlined
def encode_roads(
    setup: Record, state: Record, work: Record, seat: int, row: IntArray, at: int
) -> None:
    """R13: the roads in sight, and the armies on them."""
    roads = as_int(setup.match.roads)
    points = as_int(setup.match.places) - 2 * roads
    for road in range(roads):
        one = as_int(work.seen[as_int(setup.match.origin[2 * road])])
        other = as_int(work.seen[as_int(setup.match.origin[2 * road + 1])])
        row[at + road] = 1 if sees_road(one, other, as_int(setup.own_roads)) else 0
    begin = at + roads
    clear_points(row[begin : begin + 2 * points], row[begin + 2 * points : begin + 3 * points])
    encode_armies(setup, state, seat, row[at:begin], row[begin : begin + 3 * points], points)


@inlined
def clear_points(soldiers: IntArray, marchers: IntArray) -> None:
    """No armies. It takes slices, since their loops are quicker."""
    for i in range(soldiers.shape[0]):
        soldiers[i] = 0
    for i in range(marchers.shape[0]):
        marchers[i] = NOBODYS


@inlined
def encode_armies(
    setup: Record, state: Record, seat: int, seen: IntArray, row: IntArray, points: int
) -> None:
    """The armies on the roads that are seen; a road has points for all places but its ends."""
    seats = as_int(setup.match.seats)
    for way in range(2):
        for word in range(count_words(setup.match)):
            left = as_int(state.match.occupied[way, word])
            while left != 0:
                place = word * WORD_BITS + lowest_bit(left)
                left &= left - 1
                road = as_int(setup.match.road_at[place])
                if seen[road] == 1:
                    army = army_at(state.match, way, place)
                    point = place - 2 * road - 1
                    row[point + way * points] = soldiers_of(army)
                    row[point + 2 * points] = side_seen_as(owner_of(army), seat, seats)
