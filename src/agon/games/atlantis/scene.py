"""An Atlantis position as a picture: the island on the left, the players on the right.

Every field is in every scene, under the id `field-b2`, and its stones, if there are any, under
`stack-b2`; the moves of the last turn are arrows `move-b2`, by where they start. All pictures have
one size; the island is made to fit, and what would be too small to read is left out.

    +-----------------+--------+
    | headline        | Red    |    letters rise to the upper right, numbers to the upper left,
    |      island     | Blue   |    as the rules draw the grid (R1)
    |                 | key    |
    +-----------------+--------+
"""

from __future__ import annotations

from math import hypot, sqrt
from typing import TYPE_CHECKING

from agon.games.atlantis.areas import map_areas
from agon.games.atlantis.board import DEAD, GROWING, MAX_PLAYERS, OPEN
from agon.games.atlantis.geometry import STEPS, neighbour
from agon.games.atlantis.look import HEX, HOLLOW, INSET, PLAYER_THEMES, format_count, look_for
from agon.games.atlantis.panel import ROWS, call_players, draw_panel, headline, themes_of
from agon.games.scene import Scene
from agon.games.shapes import Box, Fit, Group, Hex, Label, Path, Shape, Stamp
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agon.games.atlantis.geometry import Coordinate
    from agon.games.atlantis.position import AtlantisPosition, Field
    from agon.games.player_theme import PlayerTheme

WIDTH, HEIGHT = 1000, 780
ISLAND = (20, 62, 724, 764)  # left, top, right, bottom
BIGGEST = 1.7
AXIS, NAME = 17.0, 9.5  # sizes of text at scale 1
LONGEST_NAME = 5
ROOT3 = sqrt(3)


def atlantis_scene(position: AtlantisPosition, names: Sequence[str] = ()) -> Scene:
    """The position as all seats see it (Atlantis hides nothing)."""
    players = call_players(position, names)
    told = headline(position, players)
    fields = position.fields
    fit = fit_island(fields)
    parts = (
        *_ground(position, fit),
        *_borders(fields),
        *_highlights(position),
        *_arrows(position),
        *_stacks(fields, fit),
        *_axes(fields, fit),
    )
    shapes = (
        Box("sea", "sea", WIDTH / 2, HEIGHT / 2, width=WIDTH, height=HEIGHT),
        fit_label("headline", "headline", 28, 36, text=told, size=24, room=ROWS.left - 40),
        Group("island", "island", fit.x, fit.y, scale=fit.scale, parts=parts),
        *draw_panel(position, players),
    )
    look = look_for(position.ground.colours)
    return Scene(f"Atlantis: {told}", WIDTH, HEIGHT, look, shapes)


def middle(x: float, y: float) -> tuple[float, float]:
    """R1: where a field lies at scale 1."""
    return 1.5 * HEX * (x - y), -ROOT3 / 2 * HEX * (x + y)


def fit_island(fields: Sequence[Field]) -> Fit:
    """The largest scale at which all fields and the letters and numbers around them fit."""
    places = [middle(field.x, field.y) for field in fields]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    left, right = min(xs) - 1.6 * HEX, max(xs) + 1.6 * HEX
    top, bottom = min(ys) - HEX, max(ys) + 1.7 * HEX
    room_x, room_y = ISLAND[2] - ISLAND[0], ISLAND[3] - ISLAND[1]
    scale = min(BIGGEST, room_x / (right - left), room_y / (bottom - top))
    return Fit(
        x=(ISLAND[0] + ISLAND[2] - scale * (left + right)) / 2,
        y=(ISLAND[1] + ISLAND[3] - scale * (top + bottom)) / 2,
        scale=scale,
    )


def holders(position: AtlantisPosition) -> list[int | None]:
    """R15: by number, the seat for which each field counts if the match ends now."""
    work = position.new_work()
    map_areas(position.setup, position.state, work)
    return [int(seat) if seat < MAX_PLAYERS else None for seat in work["holder"]]


def _ground(position: AtlantisPosition, fit: Fit) -> Iterator[Shape]:
    """All fields: land, tinted where it counts for a seat; growing fields with a ring; water."""
    holder, themes = holders(position), themes_of(position)
    places = {(field.x, field.y): field for field in position.fields}
    for field in position.fields:
        x, y = middle(field.x, field.y)
        parts: list[Shape] = [Hex("", _role(field, holder[field.number]), size=HEX, flat=True)]
        if field.kind == DEAD:
            if fit.shows(AXIS):
                parts.append(Stamp("", "waves", glyph="waves"))
        elif field.kind == GROWING and field.owner is not None:
            ring = f"ring {PLAYER_THEMES[field.owner].role}"
            parts.append(Hex("", ring, size=HEX - INSET, flat=True))
        elif fit.shows(NAME) and len(field.name) <= LONGEST_NAME:
            parts.append(Label("", "name", 0, HEX * 0.68, text=field.name, size=NAME))
        tip = describe(field, places, themes)
        yield Group(f"field-{field.name}", "field", x, y, parts=tuple(parts), tip=tip)


def _role(field: Field, holder: int | None) -> str:
    if field.kind == DEAD:
        return "dead"
    if field.kind == GROWING:
        return "growing"
    return "land" if holder is None else f"land held {PLAYER_THEMES[holder].role}"


def describe(
    field: Field, places: Mapping[Coordinate, Field], themes: Sequence[PlayerTheme]
) -> str:
    if field.kind == DEAD:
        return f"{field.name}: sunk"
    words = f"{field.name}: {'growing' if field.kind == GROWING else 'open'}"
    if field.owner is None:
        return words
    around = (places.get(neighbour((field.x, field.y), step)) for step in range(len(STEPS)))
    limit = sum(other is not None and other.kind == OPEN for other in around)
    return f"{words}, {themes[field.owner].name} {field.stones}, explodes at {limit}"


def _borders(fields: Sequence[Field]) -> Iterator[Shape]:
    """The coast, and where one segment ends and another begins."""
    above = {(field.x, field.y): field.segment for field in fields if field.kind != DEAD}
    steps: list[str] = []
    for (x, y), segment in above.items():
        for direction in range(len(STEPS)):
            other = above.get(neighbour((x, y), direction))
            # An edge between segments is drawn once, by the field below it.
            if other is None or (other != segment and direction in (5, 0, 1)):
                steps.append(_edge(x, y, direction))
    if steps:
        yield Path("borders", "border", d="".join(steps))


def _edge(x: int, y: int, direction: int) -> str:
    """Path data of one side of a field."""
    mx, my = middle(x, y)
    (ax, ay), (bx, by) = CORNERS[direction], CORNERS[(direction + 1) % 6]
    return f"M{mx + ax:.1f} {my + ay:.1f}L{mx + bx:.1f} {my + by:.1f}"


CORNERS = tuple(
    (HEX * x, HEX * ROOT3 / 2 * y)
    for x, y in ((-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0))
)
"""From the left end of the upper side, clockwise: the side in a direction starts at its corner."""


def _highlights(position: AtlantisPosition) -> Iterator[Shape]:
    """A burst on each field that exploded in this stage, a ring around each other that changed."""
    for field in position.fields:
        if field.number not in position.highlight:
            continue
        x, y = middle(field.x, field.y)
        if field.kind == DEAD or (field.kind == GROWING and field.stones == 0):
            yield Stamp(f"burst-{field.name}", "burst", x, y, glyph="burst")
        else:
            yield Hex(f"mark-{field.name}", "mark", x, y, size=HEX - 1, flat=True)


def last_mover(position: AtlantisPosition) -> int:
    """Whose turn led here: it is still going on if a stage shows moves or explosions."""
    marked = [field for field in position.fields if field.number in position.highlight]
    going_on = any(field.kind != GROWING or field.stones == 0 for field in marked)
    return position.seat if going_on else (position.turn - 1) % position.seats


def _arrows(position: AtlantisPosition) -> Iterator[Shape]:
    """The moves of the last turn."""
    if not position.last_moves:
        return
    role = PLAYER_THEMES[last_mover(position)].role
    for source, target in position.last_moves:
        start, end = position.fields[source - 1], position.fields[target - 1]
        x, y = middle(start.x, start.y)
        to_x, to_y = middle(end.x, end.y)
        parts = tuple(_arrow(to_x - x, to_y - y, role))
        tip = f"{start.name}-{end.name}"
        yield Group(f"move-{start.name}", "move", x, y, parts=parts, tip=tip)


def _arrow(dx: float, dy: float, role: str) -> Iterable[Path]:
    """A straight arrow to (dx, dy), whose stones hide the rest of it: shaft and head."""
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    x, y = dx - 17 * ux, dy - 17 * uy
    shaft = f"M0 0L{x - 12 * ux:.1f} {y - 12 * uy:.1f}"
    left = f"{x - 15 * ux + 10 * uy:.1f} {y - 15 * uy - 10 * ux:.1f}"
    right = f"{x - 15 * ux - 10 * uy:.1f} {y - 15 * uy + 10 * ux:.1f}"
    yield Path("", "case", d=shaft)
    yield Path("", f"shaft {role}", d=shaft)
    yield Path("", f"point {role}", d=f"M{left}L{x:.1f} {y:.1f}L{right}Z")


def _stacks(fields: Sequence[Field], fit: Fit) -> Iterator[Shape]:
    """The stones: solid ones can move, hollow ones are growing."""
    for field in fields:
        if field.owner is None or field.kind == DEAD:
            continue
        x, y = middle(field.x, field.y)
        id_ = f"stack-{field.name}"
        if not field.stones:
            yield Stamp(id_, "sprout", x, y, glyph="sprout", scale=0.8)
            continue
        theme = PLAYER_THEMES[field.owner]
        kind = "stones" if field.kind == OPEN else "hollow"
        text = format_count(field.stones)
        size = (18.0, 18.0, 15.5, 12.0, 9.5)[len(text)] * (1 if kind == "stones" else HOLLOW)
        parts: list[Shape] = []
        if fit.shows(size):
            count = f"count {theme.role}" if field.kind == OPEN else "soft-count"
            parts.append(Label("", count, 0, theme.drop, text=text, size=size))
        scale = (1 if kind == "stones" else HOLLOW) * (1 if parts else 1.25)
        token = Stamp("", theme.role, glyph=f"{kind}-{theme.role}", scale=scale)
        yield Group(id_, f"stack {theme.role}", x, y, parts=(token, *parts))


def _axes(fields: Sequence[Field], fit: Fit) -> Iterator[Shape]:
    """The letters at the lower right end of their lines, the numbers at the lower left."""
    if not fit.shows(AXIS):
        return
    for field in first_on_lines(fields, by_letter=True):
        x, y = middle(field.x, field.y - 0.72)
        letters = letters_of(field)
        yield Label(f"axis-{letters}", "axis", x, y, text=letters[:LONGEST_NAME], size=AXIS)
    for field in first_on_lines(fields, by_letter=False):
        x, y = middle(field.x - 0.72, field.y)
        yield Label(f"axis-{field.y}", "axis", x, y, text=str(field.y)[:LONGEST_NAME], size=AXIS)


def letters_of(field: Field) -> str:
    """The letters of a field's name."""
    return field.name.removesuffix(str(field.y))


def first_on_lines(fields: Sequence[Field], *, by_letter: bool) -> list[Field]:
    """The lowest field of each line of one letter, or of one number."""
    lowest: dict[int, Field] = {}
    for field in fields:
        line = field.x if by_letter else field.y
        if line not in lowest or field.x + field.y < lowest[line].x + lowest[line].y:
            lowest[line] = field
    return list(lowest.values())
