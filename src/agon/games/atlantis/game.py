"""Atlantis as the registry knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agon.errors import SettingError, TranscriptError
from agon.games.atlantis.transcript_form import AtlantisForm
from agon.games.game import Game, Options, option

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.atlantis.geometry import Board
    from agon.games.atlantis.position import AtlantisPosition
    from agon.games.game import Position
    from agon.games.shapes import Look

USUAL_SIZES = {"triangle": 6, "hexagon": 3, "rhombus": 5}
SHAPES = tuple(USUAL_SIZES)
USUAL_SEATS = 2
MAX_SIZE = 24


@dataclass(frozen=True, slots=True)
class AtlantisOptions(Options):
    """What can be set for a match of Atlantis.

    What a document says of a board gives the same options again: the usual size is always 0, and
    `custom` has no more in it than segments and stacks, as they were given.
    """

    board: str = option(
        SHAPES[0], "the shape of the board: triangle, hexagon or rhombus", SHAPES, is_main=True
    )
    size: int = option(0, "segments along a side; 0: the usual 6, 3 or 5", is_main=True)
    custom: str = option(
        "", "a document with segments and players' stacks, in place of a shape", is_document=True
    )

    def __post_init__(self) -> None:
        """Refuse what does not exist or does not fit together."""
        if self.board not in SHAPES:
            raise SettingError(f"board {self.board!r}: expected {', '.join(SHAPES)}")
        if self.size and not 2 <= self.size <= MAX_SIZE:
            raise SettingError(f"size {self.size}: expected 2 to {MAX_SIZE}, or 0 for the usual")
        if self.size == USUAL_SIZES[self.board]:
            object.__setattr__(self, "size", 0)
        if self.custom:
            if (self.board, self.size) != (SHAPES[0], 0):
                raise SettingError("custom: expected neither board nor size beside it")
            object.__setattr__(self, "custom", _tidy(self.custom))

    def find_board(self, seats: int | None) -> Board:
        """The board for so many seats; None: for as many as it has, or as usual.

        0 is for a board without players, which can be looked at.
        """
        if self.custom:
            return _custom_board(self.custom, seats)
        from agon.games.atlantis.boards import standard_board

        size = self.size or USUAL_SIZES[self.board]
        return standard_board(self.board, size, USUAL_SEATS if seats is None else seats)


def _tidy(custom: str) -> str:
    from agon.games.atlantis.document import format_custom, parse_custom

    try:
        return format_custom(parse_custom(custom))
    except TranscriptError as error:
        raise SettingError(f"custom: {error}") from None


def _custom_board(custom: str, seats: int | None) -> Board:
    from agon.games.atlantis.document import parse_custom

    board = parse_custom(custom).board
    if not board.stacks and seats != 0:
        raise SettingError("a starting board without players: expected 2 to 6 with their stacks")
    if seats not in (None, len(board.stacks)):
        raise SettingError(f"{seats} seats: the board is for {len(board.stacks)}")
    return board


class AtlantisGame(Game):
    """Hold land that no other player can sink."""

    name = "atlantis"
    title = "Atlantis"
    summary = "Stones on an island of hexes march and explode; hold the most land when it has sunk."
    seats = range(2, 7)
    rules_version = 1
    options = AtlantisOptions
    bot_names = ("random", "greedy", "search")
    level_ratings = (0, 321, 659, 710, 850, 938, 1191, 1251, 1343, 1424)
    protocol_page = "atlantis.md"
    has_boards = True
    are_turns_open = True
    picture_turns = 16
    example_seed = 6
    form = AtlantisForm()

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> AtlantisPosition:
        """The board before the first turn. Atlantis has no chance: the seed changes nothing."""
        from agon.games.atlantis.position import AtlantisPosition

        chosen = AtlantisOptions.of(options)
        if seats or not chosen.custom:
            seats = self.check_seats(USUAL_SEATS if seats is None else seats)
        return AtlantisPosition.start(chosen, seats, seed)

    def with_players(
        self, start: Position[Any], players: Sequence[Mapping[str, Any]]
    ) -> Position[Any]:
        from agon.games.atlantis.look import say_colours
        from agon.games.atlantis.position import AtlantisPosition

        said = say_colours(players)
        return AtlantisPosition.of(start).with_colours(said) if any(said) else start

    def call_seat(self, seat: int, position: Position[Any] | None = None) -> str:
        from agon.games.atlantis.position import AtlantisPosition

        said = () if position is None else AtlantisPosition.of(position).ground.colours
        return str(self.part("look").choose_themes(said)[seat].name)

    def find_look(self, name: str) -> Look:
        look: Look = self.part("look").find_look(name)
        return look


GAME = AtlantisGame()
