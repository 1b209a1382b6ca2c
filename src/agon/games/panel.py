"""What stands beside a board in pictures: a row for each player, and the key; and the headline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agon.games.players import isolate
from agon.games.reasons import note_failure
from agon.games.shapes import Anchor, Box, Group, Label
from agon.games.text_fit import fit_label, text_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from agon.games.game import Outcome
    from agon.games.players import Players
    from agon.games.shapes import Shape

WIDTH = 236
LEFT = 744
"""In a picture that is 1000 wide."""
BETWEEN = 8
"""At the least, between a name and the number at the end of its row."""


class ShownPosition(Protocol):
    """Of a position, what the words beside the board are about."""

    @property
    def turn(self) -> int: ...
    @property
    def to_act(self) -> tuple[int, ...]: ...
    @property
    def outcome(self) -> Outcome | None: ...


def headline(position: ShownPosition, players: Players) -> str:
    """How many turns were played and who is to move, or how the match ended."""
    if position.outcome is not None:
        return players.tell(position.outcome)
    return f"Turn {position.turn}: {players.full(position.to_act[0])} to move"


def verdict(
    position: ShownPosition, seat: int, faults: Mapping[int, str], word: str = "out"
) -> str:
    """How it ended for a seat, or how it failed."""
    if position.outcome is not None and position.outcome.winner == seat:
        return "winner"
    return note_failure(faults[seat], word) if seat in faults else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRows:
    """The rows of a panel, from seat 0 down: their size, and where name and number are in them."""

    left: float = LEFT
    top: float
    height: float
    gap: float
    inset: float
    """From the right, to what ends there."""
    name: tuple[float, float, float]
    """x, y and size."""
    count: tuple[float, float] = (0, 0)
    """y and size."""

    def draw(
        self,
        seat: int,
        name: str,
        count: str = "",
        *,
        state: str = "",
        emblem: Iterable[Shape],
        parts: Iterable[Shape],
        tip: str,
        unit: str = "points",
    ) -> Group:
        """The row of a seat: its emblem, name and number, then other parts.

        `state` is a word for the role of the ground, such as `active`; `unit` is the number's role.
        """
        x, y, size = self.name
        count_y, count_size = self.count
        end = WIDTH - self.inset
        room = end - x - BETWEEN - text_width(count, count_size)
        ground = f"row {state}" if state else "row"
        shapes: list[Shape] = [
            Box("", ground, WIDTH / 2, self.height / 2, width=WIDTH, height=self.height, corner=12),
            *emblem,
            fit_label("", "player", x, y, text=isolate(name), size=size, room=room),
        ]
        if count:
            shapes.append(
                Label("", unit, end, count_y, text=count, size=count_size, anchor=Anchor.END)
            )
        top = self.top + seat * (self.height + self.gap)
        shapes += parts
        return Group(f"player-{seat}", "player-row", self.left, top, parts=tuple(shapes), tip=tip)

    def draw_unit(self, text: str, above: float) -> Label:
        """What the numbers at the ends of the rows count, so far above the first."""
        x, y = self.left + WIDTH - self.inset, self.top - above
        return Label("unit", "note", x, y, text=text, size=13, anchor=Anchor.END)


def draw_key(
    id_: str,
    x: float,
    y: float,
    caption: str,
    parts: tuple[Shape, ...],
    *,
    scale: float = 1,
    below: float,
    size: float = 12,
) -> tuple[Group, Label]:
    """A part of the key: a small picture, and so far below it what it stands for."""
    return (
        Group(f"key-{id_}", "key", x, y, scale=scale, parts=parts),
        Label(f"caption-{id_}", "note", x, y + below, text=caption, size=size),
    )
