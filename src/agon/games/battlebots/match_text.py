"""A match as text: the log, which is the state after every step."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.battlebots.field import find_crossings, tell_crossing
from agon.games.battlebots.game import MOST_TURNS, BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.mapfile import format_log, parse_states
from agon.games.battlebots.position import BattlebotsPosition
from agon.games.match_log import MOST_NOTES, MatchLog, limit_notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position


def parse_match(text: str) -> list[BattlebotsPosition]:
    """A log: the states from step 0 on; or a map, which is that of step 0."""
    return _read(text)[0]


def parse_log(text: str) -> MatchLog:
    """The same, with the players' names and what was odd about the text."""
    positions, notes = _read(text)
    return MatchLog(tuple(positions), positions[0].players, notes)


def _read(text: str) -> tuple[list[BattlebotsPosition], tuple[str, ...]]:
    fields, notes = parse_states(text)
    usual = BattlebotsOptions()
    has_more = len(fields) - 1 > usual.turn_limit  # than a match with the usual limit
    options = replace(usual, turn_limit=MOST_TURNS) if has_more else usual
    try:
        layout = Layout(fields[0])
    except SettingError as error:
        raise NotationError(f"step 0: {error}") from None
    crossings = islice(find_crossings(layout.field), MOST_NOTES)
    told = (tell_crossing(layout.field, pair) for pair in crossings)
    positions = list(BattlebotsPosition.replay(options, layout, fields))
    return positions, (*told, *limit_notes(notes))


def format_match(positions: Sequence[Position[Any]]) -> str:
    return format_log([BattlebotsPosition.of(position).field for position in positions])
