"""Drawings inside pages, made here: intervals as bars, rating histories as lines with bands.

They carry classes and no styles. What they show stands beside them in words or in a table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.ranker.table import Rated
    from agon.website.ranking.rating_history import Point, RatingHistory

BAR_WIDTH, BAR_HEIGHT = 180, 18
WIDEST = 350.0
"""An interval that is wider, to either side, is cut off: others could not be told apart."""

WIDTH, HEIGHT = 760, 320
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 14, 40
LABEL_GAP = 17
LONGEST_LABEL = 19
TICKS = 6
FEW_LINES = 2
"""In a plot with more lines than this, bands are fainter."""
MINUS = "\N{MINUS SIGN}"
TABLE_ROWS = 8


@dataclass(frozen=True, slots=True)
class Scale:
    """From numbers between two ends to places between two others."""

    low: float
    high: float
    first: float
    last: float

    def place(self, value: float) -> float:
        """Where a number is; one beyond an end is at that end.

        >>> Scale(0, 10, 100, 200).place(5), Scale(0, 10, 100, 200).place(99)
        (150.0, 200.0)
        """
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.first + share * (self.last - self.first), 1)

    def ticks(self, most: int = TICKS) -> list[int]:
        """Round numbers between the ends.

        >>> Scale(-130, 260, 0, 1).ticks(), Scale(1, 3, 0, 1).ticks()
        ([-100, 0, 100, 200], [1, 2, 3])
        """
        rough = max(1.0, (self.high - self.low) / most)
        power = 10 ** math.floor(math.log10(rough))
        step = next(int(n * power) for n in (1, 2, 5, 10) if n * power >= rough)
        first = math.ceil(self.low / step)
        return [n * step for n in range(first, math.floor(self.high / step) + 1)]


def bar_scale(rows: Iterable[Rated]) -> Scale:
    """One scale for the bars of a table, so that they can be compared."""
    shown = [(max(r.low, r.rating - WIDEST), min(r.high, r.rating + WIDEST)) for r in rows]
    low = min((low for low, _ in shown), default=-1.0)
    high = max((high for _, high in shown), default=1.0)
    margin = max(1.0, (high - low) * 0.03)
    return Scale(low - margin, high + margin, 1, BAR_WIDTH - 1)


def draw_bar(row: Rated, scale: Scale) -> Markup:
    """A rating as a dot on its interval, and where 0 is."""
    low, high, at = scale.place(row.low), scale.place(row.high), scale.place(row.rating)
    middle = BAR_HEIGHT / 2
    parts = []
    if scale.low < 0 < scale.high:
        zero = scale.place(0)
        parts.append(f'<line class="zero" x1="{zero}" y1="0" x2="{zero}" y2="{BAR_HEIGHT}"/>')
    parts.append(f'<line class="span" x1="{low}" y1="{middle}" x2="{high}" y2="{middle}"/>')
    for end, is_whole in ((low, row.low >= scale.low), (high, row.high <= scale.high)):
        if is_whole:
            parts.append(f'<line class="span" x1="{end}" y1="5" x2="{end}" y2="{BAR_HEIGHT - 5}"/>')
    parts.append(f'<circle cx="{at}" cy="{middle}" r="4"/>')
    return _svg("bar", BAR_WIDTH, BAR_HEIGHT, "".join(parts))


def draw_history(histories: Sequence[RatingHistory], titles: Sequence[str]) -> Markup:
    """Ratings match by match; the words beside the lines say whose they are.

    Every history has a point or more.
    """
    points = [point for history in histories for point in history.points]
    if not points:
        return Markup("")
    across, up = _axes(points)
    parts = [_grid(across, up)]
    parts.extend(_band(number, one.points, across, up) for number, one in enumerate(histories))
    parts.extend(_line(number, one.points, across, up) for number, one in enumerate(histories))
    parts.append(_labels(histories, titles, up))
    kind = "history" if len(histories) <= FEW_LINES else "history many"
    return _svg(kind, WIDTH, HEIGHT, "".join(parts))


def table_moments(histories: Sequence[RatingHistory]) -> list[int]:
    """At which matches of the arena a table tells what the lines show."""
    numbers = sorted({point.match_id for history in histories for point in history.points})
    if len(numbers) <= TABLE_ROWS:
        return numbers
    return [numbers[n * (len(numbers) - 1) // (TABLE_ROWS - 1)] for n in range(TABLE_ROWS)]


def _svg(name: str, width: int, height: int, inside: str) -> Markup:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return Markup(f'<svg class="{name}" {size} aria-hidden="true">{inside}</svg>')  # noqa: S704


def _axes(points: Sequence[Point]) -> tuple[Scale, Scale]:
    """Matches from left to right, ratings from below; wide bands at the beginning are cut off."""
    first, last = min(p.match_id for p in points), max(p.match_id for p in points)
    low = min(min(p.elo for p in points), points[-1].elo - points[-1].error)
    high = max(max(p.elo for p in points), points[-1].elo + points[-1].error)
    margin = max(20.0, (high - low) * 0.08)
    across = Scale(first, max(last, first + 1), LEFT, WIDTH - RIGHT)
    return across, Scale(low - margin, high + margin, HEIGHT - BOTTOM, TOP)


def _grid(across: Scale, up: Scale) -> str:
    parts = []
    for tick in up.ticks():
        y = up.place(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}"/>')
        parts.append(
            f'<text class="end" x="{LEFT - 8}" y="{y + 4}">{str(tick).replace("-", MINUS)}</text>'
        )
    for tick in across.ticks():
        x = across.place(tick)
        parts.append(f'<text class="mid" x="{x}" y="{HEIGHT - BOTTOM + 18}">{tick}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text class="mid" x="{middle}" y="{HEIGHT - 4}">match of the arena</text>')
    return "".join(parts)


def _band(number: int, points: Sequence[Point], across: Scale, up: Scale) -> str:
    above = [f"{across.place(p.match_id)},{up.place(p.elo + p.error)}" for p in points]
    below = [f"{across.place(p.match_id)},{up.place(p.elo - p.error)}" for p in points]
    return f'<polygon class="line-{number}" points="{" ".join(above + below[::-1])}"/>'


def _line(number: int, points: Sequence[Point], across: Scale, up: Scale) -> str:
    line = [f"{across.place(p.match_id)},{up.place(p.elo)}" for p in points]
    x, y = across.place(points[-1].match_id), up.place(points[-1].elo)
    return (
        f'<g class="line-{number}"><polyline points="{" ".join(line)}"/>'
        f'<circle cx="{x}" cy="{y}" r="3.5"/></g>'
    )


def _labels(histories: Sequence[RatingHistory], titles: Sequence[str], up: Scale) -> str:
    """The names at the right, near the ends of their lines, and none over another."""
    wanted = sorted((up.place(one.points[-1].elo), number) for number, one in enumerate(histories))
    heights: list[float] = []
    for height, _ in wanted:
        heights.append(max(height, heights[-1] + LABEL_GAP) if heights else height)
    excess = max(0.0, heights[-1] - (HEIGHT - BOTTOM))
    for place in range(len(heights) - 1, -1, -1):  # the lowest had no room: move up those above
        limit = heights[place + 1] - LABEL_GAP if place + 1 < len(heights) else heights[-1] - excess
        heights[place] = min(heights[place], limit)
    return "".join(
        f'<text class="name line-{number}" x="{WIDTH - RIGHT + 10}" y="{round(y + 4, 1)}">'
        f"{escape(_short(titles[number]))}</text>"
        for y, (_, number) in zip(heights, wanted, strict=True)
    )


def _short(title: str) -> str:
    return title if len(title) <= LONGEST_LABEL else title[: LONGEST_LABEL - 1] + "…"
