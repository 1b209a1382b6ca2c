"""How a person puts a turn together by clicking, in every game.

The page remembers the ids of the things that were clicked so far, the picks, and asks again after
each: what is there to click next, what does the board look like with this, and is it a whole turn
yet? Nothing else is kept between two clicks, so to take back is to ask with fewer picks.

A game describes a turn in the making as a `Draft`; `take_step` leads through it. Two words are
agreed upon between the games and their looks: a shape that may be clicked has the word `choice` in
its role, one that shows a pick the word `picked`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from agon.errors import IllegalMoveError, SettingError
from agon.games.shapes import Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.games.game import Position
    from agon.games.scene import Scene
    from agon.games.shapes import Shape

CHOICE_STYLES = (
    Style("choice", fill=("#c2188b38", "#ff7ad94d"), line=("#c2188b", "#ff8ade"), width=3.5),
    Style("choice piece", fill=("#c2188b14", "#ff7ad91f")),
    Style("picked", fill=("#1b1b1b1a", "#ffffff1f"), line=("#1b1b1b", "#ffffff"), width=4.5),
)
"""How choices and picks are painted, in a colour of no player; `piece`: what lies there shows."""

LONGEST_QUOTE = 40
MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that may be clicked: its id, and words for buttons and screen readers."""

    id: str
    label: str


@dataclass(frozen=True, slots=True)
class Step:
    """Where the picks so far have led."""

    prompt: str
    """What to do now, in a sentence."""
    choices: tuple[Choice, ...]
    """Shapes of the scene that may be clicked."""
    buttons: tuple[Choice, ...]
    """What else may be picked: things that have no place on the board."""
    turn: str | None
    """The turn that the picks make, in the game's notation, if it may be sent as it is."""
    scene: Scene
    """The board as the seat sees it, with the picks shown and, where it can be, carried out."""
    pick_words: tuple[str, ...]
    """The picks in words, one line for each."""


class Clicks(Protocol):
    """A game's own way: position, seat and the picks so far give the next step."""

    def __call__(
        self, position: Position[Any], seat: int, picks: Sequence[str], names: Sequence[str] = ()
    ) -> Step:
        """Where the picks lead; with the players' names, if they are known."""


class Draft(ABC):
    """A turn in the making. Drafts are values: a pick leads to another one."""

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What to do now, in a sentence."""

    @abstractmethod
    def choices(self) -> Sequence[Choice]:
        """The shapes of the scene that may be clicked."""

    @abstractmethod
    def buttons(self) -> Sequence[Choice]:
        """What else may be picked."""

    @abstractmethod
    def pick(self, choice: str) -> tuple[Draft, str]:
        """The draft after one of the choices or buttons was picked, and that pick in words."""

    @abstractmethod
    def turn(self) -> str | None:
        """The turn as text, if this is one that may be sent."""

    @abstractmethod
    def scene(self) -> Scene:
        """The board with the picks so far, and with a shape for each choice."""


def take_step(draft: Draft, picks: Sequence[str]) -> Step:
    """Where these picks lead from an empty draft; refuses a pick that was not offered."""
    pick_words: list[str] = []
    for pick in picks:
        offered = [choice.id for choice in (*draft.choices(), *draft.buttons())]
        if pick not in offered:
            raise IllegalMoveError(
                f"pick {pick[:LONGEST_QUOTE]!r} after {len(pick_words)} others: "
                f"expected {_some_of(offered)}"
            )
        draft, words = draft.pick(pick)
        pick_words.append(words)
    return Step(
        prompt=draft.prompt,
        choices=tuple(draft.choices()),
        buttons=tuple(draft.buttons()),
        turn=draft.turn(),
        scene=draft.scene(),
        pick_words=tuple(pick_words),
    )


def check_seat(position: Position[Any], seat: int) -> None:
    """Refuse a seat that owes no turn."""
    if seat not in position.to_act:
        owing = ", ".join(map(str, position.to_act)) or "none: the match is over"
        raise SettingError(f"seat {seat}: the seats to act are {owing}")


def overlay(scene: Scene, shapes: Iterable[Shape]) -> Scene:
    """The scene with these shapes in front of all others."""
    return replace(scene, shapes=(*scene.shapes, *shapes))


def _some_of(offered: Sequence[str]) -> str:
    if not offered:
        return "nothing more: the turn is whole"
    more = len(offered) - MOST_NAMED
    named = ", ".join(offered[:MOST_NAMED])
    return f"one of {named} and {more} more" if more > 0 else f"one of {named}"
