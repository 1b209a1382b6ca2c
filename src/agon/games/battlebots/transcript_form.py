"""Transcripts of Battlebots: the common form, in which orders of 0 soldiers are passed over.

The first arbiter took such orders, so matches that are put down after its contests may have them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from agon.games.transcript_form import TranscriptForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.games.game import Game

NO_SOLDIERS = re.compile("[^ ]+ [^ ]+ 0{1,9}")
QUOTED = 60


class BattlebotsForm(TranscriptForm):
    """Reads what its position would refuse: an order of 0 soldiers, which does nothing."""

    def amend(self, game: Game, top: dict[str, Any]) -> list[str]:
        """Leave such orders out, and note each."""
        events = top.get("events")
        if top.get("format") != f"{game.title} transcript" or not isinstance(events, list):
            return []
        return [note for number, event in enumerate(events) for note in _leave_out(number, event)]


def _leave_out(number: int, event: Any) -> Iterator[str]:
    turns = event.get("turns") if isinstance(event, dict) else None
    if not isinstance(turns, dict):
        return
    for seat, text in turns.items():
        if not isinstance(text, str) or " 0" not in text:
            continue
        orders = text.split(", ")
        empty = [order for order in orders if NO_SOLDIERS.fullmatch(order)]
        if empty:
            turns[seat] = ", ".join(order for order in orders if order not in empty) or "pass"
        for order in empty:
            yield f"events[{number}].turns.{seat}: order {order[:QUOTED]!r} does nothing"
