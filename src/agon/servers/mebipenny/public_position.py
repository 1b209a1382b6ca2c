"""A position for people who watch a game under way: nobody's hand is in the picture.

A player could be among them. So whichever seat's view they ask for, they get the observer's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.mebipenny.position import MebiPennyPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import JsonObject
    from agon.games.mebipenny.position import Move
    from agon.games.scene import Scene

NOBODY = -1
"""In place of a seat: has no hand of its own, and does not see those of others."""


class PublicPosition(MebiPennyPosition):
    """The same position; its pictures and descriptions show what everybody knows."""

    def __init__(self, position: MebiPennyPosition) -> None:
        """Shares everything with the position."""
        self.__dict__.update(position.__dict__)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """They would tell the hand."""
        return ()

    def observe(self, seat: int | None) -> JsonObject:
        """The board, and how many tiles everybody has."""
        return super().observe(NOBODY)

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        """The picture of that."""
        return super().scene(NOBODY, names)


def public_view(position: MebiPennyPosition) -> MebiPennyPosition:
    """What can be shown to everybody: all of it when the game is over."""
    return position if position.outcome is not None else PublicPosition(position)
