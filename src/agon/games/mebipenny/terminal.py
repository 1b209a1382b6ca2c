"""A MebiPenny position as text: a letter for each claim.

          0 1 2 3 4         r  a claim of red; each player has a letter
        0 r . # b b         #  a wall
        1 r[r]. . B         [ ] around the tile that was played last
                            B  a claim that changed hands with it

A board that is too wide comes without spaces between its cells, and at last in strips. The same
drawing comes plain (`format_board`) or coloured (`board_text`); games print nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from agon.games.mebipenny.board import NATURE, NO_OWNER
from agon.games.mebipenny.look import PLAYER_THEMES, SEAT_NAMES
from agon.games.mebipenny.move import Tile
from agon.games.mebipenny.panel import news
from agon.games.panel import headline
from agon.games.players import Players
from agon.games.reasons import note_failure
from agon.games.text_fit import cell_width, fit_column, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.text import Text

    from agon.games.mebipenny.position import MebiPennyPosition

Runs: TypeAlias = "Iterator[tuple[str, str]]"

SOFT = "dim"
MARK = "bold #e87a00"
WALL = "#8a8f9b"
NARROWEST = 8
NAME_LENGTH = 16
BASE = 10


def format_board(
    position: MebiPennyPosition,
    width: int = 80,
    seat: int | None = None,
    names: Sequence[str] = (),
) -> str:
    """The board, the players and the headline as plain text, as the seat sees them."""
    return "".join(text for text, _ in _runs(position, width, seat, names))


def board_text(
    position: MebiPennyPosition,
    width: int = 80,
    seat: int | None = None,
    names: Sequence[str] = (),
) -> Text:
    """The same as a Rich text: claims in the players' colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, width, seat, names), no_wrap=True)


def _runs(position: MebiPennyPosition, width: int, seat: int | None, names: Sequence[str]) -> Runs:
    """Pieces of text with a Rich style each."""
    players = Players(SEAT_NAMES, names, in_terminal=True)
    width = max(NARROWEST, width)
    cols = position.options.cols
    margin = len(str(position.options.rows - 1)) + 1
    spaced = margin + 2 * cols + 1 <= width
    most = cols if spaced else width - margin
    for first in range(0, cols, most):
        if first:
            yield f"from column {first} on:\n", SOFT
        yield from _strip(position, range(first, min(first + most, cols)), margin, spaced)
        yield "\n", ""
    for other in range(position.seats):
        yield from _player(position, other, width, seat, players)
    for style, note in _notes(position, players):
        for text in wrap_cells(note, width):
            yield f"{text}\n", style


def _strip(position: MebiPennyPosition, cols: range, margin: int, spaced: bool) -> Runs:
    """Some columns of the board."""
    yield from _numbers(cols, margin, 2 if spaced else 1)
    captured = {*position.captured}
    for row in range(position.options.rows):
        yield f"{row:>{margin - 1}}", SOFT
        if not spaced:
            yield " ", ""
        for col in cols:
            tile = Tile(row, col)
            if spaced:
                yield _gap(position, tile)
            yield _sign(position, tile, captured)
        if spaced and _gap(position, Tile(row, cols.stop))[1]:
            yield _gap(position, Tile(row, cols.stop))
        yield "\n", ""


def _numbers(cols: range, margin: int, pitch: int) -> Runs:
    """The last digits of the columns' numbers; the digits before them above each 0."""
    if cols[-1] >= BASE:
        line = ""
        for place, col in enumerate(cols):
            if col >= BASE and (col % BASE == 0 or place == 0):
                line = line.ljust(pitch * place) + str(col // BASE)
        yield f"{' ' * margin}{line}\n", SOFT
    digits = (" " * (pitch - 1)).join(str(col % BASE) for col in cols)
    yield f"{' ' * margin}{digits}\n", SOFT


def _gap(position: MebiPennyPosition, tile: Tile) -> tuple[str, str]:
    """What stands before a cell: a bracket at either side of the tile that was played last."""
    last = position.last_tile
    if last is None or last.row != tile.row or tile.col - last.col not in (0, 1):
        return " ", ""
    return "[" if tile.col == last.col else "]", MARK


def _sign(position: MebiPennyPosition, tile: Tile, captured: set[Tile]) -> tuple[str, str]:
    owner = int(position.owners[tile])
    if owner == NO_OWNER:
        return ".", SOFT
    if owner == NATURE:
        return "#", WALL
    theme = PLAYER_THEMES[owner]
    changed = tile in captured
    letter = theme.letter.upper() if changed else theme.letter
    return letter, f"{'bold ' if changed else ''}{theme.number} on {theme.light}"


def _player(
    position: MebiPennyPosition, seat: int, width: int, viewer: int | None, players: Players
) -> Runs:
    """One player: whose turn it is, claims, the hand if it may be seen."""
    theme = PLAYER_THEMES[seat]
    yield (">" if seat in position.to_act else " "), MARK
    yield f" {theme.letter} ", f"bold {theme.number} on {theme.light}"
    points = f"{position.scores[seat]} claims"
    name = fit_column(players.name(seat), NAME_LENGTH if players.names else 6)
    told = f" {name} {points:>10}, "
    if seat in position.out:
        told += note_failure(position.out[seat])
    elif viewer in (None, seat):
        told += "hand " + " ".join(f"{row},{col}" for row, col in position.hands[seat])
    else:
        told += f"{len(position.hands[seat])} tiles in hand"
    short = f" {name} {position.scores[seat]}"
    for text in (told, f" {name} {points:>10}", short):
        if cell_width(text) + 4 <= width:
            yield text.rstrip() + "\n", ""
            return
    yield f" {position.scores[seat]}\n", ""


def _notes(position: MebiPennyPosition, players: Players) -> Iterator[tuple[str, str]]:
    """What stands below the players: a style and a text each."""
    if position.move is not None:
        yield "", news(position, players)
    yield SOFT, f"{position.draw_size} tiles in the pile; # wall, CAPITALS: just taken"
    yield "bold", headline(position, players)
