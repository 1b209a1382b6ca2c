"""Alpha-beta search for Hive, compiled, that can be stopped and resumed at any node.

Iterative deepening stands outside (`bots.py`): `begin` sets up a search of one depth, `advance`
works on it for a number of nodes. So the search needs no clock, and the same number of nodes gives
the same answer everywhere. The stack of the search is a record: one frame per ply.

A frame looks at its moves best first. The first is searched with the full window, every other with
a window of nothing and late ones less deep (`REDUCED`); what turns out better than expected is
searched again (`SCOUT`, then `FULL`). Where the window is nothing already, some positions and moves
are not searched at all:

- a position that is good enough even if the side does nothing (`NOTHING`, the null move), or that
  is better than enough by far when little depth is left;
- late moves that have nothing to do with the queens, when little depth is left.

None of this is done while the own queen is about to be surrounded. What a position is worth without
a search stands in `judge.py`.
"""

from __future__ import annotations

import numpy as np

from agon.games.hive.board import CELLS, MAX_MOVES, NOWHERE, POOL, SLOTS, touches
from agon.games.hive.judge import (
    MARGIN,
    SURE,
    WIN,
    can_win,
    first_sums,
    follow,
    is_calm,
    is_good_enough,
    static_value,
    value_by_rules,
)
from agon.games.hive.network import NETWORK, WIDTH
from agon.games.hive.rules import FROM_HAND, PASS, list_moves, make, unmake
from agon.kernel import IntArray, Record, as_int, inlined, kernel, u64

MAX_PLY = 40
HISTORY = 256  # positions of the match since its last placement that are kept for R14
INFINITE = 32_000
LEAST = -(1 << 15)  # less than any value
MOST_CREDIT = 1 << 16

FULL, SCOUT, REDUCED, NOTHING = 0, 1, 2, 3
FORCING = 1 << 18  # a move with so many points has to do with a queen, or was good before
EXACT, LOWER, UPPER = 0, 1, 2
DONE, MORE = 0, 1

SEARCH = np.dtype(
    [
        ("alpha", np.int32, (MAX_PLY,)),
        ("beta", np.int32, (MAX_PLY,)),
        ("depth", np.int32, (MAX_PLY,)),
        ("best", np.int32, (MAX_PLY,)),
        ("best_move", np.int32, (MAX_PLY,)),
        ("first_alpha", np.int32, (MAX_PLY,)),
        ("hint", np.int32, (MAX_PLY,)),  # the best move of an earlier search
        ("first", np.int32, (MAX_PLY,)),  # the frame's moves: from here
        ("next", np.int32, (MAX_PLY,)),  # the first one not looked at
        ("end", np.int32, (MAX_PLY,)),
        ("stage", np.int32, (MAX_PLY,)),
        ("played", np.int32, (MAX_PLY,)),  # the move that is being searched
        ("undo", np.int32, (MAX_PLY,)),  # what `unmake` needs
        ("calm", np.int32, (MAX_PLY,)),  # whether the frame may leave out what looks useless
        ("static", np.int32, (MAX_PLY,)),  # if so, what the position looks like without a search
        ("key", np.uint64, (MAX_PLY,)),
        ("killer", np.int32, (MAX_PLY, 2)),  # moves that refuted a sibling
        ("credit", np.int32, (SLOTS * CELLS,)),  # how often tile-to-cell refuted something
        ("order", np.int32, (POOL,)),  # per move in the pool: how early to look at it
        ("past", np.uint64, (HISTORY,)),
        ("past_count", np.int32),
        ("ply", np.int32),
        ("value", np.int32),  # of the node that was left last
        ("nodes", np.int64),
        ("noise", np.uint64),
        ("sums", np.int16, (MAX_PLY, 2, WIDTH)),  # see `network.py`
        ("listed", np.int16, (2 * SLOTS,)),  # by it
        ("net", NETWORK),
    ],
    align=True,
)

TABLE = np.dtype(
    [
        ("told", np.uint64),  # what `tell` makes of the search of a position
        ("check", np.uint64),  # that and the position's key, by exclusive or
    ],
    align=True,
)
"""Several searches may write to one table: an entry of two halves is of no position."""


@kernel
def begin(search: Record, depth: int, alpha: int, beta: int) -> None:
    """Set up a search of `depth` plies from the state that `advance` will be given."""
    search.ply = 0
    search.alpha[0] = alpha
    search.beta[0] = beta
    search.depth[0] = depth
    search.best_move[0] = PASS
    search.best[0] = -INFINITE
    search.first_alpha[0] = alpha


@kernel
def advance(state: Record, work: Record, search: Record, table: IntArray, nodes: int) -> int:
    """Search on for about this many nodes; DONE when the root's value is known."""
    limit = as_int(search.nodes) + nodes
    while as_int(search.nodes) < limit:
        if enter_node(state, work, search, table):
            continue  # its first move was made: the new position comes next
        while True:
            if as_int(search.ply) == 0:
                return DONE
            go_back(state, work, search)
            if try_again(state, work, search) or try_next(state, work, search):
                break
            finish_node(search, table)
    return MORE


@inlined
def enter_node(state: Record, work: Record, search: Record, table: IntArray) -> bool:
    """Look at a new position. True if it was opened; otherwise `search.value` is its value."""
    search.nodes += 1
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    if ply == 0:
        first_sums(state, search)
    if value_by_rules(state, search):
        return False
    start = as_int(search.end[ply - 1]) if ply > 0 else 0
    if ply > 0 and can_win(state, work, start):
        search.value = WIN - ply - 1
        return False
    if depth <= 0 or ply == MAX_PLY - 1 or start > POOL - MAX_MOVES:
        search.value = static_value(state, work, search)
        return False
    if is_known(search, table):
        return False
    search.first[ply] = start
    search.next[ply] = start
    search.end[ply] = start
    search.best[ply] = -INFINITE
    search.best_move[ply] = PASS
    search.first_alpha[ply] = search.alpha[ply]
    search.calm[ply] = as_int(is_calm(state, search))
    if as_int(search.calm[ply]) == 1:
        search.static[ply] = static_value(state, work, search)
        if is_good_enough(search) or try_nothing(state, search):
            return as_int(search.ply) > ply
    list_frame(state, work, search)
    return try_next(state, work, search)


@inlined
def try_nothing(state: Record, search: Record) -> bool:
    """Open the position in which the other side moves at once, unless that was just done."""
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    beta = as_int(search.beta[ply])
    if depth < 3 or as_int(search.static[ply]) < beta or as_int(search.stage[ply - 1]) == NOTHING:
        return False
    search.alpha[ply] = beta - 1
    open_child(state, search, as_int(PASS), as_int(NOTHING), 2 + depth // 4)
    return True


@inlined
def list_frame(state: Record, work: Record, search: Record) -> None:
    """The moves of the frame, and how good they may be."""
    ply = as_int(search.ply)
    search.end[ply] = list_moves(state, work, as_int(search.first[ply]), as_int(0))
    order_moves(state, work, search, as_int(search.hint[ply]))


@inlined
def is_known(search: Record, table: IntArray) -> bool:
    """Whether the table settles the value of the position; or else a hint which move is good."""
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    entry = table[as_int(u64(search.key[ply]) & u64(table.shape[0] - 1))]
    told = u64(entry.told)
    search.hint[ply] = PASS
    if u64(entry.check) == u64(search.key[ply]) ^ told:
        search.hint[ply] = told & u64(0xFFFF)
        return ply > 0 and as_int(told >> u64(48)) >= depth and value_from_table(search, told)
    if depth > 3:
        search.depth[ply] = depth - 1  # without a good first move it is not worth so much
    return False


@inlined
def tell(move: int, value: int, bound: int, depth: int) -> int:
    """What the table keeps of a search: 16 bits of each."""
    told = u64(move) | u64(value - LEAST) << u64(16)
    return told | u64(bound) << u64(32) | u64(depth) << u64(48)


@inlined
def value_from_table(search: Record, told: int) -> bool:
    """Whether what is stored about this position settles its value for the frame's window."""
    ply = as_int(search.ply)
    value = as_int(u64(told) >> u64(16) & u64(0xFFFF)) + LEAST
    if value > SURE:
        value -= ply  # stored as plies from the position, wanted as plies from the root
    elif value < -SURE:
        value += ply
    bound = as_int(u64(told) >> u64(32) & u64(0xFFFF))
    search.value = value
    return (
        bound == EXACT
        or (bound == LOWER and value >= as_int(search.beta[ply]))
        or (bound == UPPER and value <= as_int(search.alpha[ply]))
    )


@inlined
def order_moves(state: Record, work: Record, search: Record, hint: int) -> None:
    """Guess how good each move of the frame is: table move, killers, queens, past success."""
    ply = as_int(search.ply)
    side = as_int(state.turn) & 1
    own_queen = as_int(state.queen[side])
    other_queen = as_int(state.queen[1 - side])
    for i in range(as_int(search.first[ply]), as_int(search.end[ply])):
        move = as_int(work.moves[i])
        points = as_int(search.credit[move & 0x7FFF])
        if move == hint:
            points += 1 << 24
        elif move == as_int(search.killer[ply, 0]) or move == as_int(search.killer[ply, 1]):
            points += 1 << 20
        if other_queen != NOWHERE and touches(move & 1023, other_queen):
            points += 1 << 19
        if not move & FROM_HAND:
            origin = as_int(state.cell_of[move >> 10 & 31])
            if other_queen != NOWHERE and touches(origin, other_queen):
                points -= 1 << 19
            if own_queen != NOWHERE and touches(origin, own_queen):
                points += 1 << 18
        search.order[i] = points


@kernel
def open_child(state: Record, search: Record, move: int, stage: int, reduction: int) -> None:
    """Make the move and set up the frame of the position after it."""
    ply = as_int(search.ply)
    alpha = as_int(search.alpha[ply])
    search.stage[ply] = stage
    search.played[ply] = move
    search.undo[ply] = make(state, move)
    follow(state, search, move)
    search.alpha[ply + 1] = -alpha - 1 if stage != FULL else -as_int(search.beta[ply])
    search.beta[ply + 1] = -alpha
    search.depth[ply + 1] = as_int(search.depth[ply]) - 1 - reduction
    search.ply = ply + 1


@kernel
def try_next(state: Record, work: Record, search: Record) -> bool:
    """Open the best move that the frame has not looked at; False if none is left."""
    ply = as_int(search.ply)
    index = as_int(search.next[ply])
    end = as_int(search.end[ply])
    if index == end:
        return False
    best = index
    for i in range(index + 1, end):
        if as_int(search.order[i]) > as_int(search.order[best]):
            best = i
    move = as_int(work.moves[best])
    work.moves[best] = work.moves[index]
    work.moves[index] = move
    points = as_int(search.order[best])
    search.order[best] = search.order[index]
    search.order[index] = points
    search.next[ply] = index + 1
    looked_at = index - as_int(search.first[ply])
    depth = as_int(search.depth[ply])
    if looked_at == 0:
        open_child(state, search, move, as_int(FULL), as_int(0))
    elif points < FORCING and as_int(search.calm[ply]) == 1 and is_useless(search, looked_at):
        search.next[ply] = end  # those behind it look worse
        return False
    elif looked_at > 3 and depth > 2 and points < FORCING:
        reduction = as_int(1 + (looked_at > 8) + (looked_at > 24) + (depth > 5) + (depth > 8))
        open_child(state, search, move, as_int(REDUCED), min(reduction, depth - 1))
    else:
        open_child(state, search, move, as_int(SCOUT), as_int(0))
    return True


@inlined
def is_useless(search: Record, looked_at: int) -> bool:
    """Whether a late move is unlikely to change anything."""
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    if as_int(search.best[ply]) < -SURE:
        return False
    if depth <= 2 and as_int(search.static[ply]) + MARGIN * depth <= as_int(search.alpha[ply]):
        return True
    return depth <= 4 and looked_at > 4 + 4 * depth * depth


@inlined
def go_back(state: Record, work: Record, search: Record) -> None:
    """Take back the move that led to the node that was left."""
    search.ply -= 1
    ply = as_int(search.ply)
    unmake(state, as_int(search.played[ply]), as_int(search.undo[ply]))
    search.value = -as_int(search.value)


@inlined
def try_again(state: Record, work: Record, search: Record) -> bool:
    """Take the value of the move just searched, or open it again if it beat a narrow search."""
    ply = as_int(search.ply)
    value = as_int(search.value)
    move = as_int(search.played[ply])
    stage = as_int(search.stage[ply])
    if stage == NOTHING:
        if value >= as_int(search.beta[ply]):
            search.best[ply] = search.beta[ply]
        else:
            list_frame(state, work, search)
        return False
    if value > as_int(search.alpha[ply]):
        if stage == REDUCED:
            open_child(state, search, move, as_int(SCOUT), as_int(0))
            return True
        if stage == SCOUT and value < as_int(search.beta[ply]):
            open_child(state, search, move, as_int(FULL), as_int(0))
            return True
    if value > as_int(search.best[ply]):
        search.best[ply] = value
        search.best_move[ply] = move
        if value > as_int(search.alpha[ply]):
            search.alpha[ply] = value
        if value >= as_int(search.beta[ply]):
            reward(work, search, move)
            search.next[ply] = search.end[ply]  # refuted: the rest need not be looked at
    return False


@inlined
def reward(work: Record, search: Record, move: int) -> None:
    """Remember a move that refuted its position, and those before it, which did not."""
    ply = as_int(search.ply)
    depth = as_int(search.depth[ply])
    if move != as_int(search.killer[ply, 0]):
        search.killer[ply, 1] = search.killer[ply, 0]
        search.killer[ply, 0] = move
    add_credit(search, move, depth * depth)
    for i in range(as_int(search.first[ply]), as_int(search.next[ply]) - 1):
        add_credit(search, as_int(work.moves[i]), -depth * depth)


@kernel
def add_credit(search: Record, move: int, credit: int) -> None:
    """Between two bounds, at which less and less is added."""
    old = as_int(search.credit[move & 0x7FFF])
    search.credit[move & 0x7FFF] = old + credit - old * abs(credit) // MOST_CREDIT


@inlined
def finish_node(search: Record, table: IntArray) -> None:
    """All moves of the frame are looked at: its value goes up, and into the table."""
    ply = as_int(search.ply)
    best = as_int(search.best[ply])
    search.value = best
    bound = EXACT
    if best >= as_int(search.beta[ply]):
        bound = LOWER
    elif best <= as_int(search.first_alpha[ply]):
        bound = UPPER
    stored = best
    if best > SURE:
        stored = best + ply
    elif best < -SURE:
        stored = best - ply
    key = u64(search.key[ply])
    entry = table[as_int(key & u64(table.shape[0] - 1))]
    told = tell(as_int(search.best_move[ply]), stored, bound, as_int(search.depth[ply]))
    entry.told = told
    entry.check = key ^ u64(told)
