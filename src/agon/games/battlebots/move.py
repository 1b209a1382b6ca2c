"""What a seat submits: orders, each of which is a move."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Order(NamedTuple):
    """So many soldiers leave one fort for another."""

    origin: str
    target: str
    soldiers: int


Turn: TypeAlias = tuple[Order, ...]
PASS = Order("", "", 0)
"""Among the moves of a seat: it need not send soldiers. A turn in which it does not is empty."""
