"""Atlantis for `learn`: a turn move by move, and the board as planes of numbers.

A move (R5) is two decisions: the field from which stones go, then direction * longest + steps - 1,
where `longest` is how far stones could go on this board. In place of a field there is END: then the
moves entered so far are played as one turn (R6), with all that follows from it. Until then nothing
changes on the board. For seats that are not asked (R16) the empty turn is played at once.

Fields are counted from 0, segment by segment, in the order of the board: one less than the number
that they have in the records. Seats are told as the one who looks counts them: itself is 0, the
seat after it 1, and so on.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from agon.games.atlantis import playout, rules
from agon.games.atlantis.board import (
    DEAD,
    DIRECTIONS,
    MAX_PLAYERS,
    NO_OWNER,
    OPEN,
    SEA,
    direction_of,
    encode_move,
    next_field,
    source_of,
    stones_of,
)
from agon.games.atlantis.movement import reach
from agon.games.atlantis.setup import build_setup, records_for
from agon.games.learning import Learning, Part, nothing_to_settle
from agon.kernel import IntArray, Record, as_int, inlined, kernel, new_records, u64

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.atlantis.game import AtlantisOptions
    from agon.games.atlantis.position import AtlantisPosition, Turn
    from agon.games.record_types import RecordTypes

NO_SOURCE = SEA
NOBODYS, NO_FIELD, NO_DIRECTION = -1, -1, -1
MOST = 2**15 - 1  # stones and turns are told so far


@lru_cache(16)
def make_learning(options: AtlantisOptions) -> Learning:
    """Decisions on the board of these options."""
    board = options.find_board(None)
    records = records_for(board)
    setup = learning_setup(build_setup(board), records)
    fields, longest = int(setup[0].match.fields), int(setup[0].longest)
    return Learning(
        options=options,
        seats=len(board.stacks),
        setup=setup,
        state=learning_state(records),
        work=records.work,
        at_once=1,
        most_actions=max(fields + 1, DIRECTIONS * longest),
        actions=describe_actions(fields, longest),
        observation=describe_observation(fields, len(board.segments), longest),
        observed=np.dtype(np.int16),
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
        turn_of=partial(turn_of, fields, longest),
        actions_of=partial(actions_of, fields, longest),
    )


def load(position: AtlantisPosition, seat: int, states: IntArray) -> None:
    states["match"][0] = position.copy_state()


def turn_of(
    fields: int, longest: int, position: AtlantisPosition, seat: int, actions: Sequence[int]
) -> Turn | None:
    """The moves entered, if the last action ends them."""
    if not actions or actions[-1] != fields + DIRECTIONS * longest:
        return None
    ways = (divmod(way - fields, longest) for way in actions[1::2])
    return tuple(
        int(encode_move(source + 1, direction, step + 1))
        for source, (direction, step) in zip(actions[:-1:2], ways, strict=True)
    )


def actions_of(
    fields: int, longest: int, position: AtlantisPosition, seat: int, turn: Turn
) -> list[int]:
    """Sources and ways in turn, then the end."""
    found = []
    for move in turn:
        way = direction_of(move) * longest + stones_of(move) - 1
        found += [int(source_of(move)) - 1, fields + int(way)]
    return [*found, fields + DIRECTIONS * longest]


def describe_actions(fields: int, longest: int) -> tuple[Part, ...]:
    return (
        Part(
            "source",
            (fields,),
            "a field with own stones from which a move starts; fields are counted segment by"
            " segment, in the order of the board",
        ),
        Part(
            "way",
            (DIRECTIONS, longest),
            "once there is a source: the direction (up, upper right, lower right, down, lower left,"
            " upper left) and how many steps, less one; as many stones go",
        ),
        Part("end", (1,), "in place of a source: the moves entered are played as one turn"),
    )


def describe_observation(fields: int, segments: int, longest: int) -> tuple[Part, ...]:
    return (
        Part("kinds", (fields,), "of each field: 0 open, 1 growing, 2 dead", 0, DEAD),
        Part(
            "owners",
            (fields,),
            "its seat, 0 the own; -1 no owner, or dead",
            NOBODYS,
            MAX_PLAYERS - 1,
        ),
        Part("stones", (fields,), f"on it; {MOST} stands for that many or more", 0, MOST),
        Part(
            "entered",
            (fields,),
            "which move of this turn, counted from 1, starts in the segment of the field; 0 none",
            0,
            segments,
        ),
        Part("leaving", (fields,), "how many stones that move takes from this field", 0, longest),
        Part(
            "directions",
            (fields,),
            "of the move that starts on this field; -1 none",
            NO_DIRECTION,
            DIRECTIONS - 1,
        ),
        Part(
            "source",
            (1,),
            "the field that was chosen, whose way is to be decided; -1 none",
            NO_FIELD,
            fields - 1,
        ),
        Part("seat", (1,), "of the one who looks", 0, MAX_PLAYERS - 1),
        Part("to_move", (1,), "1 if it is that seat's turn; if not it sees no moves", 0, 1),
        Part("players", (1,), "how many there are", 2, MAX_PLAYERS),
        Part("turn", (1,), f"turns played, those of seats not asked too, at most {MOST}", 0, MOST),
    )


# --- records -------------------------------------------------------------------------------------


def learning_state(records: RecordTypes) -> np.dtype[Any]:
    """A position, and the turn as far as it is entered. Equal ones are equal bytes."""
    numbers = records.state["kind"].shape
    return np.dtype(
        [
            ("match", records.state),
            ("moves", np.int32, numbers),  # entered in this turn; 0 after the last
            ("used", np.uint8, numbers),  # R6: segments in which one of them starts
            ("count", np.int32),  # how many they are
            ("source", np.int32),  # of the move that is being entered, or NO_SOURCE
        ],
        align=True,
    )


def learning_setup(match: Any, records: RecordTypes) -> Any:
    """The setup of a match that begins where the first seat is asked, as an array of one."""
    setups = new_records(
        np.dtype(
            [
                ("match", records.setup),
                ("longest", np.int32),
                # the rest of the state before the first turn
                ("turn", np.int32),
                ("seat", np.int32),
                ("idle_turns", np.int32),
            ],
            align=True,
        )
    )
    states = new_records(records.state)
    setup, state = match[0], states[0]
    rules.start(setup, state, 0)
    if not state.asked and not state.over:
        play_turns(setup, state, new_records(records.work)[0], 0)
    for name in set(records.state.names or ()) & set(records.setup.names or ()):
        match[name] = states[name]
    setups["match"] = match
    setups["longest"] = longest_way(setup)
    for name in ("turn", "seat", "idle_turns"):
        setups[name] = states[name]
    return setups


def longest_way(setup: Record) -> int:
    """How many steps a move can go on this board at most; 1 where none is possible."""
    is_open = setup["kind"] == OPEN
    longest = 1
    for direction in range(DIRECTIONS):
        reached, steps = np.flatnonzero(is_open), 0
        while reached.size:
            longest = max(longest, steps)
            reached, steps = setup["neighbour"][reached, direction], steps + 1
            reached = reached[is_open[reached]]
    return longest


# --- a match -------------------------------------------------------------------------------------


@kernel
def start(setup: Record, state: Record, seed: int) -> None:
    rules.start(setup.match, state.match, seed)
    state.match.turn = setup.turn
    state.match.seat = setup.seat
    state.match.idle_turns = setup.idle_turns
    for i in range(state.moves.shape[0]):
        state.moves[i] = 0
        state.used[i] = 0
    state.count = 0
    state.source = NO_SOURCE


@inlined
def is_over(setup: Record, state: Record) -> bool:
    return playout.is_over(setup.match, state.match)


@inlined
def score(setup: Record, state: Record, seat: int) -> int:
    return playout.score(setup.match, state.match, seat)


@inlined
def seat_to_act(setup: Record, state: Record) -> int:
    return as_int(state.match.seat)


@inlined
def redeal(setup: Record, state: Record, work: Record, seat: int, seed: int) -> None:
    """Only what another seat has entered of its turn is hidden: that one begins it again."""
    if as_int(state.match.seat) != seat:
        forget_moves(setup, state)
    state.match.random = u64(seed)


# --- decisions -----------------------------------------------------------------------------------


@kernel
def list_actions(setup: Record, state: Record, work: Record, seat: int, actions: IntArray) -> int:
    if as_int(state.match.over) == 1:  # R14: as it may be before the first turn
        return as_int(0)
    if as_int(state.source) == NO_SOURCE:
        return list_sources(setup.match, state, seat, actions, end_action(setup))
    return list_ways(setup.match, state, actions, as_int(setup.longest))


@kernel
def end_action(setup: Record) -> int:
    return as_int(setup.match.fields) + DIRECTIONS * as_int(setup.longest)


@inlined
def list_sources(setup: Record, state: Record, seat: int, actions: IntArray, end: int) -> int:
    """The fields from which a move starts in a segment that is not used yet (R6), and END (R8).

    R5: a stone that has an open neighbour can go there.
    """
    count = as_int(0)
    field = next_field(setup, state.match.stacks[seat], SEA)
    while field != SEA:
        is_used = as_int(state.used[as_int(setup.segment[field])]) == 1
        if not is_used and as_int(state.match.open_around[field]) > 0:
            actions[count] = field - 1
            count += 1
        field = next_field(setup, state.match.stacks[seat], field)
    actions[count] = end
    return count + 1


@inlined
def list_ways(setup: Record, state: Record, actions: IntArray, longest: int) -> int:
    """R5: the moves of the stones of the source."""
    source = as_int(state.source)
    number = as_int(setup.fields)
    count = as_int(0)
    for direction in range(DIRECTIONS):
        for step in range(reach(setup, state.match, source, direction)):
            actions[count] = number + step
            count += 1
        number += longest
    return count


@kernel
def play_action(setup: Record, state: Record, work: Record, seat: int, action: int) -> None:
    source = as_int(state.source)
    fields = as_int(setup.match.fields)
    if source != NO_SOURCE:
        longest = as_int(setup.longest)
        direction, step = (action - fields) // longest, (action - fields) % longest
        enter_move(setup.match, state, encode_move(source, direction, step + 1))
    elif action < fields:
        state.source = action + 1
    else:
        play_entered(setup, state, work)


@inlined
def enter_move(setup: Record, state: Record, move: int) -> None:
    """R6: one more for the list, and its segment is used."""
    state.moves[as_int(state.count)] = move
    state.used[as_int(setup.segment[source_of(move)])] = 1
    state.count += 1
    state.source = NO_SOURCE


@inlined
def play_entered(setup: Record, state: Record, work: Record) -> None:
    """R6: the moves that were entered, as one turn."""
    count = as_int(state.count)
    for i in range(count):
        work.moves[i] = state.moves[i]
    forget_moves(setup, state)
    play_turns(setup.match, state.match, work, count)


@kernel
def forget_moves(setup: Record, state: Record) -> None:
    """Put to rest what was entered."""
    for i in range(as_int(state.count)):
        source = source_of(as_int(state.moves[i]))
        state.used[as_int(setup.match.segment[source])] = 0
        state.moves[i] = 0
    state.count = 0
    state.source = NO_SOURCE


@kernel
def play_turns(setup: Record, state: Record, work: Record, count: int) -> None:
    """R4, R16: the turn of `work.moves`, then the empty turn for each seat that is not asked.

    It comes to an end. A growing field explodes once it has six stones, a field explodes at most
    twice in a match, and when nothing explodes or grows for a round the match is over (R18).
    """
    goes_on = True
    while goes_on:
        rules.play_turn(setup, state, work, count)
        count = as_int(0)
        goes_on = as_int(state.asked) == 0 and as_int(state.over) == 0


# --- what a seat knows ---------------------------------------------------------------------------


@kernel
def encode(setup: Record, state: Record, work: Record, seat: int, row: IntArray) -> None:
    fields = as_int(setup.match.fields)
    encode_board(setup.match, state.match, seat, row)
    entered, directions = row[3 * fields : 5 * fields], row[5 * fields : 6 * fields]
    for i in range(2 * fields):
        entered[i] = 0
    for i in range(fields):
        directions[i] = NO_DIRECTION
    is_to_move = as_int(state.match.seat) == seat
    if is_to_move:
        encode_moves(setup.match, state, row)
    last = 6 * fields
    row[last] = as_int(state.source) - 1 if is_to_move else as_int(NO_FIELD)
    row[last + 1] = seat
    row[last + 2] = 1 if is_to_move else 0
    row[last + 3] = as_int(setup.match.players)
    row[last + 4] = min(as_int(state.match.turn), as_int(MOST))


@inlined
def encode_board(setup: Record, state: Record, seat: int, row: IntArray) -> None:
    """Kinds, owners and stones.

    A plane after the other, from its own first number: so loops are compiled to wide instructions.
    """
    fields = as_int(setup.fields)
    players = as_int(setup.players)
    kinds, owners, stones = row[:fields], row[fields : 2 * fields], row[2 * fields : 3 * fields]
    kind, owner, lying = state.kind[1:], state.owner[1:], state.stones[1:]
    for i in range(fields):
        kinds[i] = kind[i]
    for i in range(fields):
        seen = as_int(owner[i]) - seat
        if seen < 0:
            seen += players
        if as_int(owner[i]) == NO_OWNER or as_int(kind[i]) == DEAD:
            seen = as_int(NOBODYS)
        owners[i] = seen
    for i in range(fields):
        stones[i] = min(as_int(lying[i]), as_int(MOST))


@inlined
def encode_moves(setup: Record, state: Record, row: IntArray) -> None:
    """R6: which segments are used, by which moves."""
    fields = as_int(setup.fields)
    for i in range(as_int(state.count)):
        move = as_int(state.moves[i])
        source = source_of(move)
        segment = as_int(setup.segment[source])
        first, last = as_int(setup.first_field[segment]), setup.first_field[segment + 1]
        for field in range(first, as_int(last)):
            row[3 * fields + field - 1] = i + 1
        row[4 * fields + source - 1] = stones_of(move)
        row[5 * fields + source - 1] = direction_of(move)
