"""The options `order` and `loadouts`: what is given and not left to chance or to the seats.

order     2 0 1                           the seats in the order of their turns
loadouts  laser mortar | droid laser      the weapons of seat 0, of seat 1 ...
"""

from __future__ import annotations

from functools import lru_cache

from agon.errors import AgonError, SettingError
from agon.games.skyport.board import MAX_SEATS
from agon.games.skyport.move import Loadout
from agon.games.skyport.notation import parse_turn


@lru_cache(64)
def parse_order(text: str) -> tuple[int, ...]:
    """R6: the seats in the order of their turns.

    >>> parse_order("2 0 1")
    (2, 0, 1)
    """
    words = text.split()
    if sorted(words) != [str(seat) for seat in range(len(words))] or not 2 <= len(words) <= (
        MAX_SEATS
    ):
        raise SettingError(f"order {text[:40]!r}: expected every seat once, such as 1 0 2")
    return tuple(map(int, words))


@lru_cache(64)
def parse_loadouts(text: str) -> tuple[Loadout, ...]:
    """R5: the two weapons of each seat."""
    loadouts = []
    for seat, weapons in enumerate(text.split("|")):
        try:
            loadout = parse_turn(f"loadout {weapons.strip()}")
        except AgonError as error:
            raise SettingError(f"loadouts, of seat {seat}: {error}") from None
        assert isinstance(loadout, Loadout)  # noqa: S101  by its first word
        loadouts.append(loadout)
    if not 2 <= len(loadouts) <= MAX_SEATS:
        raise SettingError(f"loadouts {text[:40]!r}: expected those of 2 to {MAX_SEATS} seats")
    return tuple(loadouts)
