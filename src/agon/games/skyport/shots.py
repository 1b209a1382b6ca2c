"""The last turn on the map: where its robot went, what it shot at, and whom that hit.

While a shot is under way, or hits, it is drawn boldly; afterwards it leaves a pale trace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.games.shapes import Group, Hex, Label, Path, Shape, Stamp
from agon.games.skyport import board
from agon.games.skyport.look import HEX, PLAYER_THEMES, middle
from agon.games.skyport.move import WEAPONS
from agon.games.skyport.stages import Moment, Phase
from agon.games.skyport.turn_words import is_lost, is_shot, last_actor

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agon.games.skyport.mapfile import Place
    from agon.games.skyport.position import SkyportPosition
    from agon.games.skyport.robot import Deed

OVER = Moment(Phase.CHARGED)
POP, SMALLEST_POP = 20.0, 13.0  # sizes of text: on the map, in the picture
WIDE_FROM = 2.0
BLOCKED = 0.45  # steps, to the edge of a hex
BEYOND = 1.2 * HEX  # how far off the map a shell is seen


@dataclass(frozen=True, slots=True)
class Trace:
    """What there is to draw of a turn."""

    position: SkyportPosition
    growth: float
    """How much larger than suits the hexes things are, so that they can be seen."""

    @property
    def seat(self) -> int | None:
        """Whose turn it is or was."""
        return last_actor(self.position)

    @property
    def moment(self) -> Moment:
        """What is happening; of a position that is no stage, all has happened."""
        return self.position.moment or OVER

    @property
    def shot(self) -> Deed | None:
        """The shot of the turn, which is its only one."""
        return next((deed for deed in self.position.deeds if is_shot(deed)), None)

    @property
    def is_flying(self) -> bool:
        return self.moment.phase is Phase.FLIGHT

    @property
    def wide(self) -> str:
        """The word in the roles of lines that have to be wide."""
        return " wide" if self.growth > WIDE_FROM else ""


@dataclass(frozen=True, slots=True)
class Arc:
    """The way of a shell through the air, between two places of the picture."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def lift(self) -> float:
        """How far above the straight line the shell would go without coming down."""
        return HEX + 0.35 * sum(abs(b - a) for a, b in zip(self.start, self.end, strict=True))

    @property
    def halfway(self) -> tuple[float, float]:
        """The middle of the straight line."""
        return (self.start[0] + self.end[0]) / 2, (self.start[1] + self.end[1]) / 2

    @property
    def top(self) -> tuple[float, float]:
        """Where the shell is halfway."""
        x, y = self.halfway
        return x, y - self.lift / 2

    @property
    def path(self) -> str:
        """The arc as path data."""
        (x, y), (mid_x, mid_y), (to_x, to_y) = self.start, self.halfway, self.end
        return f"M{x:.1f} {y:.1f}Q{mid_x:.1f} {mid_y - self.lift:.1f} {to_x:.1f} {to_y:.1f}"


# --- below the robots -----------------------------------------------------------------------------


def draw_trace(trace: Trace) -> Iterator[Shape]:
    """The way of the robot, and its shot."""
    if trace.seat is None:
        return
    yield from _trail(trace, trace.seat)
    shot = trace.shot
    if shot is not None and shot.origin is not None:
        is_bold = trace.moment.phase in (Phase.FLIGHT, Phase.HIT)
        parts = tuple(_shot(trace, shot, shot.origin))
        yield Group("shot", "now" if is_bold else "past", parts=parts)


def _trail(trace: Trace, seat: int) -> Iterator[Shape]:
    """Dots along the moves of the turn."""
    places = [trace.position.robots[seat].place]
    for deed in reversed(trace.position.deeds):
        if deed.refusal is None and deed.action.kind == board.MOVE:
            j, k = board.STEPS[deed.action.steps[0]]
            places.append((places[-1][0] - j, places[-1][1] - k))
    if len(places) > 1:
        d = line_through(places)
        yield Path("trail-case", f"trail-case{trace.wide}", d=d)
        yield Path("trail", f"trail {PLAYER_THEMES[seat].role}{trace.wide}", d=d)


def line_through(places: Sequence[Place]) -> str:
    """A line through the middles of hexes, as path data."""
    return "M" + "L".join("{:.1f} {:.1f}".format(*middle(place)) for place in places)


def _shot(trace: Trace, shot: Deed, origin: Place) -> Iterator[Shape]:
    if shot.action.kind == board.LASER:
        yield from _beam(trace, shot, origin)
    elif shot.action.kind == board.MORTAR:
        yield from _mortar(trace, shot, origin)
    else:
        yield from _droid(trace, shot, origin)
    if not trace.is_flying:
        yield from _sparks(trace, shot)


def _beam(trace: Trace, shot: Deed, origin: Place) -> Iterator[Shape]:
    """A ray; one that is blocked at once reaches the edge of its hex."""
    x, y = middle(origin)
    dx, dy = middle(board.STEPS[shot.action.steps[0]])
    length = shot.walked or BLOCKED
    d = f"M{x:.1f} {y:.1f}l{dx * length:.1f} {dy * length:.1f}"
    for role in ("beam-case", "beam", "beam-core"):
        yield Path(role, f"{role}{trace.wide}", d=d)


def _mortar(trace: Trace, shot: Deed, origin: Place) -> Iterator[Shape]:
    """The arc of a shell, and the explosion at its end."""
    arc = find_arc(trace, shot, origin)
    lost = is_lost(trace.position, shot)
    if shot.target is not None and not lost and not trace.is_flying:
        yield from _explosion(trace, shot.target)
    yield from _way(trace, arc.path)
    if lost and not trace.is_flying:
        yield Stamp("lost", "lost", *arc.end, glyph="lost", scale=trace.growth)


def find_arc(trace: Trace, shot: Deed, origin: Place) -> Arc:
    """How a shell flies; a target far off the map is drawn nearer."""
    offset = shot.action.offset
    x, y = middle((origin[0] + offset[0], origin[1] + offset[1]))
    last = trace.position.map.side - 1
    across, down = middle((0, last))[0] + BEYOND, middle((last, last))[1] + BEYOND
    return Arc(middle(origin), (max(-across, min(across, x)), max(-BEYOND, min(down, y))))


def _droid(trace: Trace, shot: Deed, origin: Place) -> Iterator[Shape]:
    """The way of a droid up to where it is, and the explosion at its end."""
    places = droid_way(trace, shot, origin)
    if not trace.is_flying:
        yield from _explosion(trace, places[-1])
    if len(places) > 1:
        yield from _way(trace, line_through(places))


def droid_way(trace: Trace, shot: Deed, origin: Place) -> list[Place]:
    """The hexes where a droid has been up to now."""
    places = [origin]
    for step in shot.action.steps[: trace.moment.walked if trace.is_flying else shot.walked]:
        j, k = board.STEPS[step]
        places.append((places[-1][0] + j, places[-1][1] + k))
    return places


def _way(trace: Trace, d: str) -> Iterator[Shape]:
    yield Path("way-case", f"way-case{trace.wide}", d=d)
    yield Path("way", f"way{trace.wide}", d=d)


def _explosion(trace: Trace, target: Place) -> Iterator[Shape]:
    """R11: the hex that is hit, and its neighbours."""
    side = range(trace.position.map.side)
    for number, (j, k) in enumerate(board.STEPS):
        place = target[0] + j, target[1] + k
        if place[0] in side and place[1] in side:
            yield Hex(f"area-{number}", "area", *middle(place), size=HEX - 1, flat=True)
    yield Stamp("blast", "blast", *middle(target), glyph="blast")


def _sparks(trace: Trace, shot: Deed) -> Iterator[Shape]:
    """Behind every robot that was hit; one that is back on the spawn already was hit elsewhere."""
    for hit in shot.hits:
        place = trace.position.robots[hit.seat].place
        if place != trace.position.map.spawns[hit.seat]:
            x, y = middle(place)
            yield Stamp(f"spark-{hit.seat}", "spark", x, y, glyph="spark", scale=trace.growth)


# --- above the robots -----------------------------------------------------------------------------


def draw_flying(trace: Trace) -> Iterator[Shape]:
    """A shell or a droid that is under way."""
    shot = trace.shot
    if shot is None or shot.origin is None or not trace.is_flying:
        return
    if shot.action.kind == board.MORTAR:
        x, y = find_arc(trace, shot, shot.origin).top
        yield Stamp("shell", "shell", x, y, glyph="shell", scale=1.2 * trace.growth)
    elif shot.action.kind == board.DROID:
        x, y = middle(droid_way(trace, shot, shot.origin)[-1])
        yield Stamp("droid", "droid", x, y, glyph="droid", scale=1.3 * trace.growth)


def draw_pops(trace: Trace, scale: float) -> Iterator[Shape]:
    """What happens to robots, in a word above each; `scale` is that of the map."""
    size = max(POP, SMALLEST_POP / scale)
    for seat, text in _words(trace).items():
        x, y = middle(trace.position.robots[seat].place)
        lift = 0.62 * HEX * trace.growth + 0.5 * size
        yield Label(f"pop-{seat}", "pop", x, y - lift, text=text, size=size)


def _words(trace: Trace) -> dict[int, str]:
    """By seat: the health that it lost, or what its last action brought."""
    shot, robots = trace.shot, trace.position.robots
    if shot is not None:
        spawns = trace.position.map.spawns
        seen = [hit for hit in shot.hits if robots[hit.seat].place != spawns[hit.seat]]
        return {} if trace.is_flying else {hit.seat: f"-{hit.lost}" for hit in seen}
    if trace.seat is None or trace.moment.phase is not Phase.DONE:
        return {}
    deed = trace.position.deeds[-1]
    if deed.refusal is not None:
        return {trace.seat: "refused"}
    if deed.action.kind == board.MINE:
        return {trace.seat: "+1"}
    if deed.action.kind == board.UPGRADE:
        weapon = deed.action.weapon
        return {trace.seat: f"{WEAPONS[weapon]} {robots[trace.seat].levels[weapon]}"}
    return {}
