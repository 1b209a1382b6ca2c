"""Matches with people in them, as the API tells of them; the pages are made from the same."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from agon.arena.people.context import State  # noqa: TC001  pydantic reads it

MOST_PICKS = 400
LONGEST_PICK = 80
LONGEST_TURN = 4000


class ChoiceBody(BaseModel):
    """One thing that may be picked."""

    id: str
    label: str


class StepBody(BaseModel):
    """A turn in the making: what was picked, and what may be picked next."""

    prompt: str = Field(description="What to do now.")
    choices: list[ChoiceBody] = Field(description="Shapes of the scene that may be picked.")
    buttons: list[ChoiceBody] = Field(description="What else may be picked.")
    turn: str | None = Field(description="The turn in the game's notation, if it may be sent now.")
    pick_words: list[str] = Field(description="The picks in words.")
    picks: list[str]
    scene: dict[str, Any] = Field(description="The board with the picks, for `scene.js`.")


class PlayerBody(BaseModel):
    """Who has a seat."""

    seat: int
    title: str = Field(description="What the seat is called.")
    name: str
    is_you: bool
    is_person: bool
    thinks: bool = Field(description="Whether the match waits for this player.")
    has_left: bool = Field(description="Whether this player has given up.")
    out: str = Field(description="Why this player plays no more, in words; empty: they do.")
    thought_ms: int = Field(description="How long this player has thought in all.")


class TurnBody(BaseModel):
    """Something that happened: turns, or a player who left."""

    number: int
    told: list[str]


class PlayBody(BaseModel):
    """A match, as one of its players sees it."""

    key: str
    game: str
    title: str
    state: State
    moment: int = Field(description="The number of the position; turns are sent with it.")
    seat: int = Field(description="Your seat.")
    players: list[PlayerBody]
    may_act: bool = Field(description="Whether you owe a turn now.")
    may_resign: bool = Field(description="Whether you may give up, or withdraw the invitation.")
    resigning: str = Field(description="What comes of it if you do; empty if you may not.")
    status: str = Field(description="Where the match stands, in words.")
    verdict: str = Field(description="How it ended; empty before.")
    stored: str | None = Field(description="The page of the stored match, once it is over.")
    rematch: str | None = Field(description="The key of the match that follows on this one.")
    turns: list[TurnBody] = Field(description="The last turns that you may know of.")
    step: StepBody | None = Field(description="The empty turn, if you owe one.")
    scene: dict[str, Any] = Field(description="The board, for `scene.js`.")


class NewPlayBody(BaseModel):
    """A match that is wanted."""

    game: str = Field(max_length=40)
    opponent: str | None = Field(
        None,
        max_length=40,
        description="A built-in bot's name, `version:12`, or `person`, who joins by the key;"
        " null: the game's usual opponent.",
    )
    seat: int | None = Field(None, ge=0, description="Your seat; null: by chance.")
    players: int | None = Field(None, ge=1, description="null: as few as the game is for.")
    others: str | None = Field(
        None,
        max_length=40,
        description="Who fills all other seats; null: the game's usual opponent.",
    )
    options: dict[str, str] = Field(
        default_factory=dict, description="The game's options, as texts."
    )


class OpenedBody(BaseModel):
    """A match that was opened or joined."""

    key: str
    seat: int
    secret: str | None = Field(
        description="For callers without an account: send it as `X-Play-Secret` from now on."
    )


class PicksBody(BaseModel):
    """What was picked so far."""

    moment: int = Field(ge=0, description="The number of the position in which it was picked.")
    picks: list[str] = Field(default_factory=list, max_length=MOST_PICKS)


class SentTurnBody(PicksBody):
    """A whole turn: as picks, or as text in the game's notation."""

    text: str | None = Field(None, max_length=LONGEST_TURN)
