"""Another match that is the same to a seat: what it does not see (R13) is drawn anew.

What is drawn depends on nothing but the seed and what the seat sees now: a search that looks into
it learns nothing else. By what chance it is drawn stands in the README.
"""

from __future__ import annotations

from agon.games.battlebots.board import (
    BACK,
    NEUTRAL,
    NOWHERE,
    THERE,
    WORD_BITS,
    army_at,
    count_words,
    encode_army,
    is_in,
    next_place,
    owner_of,
    put_army,
    soldiers_of,
    stands_at,
)
from agon.games.battlebots.fog import OWN, UNSEEN, look_around, sees_road
from agon.games.battlebots.reach import NEVER
from agon.games.battlebots.rules import TURN_WEIGHT
from agon.kernel import Record, as_int, bit_count, inlined, kernel, random_below, u64

TO_DRAW = 255
"""In `work.drawn`, for a fort out of sight whose owner is not drawn yet."""
NOT_FOUND = -1


@kernel
def redeal(setup: Record, state: Record, work: Record, seat: int, seed: int) -> None:
    match = state.match
    match.random = u64(seed)
    look_around(setup.match, match, work, seat)
    forget_orders(setup, state, work, seat)
    if as_int(match.turn) == 0 or as_int(match.over) == 1:
        return  # the options say how a match begins
    holding = clear_unseen(setup, match, work)
    typical = typical_garrison(setup, match, work)
    settle_hidden_seats(setup, match, work, seat, draw_seats(setup, match, work, seat, holding))
    draw_owners(setup, match, work, seat)
    spare = draw_garrisons(setup, match, work, typical, spare_soldiers(setup, match))
    draw_armies(setup, match, work, typical, spare)


@inlined
def forget_orders(setup: Record, state: Record, work: Record, seat: int) -> None:
    """The other seats give their orders of this turn once more."""
    for lane in range(2 * as_int(setup.match.roads)):
        if as_int(work.seen[as_int(setup.match.origin[lane])]) != OWN:
            state.orders[lane] = 0
    state.ended = as_int(state.ended) & 1 << seat


@kernel
def is_hidden(setup: Record, work: Record, road: int) -> bool:
    """R13: whether the road is out of sight."""
    one = as_int(work.seen[as_int(setup.match.origin[2 * road])])
    other = as_int(work.seen[as_int(setup.match.origin[2 * road + 1])])
    return not sees_road(one, other, as_int(setup.own_roads))


@inlined
def clear_unseen(setup: Record, match: Record, work: Record) -> int:
    """Take away what is out of sight; the seats with something in sight, a bit for each."""
    holding = as_int(0)
    for fort in range(as_int(setup.match.forts)):
        if as_int(work.seen[fort]) != UNSEEN:
            holding |= 1 << as_int(match.owner[fort])
        else:
            work.drawn[fort] = TO_DRAW
            match.garrison[fort] = 0
    words = count_words(setup.match)
    for way in range(2):
        place = next_place(match.occupied[way], words, as_int(0))
        while place != NOWHERE:
            if is_hidden(setup, work, as_int(setup.match.road_at[place])):
                put_army(match, way, place, as_int(0))
            else:
                holding |= 1 << owner_of(army_at(match, way, place))
            place = next_place(match.occupied[way], words, place + 1)
    return holding


@inlined
def typical_garrison(setup: Record, match: Record, work: Record) -> int:
    """The mean of the forts in sight that belong to seats; else of all that could have grown."""
    soldiers, forts = as_int(0), as_int(0)
    for fort in range(as_int(setup.match.forts)):
        if as_int(work.seen[fort]) != UNSEEN and as_int(match.owner[fort]) != NEUTRAL:
            soldiers += as_int(match.garrison[fort])
            forts += 1
    if forts == 0:
        return as_int(setup.soldiers) // as_int(setup.match.forts) + as_int(match.turn)
    return soldiers // forts


@inlined
def draw_seats(setup: Record, match: Record, work: Record, seat: int, holding: int) -> int:
    """R13 does not tell who is out: all others in sight are in, and half of those that are not.

    But two at least are in, or the match would be over (R11), and each fort that was a player's can
    be one's of those in (R8). Returns those in that are not in sight.
    """
    seats = as_int(setup.match.seats)
    others = (1 << seats) - 1 & ~(1 << seat | as_int(match.failed))
    match.still_in = as_int(match.still_in) & 1 << seat | others
    first = random_below(match, seats)
    for nth in range(seats):
        other = (first + nth) % seats
        if others >> other & 1 == 0:
            continue
        match.standing[other] = 0
        if holding >> other & 1 == 0 and random_below(match, as_int(2)) == 0:
            put_out(match, other)
            few = bit_count(as_int(match.still_in)) < 2
            if few or not can_all_be_held(setup, match, work, seat):
                match.still_in = as_int(match.still_in) | 1 << other
                match.standing[other] = 0
    return as_int(match.still_in) & ~holding


@kernel
def can_all_be_held(setup: Record, match: Record, work: Record, seat: int) -> bool:
    """R8: whether each unseen fort that was a player's can belong to another seat that is in."""
    for fort in range(as_int(setup.match.forts)):
        had_owner = as_int(setup.match.owner[fort]) != NEUTRAL
        if had_owner and as_int(work.seen[fort]) == UNSEEN:
            owner = draw_owner(setup, match, seat, as_int(fort))
            if owner == NEUTRAL:
                return False
    return True


@kernel
def put_out(match: Record, seat: int) -> None:
    """R10: this seat went out at some time."""
    match.still_in = as_int(match.still_in) & ~(1 << seat)
    match.standing[seat] = (1 + random_below(match, as_int(match.turn))) * TURN_WEIGHT


@inlined
def settle_hidden_seats(setup: Record, match: Record, work: Record, seat: int, hidden: int) -> None:
    """R10: a seat that is in, but not in sight, has a fort, or else an army of one soldier.

    There is room for two at least, as two had a fort or a point of a road for themselves; who finds
    none after them is out. All these armies go the same way, so that none of them has passed
    another (R7). Later they may get more soldiers.
    """
    way = random_below(match, as_int(2))
    if hidden >> seat & 1:  # it has no fort, or would see it
        point = find_point(setup, match, work)
        if point != NOT_FOUND:
            put_army(match, way, point, encode_army(seat, as_int(1)))
    for other in range(as_int(setup.match.seats)):
        if other == seat or hidden >> other & 1 == 0:
            continue
        fort = find_fort(setup, match, work, other, as_int(match.turn))
        if fort == NOT_FOUND:
            point = find_point(setup, match, work)
            if point != NOT_FOUND:
                put_army(match, way, point, encode_army(other, as_int(1)))
                continue
            fort = find_fort(setup, match, work, other, as_int(NEVER))
        if fort != NOT_FOUND:
            work.drawn[fort] = other
        else:
            put_out(match, as_int(other))


@kernel
def find_fort(setup: Record, match: Record, work: Record, seat: int, turns: int) -> int:
    """One by chance of the forts that are free, and that the seat can have in so many turns."""
    found, count = as_int(NOT_FOUND), as_int(0)
    for fort in range(as_int(setup.match.forts)):
        free = as_int(work.seen[fort]) == UNSEEN and as_int(work.drawn[fort]) == TO_DRAW
        if free and as_int(setup.reach[fort, seat]) <= turns:
            count += 1
            if random_below(match, count) == 0:
                found = as_int(fort)
    return found


@kernel
def is_free(match: Record, place: int) -> bool:
    occupied, word = match.occupied, place // WORD_BITS
    either = as_int(occupied[THERE, word]) | as_int(occupied[BACK, word])
    return either >> place % WORD_BITS & 1 == 0


@kernel
def find_point(setup: Record, match: Record, work: Record) -> int:
    """One by chance of the places on roads out of sight where no army stands."""
    found, count = as_int(NOT_FOUND), as_int(0)
    for road in range(as_int(setup.match.roads)):
        if is_hidden(setup, work, road):
            first = as_int(setup.match.departure[2 * road])
            for place in range(first + 1, as_int(setup.match.departure[2 * road + 1])):
                if is_free(match, place):
                    count += 1
                    if random_below(match, count) == 0:
                        found = as_int(place)
    return found


@inlined
def draw_owners(setup: Record, match: Record, work: Record, seat: int) -> None:
    """Of all forts out of sight, with the least garrison that each can have."""
    for fort in range(as_int(setup.match.forts)):
        if as_int(work.seen[fort]) != UNSEEN:
            continue
        owner = as_int(work.drawn[fort])
        if owner == TO_DRAW:
            owner = draw_owner(setup, match, seat, fort)
        match.owner[fort] = owner
        garrison = as_int(1)  # R9
        if owner == NEUTRAL:  # R8: what a neutral fort has lost its enemies have lost, too
            garrison = as_int(setup.match.garrison[fort])
        match.garrison[fort] = garrison


@kernel
def draw_owner(setup: Record, match: Record, seat: int, fort: int) -> int:
    """Neutral, or another seat that is in and can be there by now.

    R8: a fort that was a player's is never neutral again.
    """
    owner = as_int(NEUTRAL)
    count = 1 if as_int(setup.match.owner[fort]) == NEUTRAL else 0
    for other in range(as_int(setup.match.seats)):
        can_be = as_int(setup.reach[fort, other]) <= as_int(match.turn)
        if other != seat and is_in(match, other) and can_be:
            count += 1
            if random_below(match, count) == 0:
                owner = as_int(other)
    return owner


@inlined
def spare_soldiers(setup: Record, match: Record) -> int:
    """R9: how many more there can be: one for each fort and turn, less those on the field."""
    forts = as_int(setup.match.forts)
    spare = as_int(setup.soldiers) + forts * as_int(match.turn)
    for fort in range(forts):
        spare -= as_int(match.garrison[fort])
    words = count_words(setup.match)
    for way in range(2):
        place = next_place(match.occupied[way], words, as_int(0))
        while place != NOWHERE:
            spare -= soldiers_of(army_at(match, way, place))
            place = next_place(match.occupied[way], words, place + 1)
    return spare if spare > 0 else as_int(0)


@kernel
def draw_soldiers(match: Record, typical: int, spare: int) -> int:
    """0 to twice the typical garrison, but no more than can be."""
    soldiers = random_below(match, 2 * typical + 1)
    return soldiers if soldiers < spare else spare


@inlined
def draw_garrisons(setup: Record, match: Record, work: Record, typical: int, spare: int) -> int:
    """More soldiers for the forts of seats that are out of sight; how many are to spare then."""
    for fort in range(as_int(setup.match.forts)):
        if as_int(work.seen[fort]) == UNSEEN and as_int(match.owner[fort]) != NEUTRAL:
            more = draw_soldiers(match, typical, spare)
            match.garrison[fort] += more
            spare -= more
    return spare


@inlined
def draw_armies(setup: Record, match: Record, work: Record, typical: int, spare: int) -> None:
    """One on every other road out of sight, of a seat that can be there; more for those there."""
    for road in range(as_int(setup.match.roads)):
        if not is_hidden(setup, work, road):
            continue
        first = as_int(setup.match.departure[2 * road])
        last = as_int(setup.match.departure[2 * road + 1])
        empty = True
        for place in range(first + 1, last):
            if not is_free(match, place):
                empty = False
                way = as_int(THERE if stands_at(match.occupied, as_int(THERE), place) else BACK)
                army = army_at(match, way, place)
                more = draw_soldiers(match, typical, spare)
                spare -= more
                army = encode_army(owner_of(army), soldiers_of(army) + more)
                put_army(match, way, place, army)
        if empty and last - first > 1 and spare > 0 and random_below(match, as_int(2)) == 1:
            way = random_below(match, as_int(2))
            gone = 1 + random_below(match, last - first - 1)
            owner = draw_marcher(setup, match, 2 * road + way, gone)
            if owner != NOT_FOUND:
                place = first + gone if way == THERE else last - gone
                more = draw_soldiers(match, typical, spare - 1)
                spare -= 1 + more
                put_army(match, way, place, encode_army(owner, 1 + more))


@inlined
def draw_marcher(setup: Record, match: Record, lane: int, gone: int) -> int:
    """R6: any seat that is in and can have left the lane's fort so many turns ago."""
    owner, count = as_int(NOT_FOUND), as_int(0)
    fort = as_int(setup.match.origin[lane])
    for seat in range(as_int(setup.match.seats)):
        can_be = as_int(setup.reach[fort, seat]) + gone <= as_int(match.turn)
        if is_in(match, seat) and can_be:
            count += 1
            if random_below(match, count) == 0:
                owner = as_int(seat)
    return owner
