"""What stands around the island: how the robots are, the last turn in words, and a key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games import panel
from agon.games.panel import WIDTH, PlayerRows, draw_key
from agon.games.players import isolate
from agon.games.shapes import Anchor, Box, Disc, Group, Hex, Label, Shape, Stamp
from agon.games.skyport.board import FULL_HEALTH, TOP_LEVEL
from agon.games.skyport.look import HEX, PLAYER_THEMES
from agon.games.skyport.move import WEAPONS
from agon.games.skyport.stages import Phase
from agon.games.skyport.turn_words import describe_deed, describe_penalties, last_actor
from agon.games.text_fit import fit_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.players import Players
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Robot

ROWS = PlayerRows(left=948, top=52, height=78, gap=7, inset=14, name=(58, 18, 16), count=(20, 22))
LAST_TURN_LEFT, LAST_TURN_TOP = 54, 632
KEY_LEFT, KEY_TOP, KEY_STEP = 596, 642, 68
VERDICT_LENGTH = 20
LOW = 36  # what one shot may take
MINES = ("rubidium", "explodium", "scrap")


def headline(position: SkyportPosition, players: Players) -> str:
    """Which turn it is and who is to move, or how the match ended."""
    if position.outcome is not None:
        return players.tell(position.outcome)
    if not position.turn:
        return "Turn 0: all choose their weapons"
    mover = players.full(position.order[0])
    return f"Turn {position.turn} of {position.last_turn}: {mover} to move"


# --- the robots -----------------------------------------------------------------------------------


def draw_panel(position: SkyportPosition, viewer: int | None, players: Players) -> Iterator[Shape]:
    """A row for each robot."""
    yield ROWS.draw_unit("points", 14)
    for robot in position.robots:
        yield _row(position, robot, viewer, players.name(robot.seat))


def _row(position: SkyportPosition, robot: Robot, viewer: int | None, name: str) -> Group:
    theme, end = PLAYER_THEMES[robot.seat], WIDTH - ROWS.inset
    told = verdict(position, robot.seat)[:VERDICT_LENGTH]
    parts = [*_health(robot), *_weapons(robot)]
    if told:
        parts.append(Label("", "verdict", end, 41, text=told, size=12, anchor=Anchor.END))
    elif viewer is None:
        parts += _units(robot)
    is_active = robot.seat in position.to_act
    return ROWS.draw(
        robot.seat,
        name,
        str(robot.score),
        state="active" if is_active else "gone" if robot.seat in position.out else "",
        emblem=[
            Stamp("", theme.role, 29, 29, glyph=f"robot-{theme.role}"),
            Label("", f"number {theme.role}", 29, 29 + theme.drop, text=str(robot.seat), size=18),
        ],
        parts=parts,
        tip=f"{name}: {describe_state(robot)}, {robot.score} points",
    )


def verdict(position: SkyportPosition, seat: int) -> str:
    """How it ended for a seat, or how it failed."""
    return panel.verdict(position, seat, position.out, "failed")


def describe_state(robot: Robot) -> str:
    """Health and weapons in words."""
    weapons = " and ".join(f"{WEAPONS[weapon]} {robot.levels[weapon]}" for weapon in robot.weapons)
    state = f"{robot.health} health" if robot.health else "dead"
    return f"{state}, {weapons}" if weapons else state


def health_bar(health: int, x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """A bar around this middle that shows how much is left."""
    yield Box("", "health-track", x, y, width=width, height=height, corner=height / 3)
    length = (width - 2) * health / FULL_HEALTH
    role = "health low" if health <= LOW else "health"
    left = x - width / 2 + 1
    if health:
        yield Box("", role, left + length / 2, y, width=length, height=height - 2, corner=1)


def _health(robot: Robot) -> Iterator[Shape]:
    if not robot.health:
        yield Label("", "verdict", 58, 41, text="dead", size=13, anchor=Anchor.START)
        return
    yield from health_bar(robot.health, 92, 41, 68, 9)
    text = str(robot.health)
    yield Label("", "note", 132, 41, text=text, size=13, anchor=Anchor.START)


def _units(robot: Robot) -> Iterator[Shape]:
    """What the robot has mined: a sign for each kind, and how much of it."""
    for place, (tile, units) in enumerate(zip(MINES, robot.units, strict=True)):
        x = 166 + 23 * place
        yield Stamp("", tile, x, 41, glyph=f"{tile}-1", scale=0.5)
        yield Label("", "note", x + 6, 41, text=str(units), size=12, anchor=Anchor.START)


def _weapons(robot: Robot) -> Iterator[Shape]:
    """Both weapons, and a dot for each of their levels."""
    if not robot.weapons:
        text = "no weapons yet"
        yield Label("", "note", 16, 64, text=text, size=13, anchor=Anchor.START)
    for place, weapon in enumerate(robot.weapons):
        x = 16 + 108 * place
        name = WEAPONS[weapon]
        yield Label("", "done", x, 64, text=name, size=13.5, anchor=Anchor.START)
        for level in range(1, TOP_LEVEL + 1):
            role = "pip" if level <= robot.levels[weapon] else "pip-off"
            yield Disc("", role, x + 62 + 12 * (level - 1), 64, radius=4.2)


# --- the last turn --------------------------------------------------------------------------------


def draw_last_turn(position: SkyportPosition, players: Players) -> Iterator[Shape]:
    """What the last turn did, line by line; in a stage, what it has done up to then."""
    seat = last_actor(position)
    if seat is None:
        return
    moment = position.moment
    room = KEY_LEFT - KEY_STEP / 2 - LAST_TURN_LEFT
    name = isolate(players.name(seat))
    parts: list[Shape] = [
        Stamp(
            "",
            PLAYER_THEMES[seat].role,
            -18,
            0,
            glyph=f"robot-{PLAYER_THEMES[seat].role}",
            scale=0.5,
        ),
        fit_label("", "player", 0, 0, text=name, size=15, room=room),
    ]
    lines = [
        (_role(deed.refusal), describe_deed(position, deed, players)) for deed in position.deeds
    ]
    if moment is not None and moment.phase is Phase.FLIGHT:
        lines[-1] = ("done", lines[-1][1].partition(":")[0])
    if moment is None or moment.phase is Phase.CHARGED:
        penalties = describe_penalties(position)
        lines += [("refused", penalties)] if penalties else []
    for number, (role, text) in enumerate(lines, 1):
        shown = "now" if moment is not None and number == len(lines) and role == "done" else role
        parts.append(fit_label("", shown, 0, 22 * number, text=text, size=14, room=room))
    yield Group(
        "last-turn",
        "last-turn",
        LAST_TURN_LEFT,
        LAST_TURN_TOP,
        parts=tuple(parts),
        tip="the last turn",
    )


def _role(refusal: str | None) -> str:
    return "done" if refusal is None else "refused"


# --- the key --------------------------------------------------------------------------------------


def spawn_pad(seat: int) -> tuple[Shape, ...]:
    """The ring on the spawn of a seat, in its colour."""
    size = HEX - 6
    return (
        Hex("", "pad-case", size=size, flat=True),
        Hex("", f"pad {PLAYER_THEMES[seat].role}", size=size, flat=True),
    )


def draw_tile_key() -> Iterator[Shape]:
    """What the tiles and signs mean."""
    red = PLAYER_THEMES[0].role

    def tile(name: str, *parts: Shape) -> tuple[Shape, ...]:
        return (Hex("", f"tile {name}", size=HEX, flat=True), *parts)

    def mine(name: str, units: int) -> tuple[Shape, ...]:
        return tile(name, Stamp("", name, glyph=f"{name}-{units}"))

    pictures: dict[str, tuple[Shape, ...]] = {
        "rubidium": mine("rubidium", 2),
        "explodium": mine("explodium", 2),
        "scrap": mine("scrap", 2),
        "one unit left": mine("scrap", 1),
        "grass": tile("grass"),
        "void": tile("void", Stamp("", "void", glyph="void")),
        "rock": tile("rock", Stamp("", "rock", glyph="rock")),
        "spawn": tile("spawn", *spawn_pad(0)),
        "body": tile(
            "grass",
            Stamp("", red, glyph=f"body-{red}", scale=0.9),
            Stamp("", "body", glyph="cross"),
        ),
        "hit": tile("grass", Stamp("", "spark", glyph="spark")),
    }
    for number, (caption, parts) in enumerate(pictures.items()):
        x, y = KEY_LEFT + KEY_STEP * (number % 5), KEY_TOP + 54 * (number // 5)
        id_ = caption.replace(" ", "-")
        yield from draw_key(id_, x, y, caption, parts, scale=0.5, below=26, size=11)
