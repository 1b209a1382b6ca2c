"""What stands beside the island: the players, their land and stones, and a key to the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.atlantis.board import GROWING, OPEN
from agon.games.atlantis.look import HEX, HOLLOW, INSET, PLAYER_THEMES, choose_themes, format_count
from agon.games.players import Players, isolate
from agon.games.reasons import note_failure
from agon.games.shapes import Anchor, Box, Group, Hex, Label, Stamp
from agon.games.text_fit import fit_label, text_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.player_theme import PlayerTheme
    from agon.games.shapes import Shape

LEFT, RIGHT, TOP = 744, 980, 62
ROW, GAP = 84, 10
KEY_TOP = 700
NAME_LEFT = 66


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
    if position.outcome is not None:
        return players.tell(position.outcome)
    return f"Turn {position.turn}: {players.full(position.seat)} to move"


def standing(position: AtlantisPosition, seat: int) -> str:
    """A player's stones in words."""
    own = [field for field in position.fields if field.owner == seat]
    stones = sum(field.stones for field in own if field.kind == OPEN)
    growing = sum(field.kind == GROWING for field in own)
    return f"{format_count(stones)} stone{'' if stones == 1 else 's'}, {growing} growing"


def panel(position: AtlantisPosition, players: Players) -> Iterator[Shape]:
    """A row for each player, and the key."""
    for seat in range(position.seats):
        yield _row(position, seat, players.name(seat))
    if position.seats:
        yield Label("unit", "note", RIGHT - 16, TOP - 14, text="fields", size=13, anchor=Anchor.END)
    yield from _key()


def _row(position: AtlantisPosition, seat: int, name: str) -> Group:
    theme, width = PLAYER_THEMES[seat], RIGHT - LEFT  # for the role, which is the seat's
    active = " active" if seat in position.to_act else ""
    points = str(position.scores[seat])
    room = width - NAME_LEFT - 24 - text_width(points, 26)
    parts: list[Shape] = [
        Box("", f"row{active}", width / 2, ROW / 2, width=width, height=ROW, corner=12),
        Stamp("", theme.role, 34, ROW / 2 - 8, glyph=f"stones-{theme.role}", scale=1.05),
        fit_label("", "player", NAME_LEFT, 26, text=isolate(name), size=19, room=room),
        Label("", "points", width - 16, 26, text=points, size=26, anchor=Anchor.END),
        Label("", "note", 66, 50, text=standing(position, seat), size=13, anchor=Anchor.START),
    ]
    verdict = note_failure(position.out[seat]) if seat in position.out else ""
    if position.outcome is not None and position.outcome.winner == seat:
        verdict = "winner"
    if verdict:
        parts.append(Label("", "verdict", 66, 69, text=verdict, size=13, anchor=Anchor.START))
    tip = f"{name}: {points} fields in stable areas"
    y = TOP + seat * (ROW + GAP)
    return Group(f"player-{seat}", "player-row", LEFT, y, parts=tuple(parts), tip=tip)


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
        yield Group(f"key-{caption}", "key", x, KEY_TOP, scale=0.8, parts=parts)
        yield Label(f"caption-{caption}", "note", x, KEY_TOP + 37, text=caption, size=12)
