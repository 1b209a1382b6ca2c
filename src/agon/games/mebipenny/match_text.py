"""A match as text: options, seed and turns in a line, joined by semicolons."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from agon.errors import AgonError, NotationError, SettingError
from agon.games.game import parse_options
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.notation import format_move, parse_move
from agon.games.mebipenny.position import MebiPennyPosition

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.game import Position

MATCH_HEAD = re.compile(
    r"rows=([0-9]{1,4}) cols=([0-9]{1,4}) seats=([0-9]) seed_coverage=([0-9.]+)"
    r"(?: deal=\"([^\"]*)\")? seed=(-?[0-9]{1,20})",
    re.ASCII,
)


def format_match(given: Sequence[Position[Any]]) -> str:
    """Options, seed and turns, joined by semicolons."""
    positions = [MebiPennyPosition.of(position) for position in given]
    first = positions[0]
    options = first.options
    deal = f' deal="{options.deal}"' if options.deal else ""
    head = (
        f"rows={options.rows} cols={options.cols} seats={first.seats}"
        f" seed_coverage={options.seed_coverage}{deal} seed={first.seed}"
    )
    turns = [
        format_move(before, after.move)
        for before, after in pairwise(positions)
        if after.move is not None
    ]
    return ";".join([head, *turns])


def parse_match(text: str) -> list[MebiPennyPosition]:
    head, *turns = text.split(";")
    found = MATCH_HEAD.fullmatch(head)
    if found is None:
        raise NotationError(
            f"match {head[:80]!r}: expected"
            " rows=NUMBER cols=NUMBER seats=NUMBER seed_coverage=NUMBER seed=NUMBER"
        )
    names = ("rows", "cols", "seats", "seed_coverage", "deal")
    *values, seed = found.groups()
    try:
        given = {name: value for name, value in zip(names, values, strict=True) if value}
        options = parse_options(MebiPennyOptions, given)
    except SettingError as error:
        raise NotationError(f"match {head[:80]!r}: {error}") from None
    positions = [MebiPennyPosition.start(options, int(seed))]
    for number, turn in enumerate(turns, 1):
        last = positions[-1]
        if last.outcome:
            raise NotationError(f"turn {number} of the match: it is over: {last.outcome.reason}")
        try:
            positions.append(last.play_move(parse_move(last, turn)))
        except AgonError as error:
            raise type(error)(f"turn {number} of the match: {error}") from None
    return positions
