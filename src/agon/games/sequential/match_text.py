"""A match of a small game as text: options, seats and seed, then the moves, by semicolons.

rows=6 cols=7 seats=2 seed=0;d;d;c
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from agon.errors import AgonError, NotationError, SettingError
from agon.games.sequential.position import SequentialPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Options, Position
    from agon.games.sequential.game import SequentialGame

HEAD = re.compile(r"(?:[a-z_]+=[^ ;=]* )*seats=[0-9]{1,2} seed=-?[0-9]{1,20}", re.ASCII)


def format_options(options: Options) -> list[str]:
    """The options as `name=value` words."""
    words = []
    for field in fields(options):
        value = getattr(options, field.name)
        text = ("off", "on")[value] if isinstance(value, bool) else str(value)
        words.append(f"{field.name}={text}")
    return words


def format_match(positions: Sequence[Position[Any]]) -> str:
    last = SequentialPosition.of(positions[-1])
    words = [word for word in format_options(last.options) if not word.startswith("seats=")]
    return ";".join([" ".join([*words, f"seats={last.seats}", f"seed={last.seed}"]), *last.history])


def parse_match(game: SequentialGame, text: str) -> list[SequentialPosition]:
    head, *moves = text.split(";")
    if not HEAD.fullmatch(head):
        raise NotationError(
            f"match {head[:80]!r}: expected OPTION=VALUE … seats=NUMBER seed=NUMBER"
        )
    given = dict(word.split("=") for word in head.split(" "))
    seats, seed = int(given.pop("seats")), int(given.pop("seed"))
    try:
        positions = [game.start(game.parse_options(given, seats), seed, seats)]
    except SettingError as error:
        raise NotationError(f"match {head[:80]!r}: {error}") from None
    for number, move in enumerate(moves, 1):
        last = positions[-1]
        if last.outcome:
            raise NotationError(f"move {number} of the match: it is over: {last.outcome.reason}")
        try:
            turn = last.parse_turn(last.next_seat, move)
        except AgonError as error:
            raise type(error)(f"move {number} of the match: {error}") from None
        positions.append(last.play({last.next_seat: turn}))
    return positions
