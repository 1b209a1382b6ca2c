"""Turns and matches as text: `3,14`, `3,14 favor 2`, `PASS`."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from agon.errors import AgonError, IllegalMoveError, NotationError, SettingError
from agon.games.game import parse_options
from agon.games.mebipenny.board import NATURE, NOBODY
from agon.games.mebipenny.game import MebiPennyOptions
from agon.games.mebipenny.position import PASS, MebiPennyPosition, Move, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

PASS_TEXT = "PASS"  # noqa: S105
TURN = re.compile(r"([0-9]{1,4}),([0-9]{1,4})(?: favor ([0-9]))?", re.ASCII)
MATCH_HEAD = re.compile(
    r"rows=([0-9]{1,4}) cols=([0-9]{1,4}) seats=([0-9]) seed_coverage=([0-9.]+)"
    r"(?: deal=\"([^\"]*)\")? seed=(-?[0-9]{1,20})",
    re.ASCII,
)


def parse_move(position: MebiPennyPosition, text: str) -> Move:
    """Read a move that is legal in this position."""
    if text == PASS_TEXT:
        return PASS
    found = TURN.fullmatch(text)
    if found is None:
        raise NotationError(
            f"turn {text[:40]!r}: expected a tile such as 3,14, or 3,14 favor 2, or {PASS_TEXT}"
        )
    row, col, favoured = found.groups()
    seat = None if favoured is None else int(favoured)
    try:
        return legal_move(position, Tile(int(row), int(col)), seat)
    except IllegalMoveError as error:
        raise IllegalMoveError(f"turn {text!r}: {error}") from None


def format_move(position: MebiPennyPosition, move: Move) -> str:
    """The move as text; `parse_move` gives it back."""
    if move == PASS:
        return PASS_TEXT
    row, col = position.tile_of(move)
    favoured = position.favoured_by(move)
    return f"{row},{col}" + (f" favor {favoured}" if favoured != position.next_seat else "")


def legal_move(position: MebiPennyPosition, tile: Tile, favoured: int | None) -> Move:
    """The move that plays this tile, if it is legal; who is favoured matters only in a tie (R8).

    A number that is no seat's stands for somebody who does not take part.
    """
    check_tile(position, tile)
    mover = position.next_seat
    tied = position.tied_seats(tile)
    if not tied:
        return position.encode_move(tile, mover)
    wanted = mover if favoured is None else favoured
    if wanted not in tied:
        seats = ", ".join(map(str, tied))
        if favoured is None:
            raise IllegalMoveError(
                f"the tie is between seats {seats}: one of them must be favoured"
            )
        raise IllegalMoveError(f"the tie is between seats {seats}, the favoured one is not of them")
    return position.encode_move(tile, wanted)


def check_tile(position: MebiPennyPosition, tile: Tile) -> None:
    """Say why the seat to move cannot play this tile, if it cannot (R5)."""
    if tile in position.hands[position.next_seat]:
        return
    row, col = tile
    if not position.is_on_board(tile):
        size = f"{position.options.rows} rows and {position.options.cols} columns"
        raise IllegalMoveError(f"tile {row},{col} is not on the board, which has {size}")
    owner = int(position.owners[tile])
    if owner == NATURE:
        raise IllegalMoveError(f"tile {row},{col} is a wall")
    if owner != NOBODY:
        raise IllegalMoveError(f"tile {row},{col} is claimed already, by seat {owner}")
    raise IllegalMoveError(f"tile {row},{col} is not in the hand of seat {position.next_seat}")


def format_match(positions: Sequence[MebiPennyPosition]) -> str:
    """Options, seed and turns, joined by semicolons."""
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
    """All positions of a match."""
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
