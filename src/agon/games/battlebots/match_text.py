"""A match as text: the log, which is the state after every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.battlebots.game import BattlebotsOptions
from agon.games.battlebots.layout import Layout
from agon.games.battlebots.mapfile import format_log, parse_log
from agon.games.battlebots.position import BattlebotsPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position


def parse_match(text: str) -> list[BattlebotsPosition]:
    """A log: the states from step 0 on."""
    fields = parse_log(text)
    try:
        layout = Layout(fields[0])
    except SettingError as error:
        raise NotationError(f"step 0: {error}") from None
    return list(BattlebotsPosition.replay(BattlebotsOptions(), layout, fields))


def format_match(positions: Sequence[Position[Any]]) -> str:
    """The log."""
    return format_log([BattlebotsPosition.of(position).field for position in positions])
