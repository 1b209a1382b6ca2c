"""Documents as the first site and its seed have them."""

from __future__ import annotations

import json
from typing import Any

SEGMENTS = [["a1", "a2", "b1", "b2", "b3", "c2"], ["c3", "d4", "d5", "c4", "c5"]]
"""The board of the seed's text."""
PLAYERS: list[dict[str, Any]] = [
    {"name": "John", "color": "red", "stacks": {"a1": 1, "a2": 0, "b1": -2}},
    {"name": "Mary", "color": "Blue", "stacks": {"c3": 2, "d4": 2}},
]
HEAD: dict[str, Any] = {"format": "Atlantis transcript", "version": "1.0", "segments": SEGMENTS}

BARE_BOARD = json.dumps(HEAD)
"""A starting board without players, as the seed allows."""
NO_TURNS = json.dumps(HEAD | {"players": PLAYERS})
SAVED = json.dumps(
    HEAD
    | {"format": "Atlantis transscript", "players": PLAYERS}
    | {"turns": [[["a1", "b2"]], [["d4", "c4"]], []]}
)
"""A file of the first site: its name of the format, and turns without events."""
