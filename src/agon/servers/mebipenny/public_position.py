"""A position for spectators of a game under way: no hand is in the picture.

A player could be among them. So whichever seat's view is asked for, the observer's is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.mebipenny.position import MebiPennyPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import JsonObject
    from agon.games.mebipenny.move import Move
    from agon.games.scene import Scene

OBSERVER = -1
"""In place of a seat: has no hand, and does not see those of others."""


class PublicPosition(MebiPennyPosition):
    """The same position; its pictures and descriptions show only what is public."""

    def __init__(self, position: MebiPennyPosition) -> None:
        self.__dict__.update(position.__dict__)

    def legal_moves(self, seat: int) -> Sequence[Move]:
        """None: they would tell the hand."""
        return ()

    def observe(self, seat: int | None) -> JsonObject:
        """The board, and how many tiles each player has."""
        return super().observe(OBSERVER)

    def scene(self, seat: int | None, names: Sequence[str] = ()) -> Scene:
        return super().scene(OBSERVER, names)


def public_view(position: MebiPennyPosition) -> MebiPennyPosition:
    """What can be shown to all: everything when the game is over."""
    return position if position.outcome is not None else PublicPosition(position)
