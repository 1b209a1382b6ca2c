"""A small language for rule cases: draw a board, say what is in the hands, play in notation."""

from __future__ import annotations

from typing import Any, TypeAlias

from agon.games.mebipenny.board import FREE, MEMBER, WALL, leader_word
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.position import MebiPennyPosition
from agon.kernel import copy_record

Cell: TypeAlias = tuple[int, int]


def situation(
    board: str,
    hands: str = "",
    seats: int = 3,
    seat: int = 0,
    pile: bool = True,
    seed: int = 1,
) -> MebiPennyPosition:
    """A position: `.` free, `#` wall, a digit for a claim of that seat; `x` is free too.

    `hands` are the tiles of each seat, with bars between seats: `0,1 2,2|1,1`; every `x` is in the
    hand of the seat that is to move. Without `pile` the pile is empty.
    """
    rows = [line.split() for line in board.strip().splitlines()]
    options = MebiPennyOptions(len(rows), len(rows[0]), seats)
    cells = {(r, c): what for r, row in enumerate(rows) for c, what in enumerate(row)}
    texts = [part.split() for part in hands.split("|")]
    texts += [[] for _ in range(seats - len(texts))]
    held = [[tuple(map(int, text.split(","))) for text in part] for part in texts]
    held[seat] += [cell for cell, what in cells.items() if what == "x"]
    state = MebiPennyPosition.start(options, seed).copy_state()
    fill_board(state["cells"], cells, options.cols)
    for owner in range(seats):
        state["score"][owner] = [*cells.values()].count(str(owner))
        state["hand_size"][owner] = len(held[owner])
        state["hands"][owner] = 0
        for place, (row, col) in enumerate(held[owner]):
            state["hands"][owner][place] = row * options.cols + col
    taken = {cell for hand in held for cell in hand}
    free = [cell for cell, what in cells.items() if what in ".x" and cell not in taken]
    state["draw_size"] = len(free) if pile else 0
    state["pile"] = 0
    for place, (row, col) in enumerate(free if pile else []):
        state["pile"][place] = row * options.cols + col
    state["turn"] = seat
    state["over"] = not any(held)
    setup = options.setup()
    return MebiPennyPosition(options, seed, setup, copy_record(state, setup.state))


def fill_board(words: Any, cells: dict[Cell, str], cols: int) -> None:
    """Write the words of all cells: the first claim of each army is its leader."""
    seen: set[Cell] = set()
    for cell, what in cells.items():
        number = cell[0] * cols + cell[1]
        if not what.isdigit():
            words[number] = WALL if what == "#" else FREE
        elif cell not in seen:
            army = flood(cells, cell)
            assert {cells[other] for other in army} == {what}, "an army has one owner"
            for row, col in army:
                words[row * cols + col] = MEMBER | number
            words[number] = leader_word(int(what), len(army))
            seen |= army


def flood(cells: dict[Cell, str], start: Cell) -> set[Cell]:
    """The claims that are connected with this one."""
    army, frontier = {start}, [start]
    while frontier:
        row, col = frontier.pop()
        for cell in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if cells.get(cell, ".").isdigit() and cell not in army:
                army.add(cell)
                frontier.append(cell)
    return army


def play(position: MebiPennyPosition, *texts: str) -> MebiPennyPosition:
    """The position after these turns."""
    for text in texts:
        seat = position.next_seat
        position = position.play({seat: position.parse_turn(seat, text)})
    return position


def board_of(position: MebiPennyPosition) -> str:
    """The board as `situation` draws it."""
    board = position.observe(None)["board"]
    assert isinstance(board, list)
    return "\n".join(" ".join(str(row)) for row in board)


def assert_board(position: MebiPennyPosition, expected: str) -> None:
    assert board_of(position) == "\n".join(line.strip() for line in expected.strip().splitlines())


def legal_texts(position: MebiPennyPosition) -> list[str]:
    """The legal turns of the seat to move."""
    seat = position.next_seat
    return [position.format_turn(seat, move) for move in position.legal_moves(seat)]
