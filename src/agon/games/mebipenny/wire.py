"""The JSON objects of the first server's protocol, as pure functions: no socket, no clock.

Out go Game and Delta objects, for a seat or for an observer; in come New Game, New Player
and New Move. What is sent to us is refused with a message of its own for everything that can be
wrong with it: NotationError for a malformed object, IllegalMoveError for what the rules forbid.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError, NotationError
from agon.games.mebipenny.game import SEATS, MebiPennyOptions
from agon.games.mebipenny.move import PASS, Move, Tile
from agon.games.mebipenny.notation import PASS_TEXT, check_tile
from agon.strict_json import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agon.games.game import Json, JsonObject
    from agon.games.mebipenny.position import Claim, MebiPennyPosition

LONGEST_NAME = 200
SEEDS = 2**63
MOST_DELAY = 30
"""Seconds from a turn to the next: as many as a player may think."""
DISQUALIFIED = "disqualified"


class GameState(StrEnum):
    """How far a game is."""

    INITIATING = "initiating"
    IN_PLAY = "in play"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class WirePlayer:
    """Who has a seat: the id that stands for it in all objects, and a name."""

    id: str
    name: str


# --- What is sent -------------------------------------------------------------------------------


def format_game(
    position: MebiPennyPosition, players: Sequence[WirePlayer], viewer: int | None
) -> JsonObject:
    """The Game object for the player in the seat `viewer`, or for an observer.

    `players` are those that have joined, by seat. While seats are free nothing is dealt: the
    position is then the one with which the game is going to start.
    """
    waiting = len(players) < position.seats
    dealt = sum(map(len, position.hands)) if waiting else 0
    return {
        "rows": position.options.rows,
        "cols": position.options.cols,
        "draw_size": position.draw_size + dealt,
        "claims": _claims(position.claims(), players),
        "players": [
            {"id": player.id, "name": player.name, "score": 0, "hand": 0} for player in players
        ]
        if waiting
        else _players(position, players, viewer, _turn_order(position)),
        "player_id": None if viewer is None else players[viewer].id,
        "state": GameState.INITIATING if waiting else state_of(position),
    }


def format_delta(
    before: MebiPennyPosition,
    after: MebiPennyPosition,
    players: Sequence[WirePlayer],
    viewer: int | None,
) -> JsonObject:
    """The Delta object: what has changed for the viewer from one position to a later one."""
    known, now = (_standings(position, viewer) for position in (before, after))
    changed = [seat for seat in _turn_order(after) if now[seat] != known[seat]]
    return {
        "draw_size": after.draw_size,
        "claims": _claims(after.claims(since=before), players),
        "players": _players(after, players, viewer, changed),
        "state": state_of(after),
    }


def state_of(position: MebiPennyPosition) -> GameState:
    """The state of a game whose seats are all taken."""
    return GameState.IN_PLAY if position.outcome is None else GameState.COMPLETED


def _turn_order(position: MebiPennyPosition) -> list[int]:
    """All seats in turn order, the next to move first."""
    return [(position.next_seat + i) % position.seats for i in range(position.seats)]


def _players(
    position: MebiPennyPosition,
    players: Sequence[WirePlayer],
    viewer: int | None,
    seats: Iterable[int],
) -> list[Json]:
    """The Player objects of these seats."""
    standings = _standings(position, viewer)
    found: list[Json] = []
    for seat in seats:
        score, hand = standings[seat]
        tiles: Json = hand if isinstance(hand, int) else [_tile(tile) for tile in hand]
        player = players[seat]
        found.append({"id": player.id, "name": player.name, "score": score, "hand": tiles})
    return found


def _standings(
    position: MebiPennyPosition, viewer: int | None
) -> list[tuple[int | str, int | tuple[Tile, ...]]]:
    """Score and hand of each seat, as the viewer knows them."""
    out = position.out
    return [
        (
            DISQUALIFIED if seat in out else score,  # R13
            hand if seat == viewer else len(hand),  # R4
        )
        for seat, (score, hand) in enumerate(zip(position.scores, position.hands, strict=True))
    ]


def _claims(claims: Iterable[Claim], players: Sequence[WirePlayer]) -> list[Json]:
    return [
        {"tile": _tile(tile), "owner": None if owner is None else players[owner].id}
        for tile, owner in claims
    ]


def _tile(tile: Tile) -> JsonObject:
    return {"row": tile.row, "col": tile.col}


# --- Moves --------------------------------------------------------------------------------------


def format_new_move(position: MebiPennyPosition, move: Move, players: Sequence[WirePlayer]) -> Json:
    """The New Move object of a move; `parse_new_move` gives it back."""
    if move == PASS:
        return PASS_TEXT
    found: JsonObject = {"tile": _tile(position.tile_of(move))}
    if position.favoured_by(move) != position.next_seat:
        found["favor"] = players[position.favoured_by(move)].id
    return found


def parse_new_move(position: MebiPennyPosition, data: Json, players: Sequence[WirePlayer]) -> Move:
    """The move of the seat to move for which a New Move object stands."""
    if data == PASS_TEXT:
        return PASS
    if not isinstance(data, dict):
        raise NotationError(f'move {quote(data)}: expected an object with a tile, or "{PASS_TEXT}"')
    tile = _parse_tile(data)
    check_tile(position, tile)
    tied = position.tied_seats(tile)
    if not tied:  # R8: favor is ignored, whatever it is
        return position.encode_move(tile, position.next_seat)
    favor = data.get("favor")
    if favor is None:
        favor = players[position.next_seat].id
    for seat in tied:
        if players[seat].id == favor:
            return position.encode_move(tile, seat)
    among = ", ".join(quote(players[seat].id) for seat in tied)
    if data.get("favor") is None:
        raise IllegalMoveError(f"favor is missing: the tie is between {among}, not with you")
    raise IllegalMoveError(f"favor {quote(favor)}: the tie is between {among}")


def _parse_tile(data: dict[str, Json]) -> Tile:
    if "tile" not in data:
        raise NotationError(f"move {quote(data)}: the tile is missing")
    tile = data["tile"]
    if not isinstance(tile, dict):
        raise NotationError(f"tile {quote(tile)}: expected an object with row and col")
    return Tile(_parse_number(tile, "row", "tile"), _parse_number(tile, "col", "tile"))


def _parse_number(data: dict[str, Json], key: str, place: str) -> int:
    if key not in data:
        raise NotationError(f"{place} {quote(data)}: {key} is missing")
    value = data[key]
    if not isinstance(value, int) or isinstance(value, bool):
        raise NotationError(f"{key} {quote(value)}: expected a whole number")
    return value


# --- New games and players ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameOrder:
    """What a New Game object asks for."""

    options: MebiPennyOptions
    seed: int | None = None
    """None: it is drawn."""
    delay_ns: int = 0
    """Time from a turn to when the next player is asked, so that viewers can follow."""


def parse_new_game(data: Json) -> GameOrder:
    """What a New Game object asks for.

    Raises NotationError, or SettingError for a number that is out of range.
    """
    if not isinstance(data, dict):
        raise NotationError(f"new game {quote(data)}: expected an object with rows and cols")
    rows, cols = (_parse_number(data, key, "new game") for key in ("rows", "cols"))
    given: JsonObject = {key: value for key, value in data.items() if value is not None}
    seats = _parse_number(given, "seats", "new game") if "seats" in given else SEATS[0]
    if seats not in SEATS:
        raise NotationError(f"seats {seats}: expected {SEATS[0]} to {SEATS[-1]}")
    seed = _parse_number(given, "seed", "new game") if "seed" in given else None
    if seed is not None and not -SEEDS <= seed < SEEDS:
        raise NotationError(f"seed {quote(seed)}: expected a number of 64 bits with its sign")
    coverage = _parse_fraction("seed_coverage", given.get("seed_coverage", 0), 1)
    delay = _parse_fraction("delay_time", given.get("delay_time", 0), MOST_DELAY)
    return GameOrder(
        MebiPennyOptions(rows, cols, seats, format(coverage, "f")), seed, int(delay * 10**9)
    )


def _parse_fraction(key: str, value: Any, most: int) -> Decimal:
    """The number as it is written."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
        raise NotationError(f"{key} {quote(value)}: expected a number from 0 to {most}")
    return Decimal(repr(value))


def parse_new_player(data: Json) -> str:
    """The name in a New Player object."""
    if not isinstance(data, dict) or not isinstance(data.get("name"), str):
        raise NotationError(f"new player {quote(data)}: expected an object with a name")
    name = str(data["name"])
    if len(name) > LONGEST_NAME:
        raise NotationError(f"name {quote(name)}: longer than {LONGEST_NAME} characters")
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in name):
        raise NotationError(f"name {quote(name)}: expected text that is Unicode, without NUL")
    return name
