"""What stands beside the island: the players, their land and stones, and a key to the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.atlantis.board import GROWING, OPEN
from agon.games.atlantis.look import HEX, HOLLOW, INSET, LIVERIES, format_count
from agon.games.scene import Anchor, Box, Group, Hex, Label, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.scene import Shape

LEFT, RIGHT, TOP = 744, 980, 62
ROW, GAP = 84, 10
KEY_TOP = 700
NAME_LENGTH = 12


def player_name(seat: int, names: Sequence[str] = ()) -> str:
    """What a player is called: by name, or by colour."""
    return names[seat] if names else LIVERIES[seat].name


def headline(position: AtlantisPosition, names: Sequence[str] = ()) -> str:
    """The state of the match in a few words."""
    outcome = position.outcome
    if outcome is None:
        return f"{player_name(position.seat, names)} to move, turn {position.turn}"
    if outcome.winner is None:
        return outcome.reason
    return f"{player_name(outcome.winner, names)} won, {outcome.reason}"


def standing(position: AtlantisPosition, seat: int) -> str:
    """A player's stones in words."""
    own = [field for field in position.fields if field.owner == seat]
    stones = sum(field.stones for field in own if field.kind == OPEN)
    growing = sum(field.kind == GROWING for field in own)
    return f"{format_count(stones)} stone{'' if stones == 1 else 's'}, {growing} growing"


def panel(position: AtlantisPosition, names: Sequence[str]) -> Iterator[Shape]:
    """A row for each player, and the key."""
    for seat in range(position.seats):
        yield _row(position, seat, player_name(seat, names))
    yield Label("unit", "note", RIGHT - 16, TOP - 14, text="fields", size=13, anchor=Anchor.END)
    yield from _key()


def _row(position: AtlantisPosition, seat: int, name: str) -> Group:
    livery, width = LIVERIES[seat], RIGHT - LEFT
    active = " active" if seat in position.to_act else ""
    short = name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1] + "…"
    points = str(position.scores[seat])
    parts = [
        Box("", f"row{active}", width / 2, ROW / 2, width=width, height=ROW, corner=12),
        Stamp("", livery.role, 34, ROW / 2 - 8, glyph=f"stones-{livery.role}", scale=1.05),
        Label("", "player", 66, 26, text=short, size=19, anchor=Anchor.START),
        Label("", "points", width - 16, 26, text=points, size=26, anchor=Anchor.END),
        Label("", "note", 66, 50, text=standing(position, seat), size=13, anchor=Anchor.START),
    ]
    verdict = f"out: {position.out[seat]}" if seat in position.out else ""
    if position.outcome is not None and position.outcome.winner == seat:
        verdict = "winner"
    if verdict:
        parts.append(Label("", "verdict", 66, 69, text=verdict, size=13, anchor=Anchor.START))
    tip = f"{name}: {points} fields in stable areas"
    y = TOP + seat * (ROW + GAP)
    return Group(f"player-{seat}", "player-row", LEFT, y, parts=tuple(parts), tip=tip)


def _key() -> Iterator[Shape]:
    """What the kinds of fields look like."""
    red = LIVERIES[0].role
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
