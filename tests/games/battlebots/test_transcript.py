"""Transcripts with orders of 0 soldiers, as the first arbiter took them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agon.errors import IllegalMoveError
from agon.games.battlebots.game import GAME
from agon.match.transcript import format_transcript, parse_transcript, played_positions, verify
from tests.games.battlebots.situation import map_text

FIELD = map_text("a 0 0 ann 20, b 9 0 bob 10, c 0 9 neutral 0", "a b, a c")


def document(*turns: str) -> str:
    """A match in which bob passes."""
    data: dict[str, Any] = {
        "format": "Battlebots transcript",
        "version": "1.0",
        "options": {"field": FIELD},
        "players": [{"name": "ann"}, {"name": "bob"}],
        "events": [{"type": "turn", "turns": {"0": turn, "1": "pass"}} for turn in turns],
    }
    return json.dumps(data)


def test_an_order_of_no_soldiers_does_nothing_and_is_noted() -> None:
    odd = parse_transcript(document("a b 0, a c 3", "a b 00", "a c 10"))
    plain = parse_transcript(document("a c 3", "pass", "a c 10"))
    assert odd == plain
    assert odd.notes == (
        "events[0].turns.0: order 'a b 0' does nothing",
        "events[1].turns.0: order 'a b 00' does nothing",
    )
    assert plain.notes == ()
    assert verify(odd) is None
    assert [p.observe(None) for p in played_positions(odd)] == [
        p.observe(None) for p in played_positions(plain)
    ]
    assert parse_transcript(format_transcript(odd)) == plain


def test_play_stays_strict() -> None:
    start = GAME.start(GAME.options(field=FIELD))
    with pytest.raises(IllegalMoveError, match="expected at least 1 soldier"):
        start.parse_turn(0, "a b 0")
