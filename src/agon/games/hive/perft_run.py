"""A perft of Hive in shares: each is the lines after one first move, or after two.

Shares make room for threads, for a progress bar and for depths beyond what one call can hold.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agon.errors import SettingError
from agon.games.hive import rules
from agon.games.hive.board import WORK
from agon.games.hive.move import Move
from agon.games.hive.perft import FRAMES, MAX_DEPTH, perft
from agon.games.hive.uhp_notation import format_uhp_move
from agon.games.perft import PerftJob
from agon.kernel import new_records

if TYPE_CHECKING:
    from agon.games.hive.position import HivePosition
    from agon.kernel import Record

DEEPEST = MAX_DEPTH + 2


def hive_perft_jobs(position: HivePosition, depth: int, wanted: int) -> list[PerftJob]:
    """The lines of `depth` plies from here, by first moves; by two if that gives too few shares.

    Like every published table, without R14: a position that occurs again is no draw.
    """
    if not 0 <= depth <= DEEPEST:
        raise SettingError(f"depth {depth}: expected 0 to {DEEPEST}")
    if depth == 0:
        return [PerftJob(None, partial(count_lines, position, (), 0))]
    firsts = list_after(position, ())
    by_two = depth >= 2 and (len(firsts) < wanted or depth > MAX_DEPTH + 1)
    jobs = []
    for first in firsts:
        text = format_uhp_move(position, Move(first))
        seconds = list_after(position, (first,)) if by_two else []
        # a first move that ends the match has no second, but is listed with its 0 lines
        lines: list[tuple[int, ...]] = [(first, second) for second in seconds] or [(first,)]
        jobs += [
            PerftJob(text, partial(count_lines, position, line, depth - len(line)))
            for line in lines
        ]
    return jobs


def list_after(position: HivePosition, line: tuple[int, ...]) -> list[int]:
    """The legal moves after these moves; none when the match is over."""
    state = state_after(position, line)
    if rules.result(state) != rules.PLAYING:
        return []
    work = new_records(WORK)[0]
    moves: list[int] = work.moves[: rules.list_moves(state, work, 0, 0)].tolist()
    return moves


def count_lines(position: HivePosition, line: tuple[int, ...], depth: int) -> int:
    """Number of lines of `depth` further plies after these moves."""
    state = state_after(position, line)
    return int(perft(state, new_records(WORK)[0], new_records(FRAMES)[0], depth))


def state_after(position: HivePosition, line: tuple[int, ...]) -> Record:
    """A record of its own for the position after these moves."""
    state = position.copy_state()
    for move in line:
        rules.make(state, move)
    return state
