"""A small game's position as text: a letter for each piece.

3 . . . .        r, b  pieces of red and blue
2 . b . .        [ ]   around the last move
1 . r[r].
  a b c d
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING, TypeAlias

from agon.games.panel import headline
from agon.games.players import Players
from agon.games.reasons import note_failure
from agon.games.sequential.look import PLAYER_THEMES, SEAT_NAMES
from agon.games.text_fit import fit_cells, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from agon.games.sequential.position import SequentialPosition

Runs: TypeAlias = "Iterator[tuple[str, str]]"

SOFT, MARK = "dim", "bold #e87a00"
NARROWEST = 8


def board_text(position: SequentialPosition, width: int = 80, names: Sequence[str] = ()) -> Text:
    """The board, the players and the headline, in the players' colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, max(NARROWEST, width), names), no_wrap=True)


def _runs(position: SequentialPosition, width: int, names: Sequence[str]) -> Runs:
    """Pieces of text with a Rich style each."""
    players = Players(SEAT_NAMES, names, in_terminal=True)
    yield from _board(position)
    yield "\n", ""
    for seat in range(position.seats):
        theme = PLAYER_THEMES[seat]
        yield (">" if seat in position.to_act else " "), MARK
        yield f" {theme.letter} ", f"bold {theme.number} on {theme.light}"
        failed = f", {note_failure(position.out[seat])}" if seat in position.out else ""
        yield f" {fit_cells(players.name(seat) + failed, width - 5)}\n", ""
    for line in wrap_cells(headline(position, players), width):
        yield f"{line}\n", "bold"


def _board(position: SequentialPosition) -> Runs:
    cells = position.game.cells(position)
    margin = len(str(len(cells)))
    last = position.last_place
    for row, line in enumerate(cells):
        yield f"{len(cells) - row:>{margin}}", SOFT
        for col, seat in enumerate(line):
            yield _gap(last, row, col)
            if seat is None:
                yield ".", SOFT
            else:
                theme = PLAYER_THEMES[seat]
                yield theme.letter, f"{theme.number} on {theme.light}"
        yield _gap(last, row, len(line))
        yield "\n", ""
    letters = " ".join(ascii_lowercase[col % 26] for col in range(len(cells[0])))
    yield f"{' ' * margin} {letters}\n", SOFT


def _gap(last: tuple[int, int] | None, row: int, col: int) -> tuple[str, str]:
    """What stands before a cell: a bracket at either side of the last move."""
    if last is None or last[0] != row or col - last[1] not in (0, 1):
        return " ", ""
    return "[" if col == last[1] else "]", MARK
