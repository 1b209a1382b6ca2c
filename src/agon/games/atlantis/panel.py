"""What stands beside the island: the players, their land and stones, and a key to the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games import panel
from agon.games.atlantis.board import GROWING, OPEN
from agon.games.atlantis.look import HEX, HOLLOW, INSET, PLAYER_THEMES, choose_themes, format_count
from agon.games.panel import LEFT, PlayerRows, draw_key, verdict
from agon.games.players import Players
from agon.games.shapes import Anchor, Group, Hex, Label, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.player_theme import PlayerTheme
    from agon.games.shapes import Shape

ROWS = PlayerRows(top=62, height=84, gap=10, inset=16, name=(66, 26, 19), count=(26, 26))
KEY_TOP = 700


def themes_of(position: AtlantisPosition) -> tuple[PlayerTheme, ...]:
    """The colours, shapes and letters of its players."""
    return choose_themes(position.ground.colours)


def call_players(
    position: AtlantisPosition, names: Sequence[str] = (), *, in_terminal: bool = False
) -> Players:
    """What players are called: by name, and by colour."""
    return Players(tuple(theme.name for theme in themes_of(position)), names, in_terminal)


def headline(position: AtlantisPosition, players: Players) -> str:
    """How many turns were played and who is to move, or how the match ended."""
    if not position.seats:
        return f"A board of {len(position.fields)} fields, without players"
    return panel.headline(position, players)


def standing(position: AtlantisPosition, seat: int) -> str:
    """A player's stones in words."""
    own = [field for field in position.fields if field.owner == seat]
    stones = sum(field.stones for field in own if field.kind == OPEN)
    growing = sum(field.kind == GROWING for field in own)
    return f"{format_count(stones)} stone{'' if stones == 1 else 's'}, {growing} growing"


def draw_panel(position: AtlantisPosition, players: Players) -> Iterator[Shape]:
    """A row for each player, and the key."""
    for seat in range(position.seats):
        yield _row(position, seat, players.name(seat))
    if position.seats:
        yield ROWS.draw_unit("fields", 14)
    yield from _key()


def _row(position: AtlantisPosition, seat: int, name: str) -> Group:
    role = PLAYER_THEMES[seat].role  # the seat's, whatever its colour is
    points = str(position.scores[seat])
    parts = [Label("", "note", 66, 50, text=standing(position, seat), size=13, anchor=Anchor.START)]
    told = verdict(position, seat, position.out)
    if told:
        parts.append(Label("", "verdict", 66, 69, text=told, size=13, anchor=Anchor.START))
    return ROWS.draw(
        seat,
        name,
        points,
        state="active" if seat in position.to_act else "",
        emblem=[Stamp("", role, 34, ROWS.height / 2 - 8, glyph=f"stones-{role}", scale=1.05)],
        parts=parts,
        tip=f"{name}: {points} fields in stable areas",
    )


def _key() -> Iterator[Shape]:
    """What the kinds of fields look like."""
    red = PLAYER_THEMES[0].role
    pictures: dict[str, tuple[Shape, ...]] = {
        "open": (
            Hex("", "land", size=HEX, flat=True),
            Stamp("", red, glyph=f"stones-{red}"),
        ),
        "growing": (
            Hex("", "growing", size=HEX, flat=True),
            Hex("", f"ring {red}", size=HEX - INSET, flat=True),
            Stamp("", red, glyph=f"hollow-{red}", scale=HOLLOW),
        ),
        "sunk": (Hex("", "dead", size=HEX, flat=True), Stamp("", "waves", glyph="waves")),
        "counts": (Hex("", f"land held {red}", size=HEX, flat=True),),
    }
    for place, (caption, parts) in enumerate(pictures.items()):
        x = LEFT + 29 + 59.5 * place
        yield from draw_key(caption, x, KEY_TOP, caption, parts, scale=0.8, below=37)
