"""The objects of the HTTP API as models: its OpenAPI document is made from them.

The game's own functions in `wire.py` write and read these objects; tests hold the server to both.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from agon.games.mebipenny.game import LONGEST_SIDE, SEATS
from agon.games.mebipenny.wire import LONGEST_NAME, MOST_DELAY, SEEDS, GameState

Count = Annotated[int, Field(ge=0)]
Side = Annotated[int, Field(ge=1, le=LONGEST_SIDE)]

# --- what the server sends: these keys and no others ---------------------------------------------


class SentObject(BaseModel):
    """Has these keys and no others."""

    model_config = ConfigDict(extra="forbid")


class ErrorObject(SentObject):
    """Says what was wrong, and what was expected."""

    error: str


class ListedGame(SentObject):
    """A game in a list: its path is /id."""

    id: str
    state: GameState
    bots: list[str] | None = Field(
        None, description="The names of the practice bots in it; absent: none."
    )


class TileObject(SentObject):
    """A cell of the board, counted from 0."""

    row: Count
    col: Count


class ClaimObject(SentObject):
    """A tile that is on the board."""

    tile: TileObject
    owner: str | None = Field(description="The id of a player; null is a wall.")


class PlayerObject(SentObject):
    """A player as you know it."""

    id: str
    name: str
    score: Count | Literal["disqualified"]
    hand: list[TileObject] | Count = Field(
        description="Your own tiles; of other players, how many there are."
    )


class DeltaObject(SentObject):
    """What has changed since your last move, that move included."""

    draw_size: Count
    claims: list[ClaimObject]
    players: list[PlayerObject] = Field(description="In turn order, the next to move first.")
    state: GameState


class GameObject(DeltaObject):
    """The whole game as you see it."""

    rows: Side
    cols: Side
    player_id: str | None = Field(description="Yours; null for observers.")


# --- what clients send; other keys are ignored ---------------------------------------------------


class NewGame(BaseModel):
    """A game to create."""

    rows: Side
    cols: Side
    seats: Annotated[int, Field(ge=SEATS[0], le=SEATS[-1])] | None = SEATS[0]
    seed_coverage: Annotated[float, Field(ge=0, le=1)] | None = Field(
        None, description="The part of the board that is walls."
    )
    seed: Annotated[int, Field(ge=-SEEDS, lt=SEEDS)] | None = Field(
        None, description="All chance of the game follows from it; without one it is drawn."
    )
    delay_time: Annotated[float, Field(ge=0, le=MOST_DELAY)] | None = Field(
        None, description="Seconds from a turn to when the next player is asked, for viewers."
    )


class NewPlayer(BaseModel):
    """A player to join a game."""

    name: str = Field(max_length=LONGEST_NAME)


class MoveTile(BaseModel):
    """The tile that is played."""

    row: int
    col: int


class TileMove(BaseModel):
    """A tile is played."""

    tile: MoveTile
    favor: Any = Field(
        None, description="In a tie, the id of the player whom you favour; else it is ignored."
    )


class NewMove(RootModel[TileMove | Literal["PASS"]]):
    """A tile, or the text PASS."""


def _any_type(schema: dict[str, Any]) -> None:
    del schema["type"]


class NewObserver(BaseModel):
    """The first %s in the wrapper is replaced by each document with its newline.

    Without a wrapper, and in a body that is not an object, documents are sent as they are.
    """

    model_config = ConfigDict(json_schema_extra=_any_type)
    wrapper: str = "%s"
