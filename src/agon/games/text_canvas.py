"""A drawing made of characters, for boards in a terminal: grows in every direction."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(slots=True)
class TextCanvas:
    """Characters with styles at (column, line); later ones replace earlier ones."""

    marks: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def write(self, column: int, line: int, text: str, style: str) -> None:
        """Put the text there, from left to right; spaces leave what is below them."""
        for place, character in enumerate(text):
            if character != " ":
                self.marks[column + place, line] = (character, style)

    @property
    def width(self) -> int:
        """How many columns it takes."""
        columns = [column for column, _ in self.marks]
        return max(columns) - min(columns) + 1

    def lines(self) -> Iterator[list[tuple[str, str]]]:
        """The lines from top to bottom, each from the leftmost column of all to its own end."""
        left = min(column for column, _ in self.marks)
        ends: dict[int, int] = {}
        for column, line in self.marks:
            ends[line] = max(column, ends.get(line, column))
        for line in range(min(ends), max(ends) + 1):
            columns = range(left, ends.get(line, left - 1) + 1)
            yield [self.marks.get((column, line), (" ", "")) for column in columns]
