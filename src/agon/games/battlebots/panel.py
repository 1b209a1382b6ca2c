"""What stands beside the map: the players, their forts and soldiers, and a key to the picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agon.games import panel
from agon.games.battlebots.look import PLAYER_THEMES, SEAT_NAMES, format_count
from agon.games.panel import LEFT, WIDTH, PlayerRows, draw_key
from agon.games.player_theme import scaled
from agon.games.players import Players
from agon.games.shapes import Anchor, Box, Group, Label, Path, Stamp

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.battlebots.position import BattlebotsPosition
    from agon.games.shapes import Shape

ROWS = PlayerRows(top=62, height=66, gap=8, inset=14, name=(64, 19, 17), count=(20, 22))
BAR = 158
KEY_TOP = 706
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
    if viewer not in (None, seat) and position.outcome is None:
        return ""
    told = panel.verdict(position, seat, position.faults, "failed")
    since = position.out_since(seat)
    return told or ("" if since is None else f"out in turn {since}")


def describe_strength(strength: Strength) -> str:
    """A player's forts and armies in words."""
    plural = "" if strength.forts == 1 else "s"
    marching = f", {format_count(strength.marching)} on roads" if strength.marching else ""
    return f"{strength.forts} fort{plural}{marching}"


def draw_panel(
    position: BattlebotsPosition, players: Players, viewer: int | None
) -> Iterator[Shape]:
    """A row for each player, and the key."""
    strengths = measure_strength(position, viewer)
    most = max(1, *(strength.soldiers for strength in strengths))
    for seat, strength in enumerate(strengths):
        share = strength.soldiers / most
        yield _row(position, seat, players.name(seat), strength, share, viewer)
    unit = "soldiers" if viewer is None else "soldiers in sight"
    yield ROWS.draw_unit(unit, 13)
    yield from _key(viewer is not None)


def _row(
    position: BattlebotsPosition,
    seat: int,
    name: str,
    strength: Strength,
    share: float,
    viewer: int | None,
) -> Group:
    role, end = PLAYER_THEMES[seat].role, WIDTH - ROWS.inset
    told = verdict(position, seat, viewer)
    note = describe_strength(replace(strength, marching=0) if told else strength)  # room for both
    bar = BAR * share
    parts: list[Shape] = [
        Label("", "note", 64, 39, text=note, size=12.5, anchor=Anchor.START),
        Box("", "track", 64 + BAR / 2, 54, width=BAR, height=5, corner=2.5),
        Box("", f"bar {role}", 64 + bar / 2, 54, width=bar, height=5, corner=2.5),
    ]
    if told:
        parts.append(Label("", "verdict", end, 39, text=told[:20], size=12.5, anchor=Anchor.END))
    forts = f"{strength.forts} fort{'' if strength.forts == 1 else 's'}"
    garrisons = f"{strength.garrisons} soldiers in {forts}"
    return ROWS.draw(
        seat,
        name,
        format_count(strength.soldiers),
        state="viewer" if seat == viewer else "gone" if told and told != "winner" else "",
        emblem=[Stamp("", role, 33, ROWS.height / 2, glyph=f"shape-{role}", scale=0.95)],
        parts=parts,
        tip=f"{name}: {garrisons}, {strength.marching} on roads",
        unit="soldiers",
    )


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
        yield from draw_key(str(place), x, KEY_TOP, caption, parts, scale=0.9, below=34)
