"""What the server sees of its clients; all of it happens in the event loop."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sized


@dataclass
class Traffic:
    """Connections that are open now, and answers since the start."""

    connections: Sized = ()
    answers: Counter[int] = field(default_factory=Counter)
    """By the first digit of the status."""
