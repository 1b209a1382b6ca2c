"""What stands beside the map: the players, their forts and soldiers, and a key to the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agon.games.battlebots.look import PLAYER_THEMES, SEAT_NAMES, format_count
from agon.games.player_theme import scaled
from agon.games.players import Players, isolate
from agon.games.reasons import note_failure
from agon.games.shapes import Anchor, Box, Group, Label, Path, Stamp
from agon.games.text_fit import fit_label, text_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.shapes import Shape

LEFT, RIGHT, TOP = 744, 980, 62
ROW, GAP = 66, 8
KEY_TOP = 706
NAME_LEFT = 64
POINT = "M9 -6.5L19 0L9 6.5Z"  # before an army that marches to the right


@dataclass(frozen=True, slots=True)
class Strength:
    """What a player has, or what another seat sees of it."""

    forts: int
    garrisons: int
    marching: int

    @property
    def soldiers(self) -> int:
        return self.garrisons + self.marching


def measure_strength(position: BattlebotsPosition, viewer: int | None = None) -> list[Strength]:
    """The forts and soldiers of every seat, as far as the viewer sees them."""
    seen = position.shown_to(viewer)
    roads = {frozenset(road) for road in seen.roads}
    found = []
    for seat, player in enumerate(position.players):
        held = [fort.soldiers for fort in seen.forts if fort.owner == player]
        marching = (
            army.soldiers
            for army in position.armies
            if army.seat == seat and frozenset((army.origin, army.target)) in roads
        )
        found.append(Strength(len(held), sum(held), sum(marching)))
    return found


def call_players(
    position: BattlebotsPosition, names: Sequence[str] = (), *, in_terminal: bool = False
) -> Players:
    """What players are called: by name, or as the map has it, and by colour."""
    return Players(SEAT_NAMES, names or position.players, in_terminal)


def headline(position: BattlebotsPosition, players: Players, viewer: int | None = None) -> str:
    """How many turns were played, or how the match ended; and who sees this."""
    if position.outcome is not None:
        return players.tell(position.outcome)
    if viewer is not None:
        return f"Turn {position.turn}, as {players.full(viewer)} sees it"
    return f"Turn {position.turn}, {position.options.turn_limit} at the most"


def verdict(position: BattlebotsPosition, seat: int, viewer: int | None = None) -> str:
    """How it ended for a seat, if it did; R13: a seat is told that only of itself."""
    if position.outcome is not None and position.outcome.winner == seat:
        return "winner"
    if viewer not in (None, seat) and position.outcome is None:
        return ""
    if seat in position.faults:
        return note_failure(position.faults[seat], "failed")
    since = position.out_since(seat)
    return "" if since is None else f"out in turn {since}"


def describe_strength(strength: Strength) -> str:
    """A player's forts and armies in words."""
    plural = "" if strength.forts == 1 else "s"
    marching = f", {format_count(strength.marching)} on roads" if strength.marching else ""
    return f"{strength.forts} fort{plural}{marching}"


def panel(position: BattlebotsPosition, players: Players, viewer: int | None) -> Iterator[Shape]:
    """A row for each player, and the key."""
    strengths = measure_strength(position, viewer)
    most = max(1, *(strength.soldiers for strength in strengths))
    for seat, strength in enumerate(strengths):
        share = strength.soldiers / most
        yield _row(position, seat, players.name(seat), strength, share, viewer)
    unit = "soldiers" if viewer is None else "soldiers in sight"
    yield Label("unit", "note", RIGHT - 14, TOP - 13, text=unit, size=13, anchor=Anchor.END)
    yield from _key(viewer is not None)


def _row(
    position: BattlebotsPosition,
    seat: int,
    name: str,
    strength: Strength,
    share: float,
    viewer: int | None,
) -> Group:
    theme, width = PLAYER_THEMES[seat], RIGHT - LEFT
    told = verdict(position, seat, viewer)
    state = " viewer" if seat == viewer else " gone" if told and told != "winner" else ""
    note = describe_strength(replace(strength, marching=0) if told else strength)  # room for both
    count = format_count(strength.soldiers)
    bar = (width - 78) * share
    room = width - NAME_LEFT - 22 - text_width(count, 22)
    parts: list[Shape] = [
        Box("", f"row{state}", width / 2, ROW / 2, width=width, height=ROW, corner=12),
        Stamp("", theme.role, 33, ROW / 2, glyph=f"shape-{theme.role}", scale=0.95),
        fit_label("", "player", NAME_LEFT, 19, text=isolate(name), size=17, room=room),
        Label("", "soldiers", width - 14, 20, text=count, size=22, anchor=Anchor.END),
        Label("", "note", 64, 39, text=note, size=12.5, anchor=Anchor.START),
        Box("", "track", 64 + (width - 78) / 2, 54, width=width - 78, height=5, corner=2.5),
        Box("", f"bar {theme.role}", 64 + bar / 2, 54, width=bar, height=5, corner=2.5),
    ]
    if told:
        parts.append(
            Label("", "verdict", width - 14, 39, text=told[:20], size=12.5, anchor=Anchor.END)
        )
    forts = f"{strength.forts} fort{'' if strength.forts == 1 else 's'}"
    tip = f"{name}: {strength.garrisons} soldiers in {forts}"
    tip += f", {strength.marching} on roads"
    y = TOP + seat * (ROW + GAP)
    return Group(f"player-{seat}", "player-row", LEFT, y, parts=tuple(parts), tip=tip)


def _key(with_fog: bool) -> Iterator[Shape]:
    """What the signs look like."""
    red = PLAYER_THEMES[0].role
    pictures: dict[str, tuple[Shape, ...]] = {
        "fort": (
            Stamp("", red, glyph=f"shape-{red}"),
            Label("", f"count {red}", text="12", size=16),
        ),
        "neutral": (
            Stamp("", "keep", glyph="keep"),
            Label("", "count neutral", 0, 4, text="0", size=15),
        ),
        "army": (
            Path("", f"march {red}", d=POINT + scaled(PLAYER_THEMES[0].outline, 0.5)),
            Label("", "size", 0, -20, text="30", size=16),
        ),
    }
    if with_fog:
        pictures["not seen"] = (Stamp("", "fog", glyph="fog"),)
    for place, (caption, parts) in enumerate(pictures.items()):
        x = LEFT + 32 + 58 * place
        yield Group(f"key-{place}", "key", x, KEY_TOP, scale=0.9, parts=parts)
        yield Label(f"caption-{place}", "note", x, KEY_TOP + 34, text=caption, size=12)
