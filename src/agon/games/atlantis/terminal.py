r"""An Atlantis position as text: hexes with a flat side up, as the rules draw the grid (R1).

          ___
      ___/ . \___       r2  open, two stones of red; each player has a letter
     / .      R1 \      R1  growing, one stone of red
    3\   [r2]    /c      .  open and empty
     / .  ___  . \       ~  sunk
    2\___/ ~ \___/b
        1     a

Lines are drawn around segments only. [ and ] stand around fields where moves ended, or that changed
in this stage of a turn. A board that is too wide comes without lines, then with a letter for each
field, and at last in strips. The same drawing comes plain (`format_board`) or coloured
(`board_text`); games print nothing.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeAlias

from agon.games.atlantis.board import DEAD, GROWING
from agon.games.atlantis.colours import with_lightness
from agon.games.atlantis.geometry import neighbour
from agon.games.atlantis.panel import call_players, headline, standing, themes_of
from agon.games.atlantis.scene import first_on_lines, last_mover, letters_of
from agon.games.player_theme import DARK
from agon.games.reasons import note_failure
from agon.games.text_canvas import TextCanvas
from agon.games.text_fit import cell_width, fit_column, wrap_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.text import Text

    from agon.games.atlantis.position import AtlantisPosition, Field
    from agon.games.player_theme import PlayerTheme
    from agon.games.players import Players

Spots: TypeAlias = "dict[int, tuple[int, int]]"

LINE = "dim"
MARK = "bold #e87a00"
WATER = "#5b9bb5"
SOIL = f"{DARK} on #cfe6a4"
SOIL_INK = 0.55  # the lightest that can be read there
NAME_LENGTH = 16
MOST_STONES = 99  # that a field has room for
TOLD = 12  # larger stacks that are listed
WIDEST_GAP = 8  # of sea between islands
EDGES = ((0, -1, "___"), (3, 0, "\\"), (3, 1, "/"), (0, 1, "___"), (-1, 1, "\\"), (-1, 0, "/"))
"""The sides of a field from the one above, clockwise: columns across, lines down, and what."""
KEY = "small letters: open, CAPITALS: growing, ~ sunk"


def format_board(position: AtlantisPosition, width: int = 80, names: Sequence[str] = ()) -> str:
    """The board, the players and the headline as plain text."""
    return "".join(text for text, _ in _runs(position, width, names))


def board_text(position: AtlantisPosition, width: int = 80, names: Sequence[str] = ()) -> Text:
    """The same as a Rich text: stones in the players' colours."""
    from rich.text import Text  # only who shows colours needs Rich

    return Text.assemble(*_runs(position, width, names), no_wrap=True)


def _runs(
    position: AtlantisPosition, width: int, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Pieces of text with a Rich style each."""
    players = call_players(position, names, in_terminal=True)
    for place, canvas in enumerate(_canvases(position, width)):
        if place:
            yield "further east:\n", LINE
        for line in canvas.lines():
            yield from line
            yield "\n", ""
        yield "\n", ""
    for seat in range(position.seats):
        yield from _player(position, seat, width, players)
    for style, note in _notes(position, players):
        for text in wrap_cells(note, width):
            yield f"{text}\n", style


def _player(
    position: AtlantisPosition, seat: int, width: int, players: Players
) -> Iterator[tuple[str, str]]:
    """One player: whose turn it is, points, stones."""
    theme = themes_of(position)[seat]
    yield (">" if seat in position.to_act else " "), MARK
    yield f" {theme.letter} ", f"bold {theme.number} on {theme.light}"
    points = f"{position.scores[seat]} fields"
    told = f" {points:>11}, {standing(position, seat)}"
    if seat in position.out:
        told += f", {note_failure(position.out[seat])}"
    name = f" {fit_column(players.name(seat), NAME_LENGTH if players.names else 6)}"
    for text in (name + told, name + f" {points}", f" {points}"):
        if cell_width(text) + 4 <= width or text == f" {points}":
            yield f"{text}\n", ""
            return


def _notes(position: AtlantisPosition, players: Players) -> Iterator[tuple[str, str]]:
    """What stands below the players: a style and a text each."""
    many = [f for f in position.fields if f.stones > MOST_STONES]
    if many:
        rest = ", …" if len(many) > TOLD else ""
        yield "", "++: " + ", ".join(f"{f.name} {f.stones}" for f in many[:TOLD]) + rest
    if position.last_turn is not None:
        names = position.names
        moves = " ".join(
            f"{names[source]}-{names[target]}" for source, target in position.last_moves
        )
        yield "", f"{players.full(last_mover(position))} played: {moves or 'pass'}"
    yield LINE, KEY
    yield "bold", headline(position, players)


def _canvases(position: AtlantisPosition, width: int) -> Iterable[TextCanvas]:
    """The board in the first way that fits."""
    spots = find_spots(position.fields)
    for draw in (_draw_lines, _draw_signs):
        canvas = draw(position, spots)
        if canvas.width <= width:
            return [canvas]
    strips: dict[int, list[Field]] = {}
    for f in position.fields:
        strips.setdefault(spots[f.number][0] // width, []).append(f)
    themes = themes_of(position)
    return [_draw_letters(strips[strip], spots, themes) for strip in sorted(strips)]


def find_spots(fields: Sequence[Field]) -> Spots:
    """R1: column and line of each field, in steps: (1, 1) more is two lines up.

    Where islands lie far from each other, most of the sea between them is left out.
    """
    columns = _close_up({f.x - f.y for f in fields})
    lines = _close_up({-(f.x + f.y) for f in fields})
    return {f.number: (columns[f.x - f.y], lines[-(f.x + f.y)]) for f in fields}


def _close_up(numbers: set[int]) -> dict[int, int]:
    """New numbers from 0 on, in the same order, without wide gaps."""
    ordered = sorted(numbers)
    steps = (min(b - a, WIDEST_GAP) for a, b in pairwise(ordered))
    return dict(zip(ordered, accumulate(steps, initial=0), strict=True))


def _draw_lines(position: AtlantisPosition, spots: Spots) -> TextCanvas:
    """Fields four columns apart, lines around segments, letters and numbers along the edge."""
    canvas = TextCanvas()
    _write_axes(canvas, position.fields, spots, 4)
    above = {(f.x, f.y): f for f in position.fields if f.kind != DEAD}
    for place, f in above.items():
        column, line = spots[f.number]
        for direction, (across, down, edge) in enumerate(EDGES):
            other = above.get(neighbour(place, direction))
            if other is None or other.segment != f.segment:
                canvas.write(4 * column + across, line + down, edge, LINE)
    themes = themes_of(position)
    marked = position.highlight or {target for _, target in position.last_moves}
    for f in position.fields:
        column, line = spots[f.number]
        _write_sign(canvas, 4 * column, line, f, themes)
        if f.number in marked:
            canvas.write(4 * column - 1, line, "[", MARK)
            canvas.write(4 * column + 3, line, "]", MARK)
    return canvas


def _draw_signs(position: AtlantisPosition, spots: Spots) -> TextCanvas:
    """Fields two columns apart: neighbours stand on different lines, so signs have room."""
    canvas = TextCanvas()
    _write_axes(canvas, position.fields, spots, 2)
    themes = themes_of(position)
    for f in position.fields:
        column, line = spots[f.number]
        _write_sign(canvas, 2 * column, line, f, themes)
    return canvas


def _draw_letters(
    fields: Iterable[Field], spots: Spots, themes: Sequence[PlayerTheme]
) -> TextCanvas:
    """One column for each column of fields, and a letter for each field."""
    canvas = TextCanvas()
    for f in fields:
        canvas.write(*spots[f.number], _sign(f, themes)[0], _style(f, themes))
    return canvas


def _sign(f: Field, themes: Sequence[PlayerTheme]) -> str:
    if f.kind == DEAD:
        return "~"
    if f.owner is None:
        return "."
    letter = themes[f.owner].letter
    stones = str(f.stones) if f.stones <= MOST_STONES else "++"
    return (letter.upper() if f.kind == GROWING else letter) + stones


def _style(f: Field, themes: Sequence[PlayerTheme]) -> str:
    if f.kind == DEAD:
        return WATER
    if f.owner is None:
        return LINE
    theme = themes[f.owner]
    return SOIL if f.kind == GROWING else f"bold {theme.number} on {theme.light}"


def _write_sign(
    canvas: TextCanvas, column: int, line: int, f: Field, themes: Sequence[PlayerTheme]
) -> None:
    """The sign in three columns; a single character in the middle of them."""
    sign, style = _sign(f, themes), _style(f, themes)
    if len(sign) == 1:
        canvas.write(column + 1, line, sign, style)
        return
    canvas.write(column, line, sign, style)
    if f.kind == GROWING and f.owner is not None:
        colour = with_lightness(themes[f.owner].light, most=SOIL_INK)
        canvas.write(column, line, sign[0], f"bold {colour} on #cfe6a4")


def _write_axes(canvas: TextCanvas, fields: Sequence[Field], spots: Spots, pitch: int) -> None:
    """Letters at the lower right end of their lines, numbers at the lower left.

    Where one place is the end of both, the number stands below the letter.
    """
    for f in first_on_lines(fields, by_letter=True):
        column, line = spots[f.number]
        canvas.write(pitch * (column + 1), line + 1, _label(letters_of(f)), LINE)
    for f in first_on_lines(fields, by_letter=False):
        column, line = spots[f.number]
        start = pitch * (column - 1)
        below = 2 if (start, line + 1) in canvas.marks else 1
        canvas.write(start, line + below, f"{_label(str(f.y)):>3}", LINE)


def _label(text: str) -> str:
    """The text if there is room for it."""
    return text if len(text) <= 3 else "…"
