"""What stands beside the board: the players, their claims and hands, and a key to the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.mebipenny.look import CELL, CLAIM, CORNER, PLAYER_THEMES
from agon.games.panel import LEFT, PlayerRows, draw_key, verdict
from agon.games.shapes import Anchor, Box, Group, Label, Shape, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.mebipenny.position import MebiPennyPosition
    from agon.games.players import Players

ROWS = PlayerRows(top=64, height=134, gap=10, inset=16, name=(60, 24, 18), count=(26, 26))
KEY_TOP = 702
NOTE_LENGTH = 26

CAPTURED = (
    Box("", "case", width=CLAIM - 6, height=CLAIM - 6, corner=CORNER - 2),
    Box("", "captured", width=CLAIM - 6, height=CLAIM - 6, corner=CORNER - 2),
)
"""Dots along the edge of a claim that changed hands."""
PLAYED = (
    Box("", "last-case", width=CELL, height=CELL, corner=CORNER),
    Box("", "last", width=CELL, height=CELL, corner=CORNER),
)
"""A frame around the tile that was played last."""


def news(position: MebiPennyPosition, players: Players) -> str:
    """The last turn in words."""
    if position.move is None:
        return ""
    mover = players.full((position.turn - 1) % position.seats)
    if position.last_tile is None:
        return f"{mover} passed"
    told = f"{mover} played {position.last_tile.row},{position.last_tile.col}"
    captured = position.captured
    if captured:
        taker = players.full(int(position.owners[captured[0]]))
        told += (
            f" and took {len(captured)}" if taker == mover else f", {taker} took {len(captured)}"
        )
    return told


def draw_panel(
    position: MebiPennyPosition, viewer: int | None, players: Players
) -> Iterator[Shape]:
    """A row for each player, the pile, and the key."""
    for seat in range(position.seats):
        yield _row(position, seat, viewer, players.name(seat))
    pile = f"{position.draw_size} tiles in the pile"
    yield Label("pile", "note", LEFT + 2, ROWS.top - 16, text=pile, size=13, anchor=Anchor.START)
    yield ROWS.draw_unit("claims", 16)
    yield from _key()


def _row(position: MebiPennyPosition, seat: int, viewer: int | None, name: str) -> Group:
    theme, points = PLAYER_THEMES[seat], str(position.scores[seat])
    told = verdict(position, seat, position.out)
    note, role = (told, "verdict") if told else (f"{len(position.hands[seat])} in hand", "note")
    return ROWS.draw(
        seat,
        name,
        points,
        state="active" if seat in position.to_act else "",
        emblem=[
            Box("", f"claim {theme.role}", 32, 30, width=CLAIM, height=CLAIM, corner=CORNER),
            Stamp("", theme.role, 32, 30, glyph=f"sign-{theme.role}"),
        ],
        parts=[
            Label("", role, 60, 45, text=note[:NOTE_LENGTH], size=13, anchor=Anchor.START),
            *_chips(position, seat, viewer in (None, seat)),
        ],
        tip=f"{name}: {points} claims",
    )


def _chips(position: MebiPennyPosition, seat: int, is_seen: bool) -> Iterator[Shape]:
    """A hand: tiles by row and column, or their backs."""
    role = PLAYER_THEMES[seat].role
    for place, tile in enumerate(position.hands[seat]):
        x, y = 44 + 74 * (place % 3), 79 + 31 * (place // 3)
        if is_seen:
            yield Box("", f"claim {role}", x, y, width=68, height=25, corner=6)
            text = f"{tile.row},{tile.col}"
            yield Label("", f"coordinates {role}", x, y, text=text, size=14)
        else:
            yield Box("", "back", x, y, width=68, height=25, corner=6)


def _key() -> Iterator[Shape]:
    """What the signs on the board mean."""
    red = PLAYER_THEMES[0].role
    claim = Box("", f"claim {red}", width=CLAIM, height=CLAIM, corner=CORNER)
    free = Box("", "free", width=CELL - 3, height=CELL - 3)
    sign = Stamp("", red, glyph=f"sign-{red}")
    pictures: dict[str, tuple[Shape, ...]] = {
        "played": (claim, sign, *PLAYED),
        "taken": (claim, sign, *CAPTURED),
        "in hand": (
            free,
            Box("", f"held {red}", width=27, height=27, corner=6),
            Stamp("", red, glyph=f"held-{red}", scale=0.8),
        ),
        "wall": (
            Box("", "wall", width=CELL - 3, height=CELL - 3),
            Stamp("", "bricks", glyph="bricks", scale=(CELL - 3) / CELL),
        ),
    }
    for place, (caption, parts) in enumerate(pictures.items()):
        x = LEFT + 29 + 59.5 * place
        id_ = caption.replace(" ", "-")
        yield from draw_key(id_, x, KEY_TOP, caption, parts, below=35)
