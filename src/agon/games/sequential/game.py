"""What a small game says of itself; the rest is the base's.

Its package has a module `rules` with these names; all but the first two are kernels:

    STATE                             the record of a position, with a field `random`
    MOST_MOVES                        how many legal moves there can be at most
    start(setup, state, seed)         fill the record, all of it: it may be an old one
    seat_to_act(setup, state)         whose turn it is
    list_moves(setup, state, moves)   write the legal moves into an array: how many there are
    play(setup, state, move)          play a legal move
    is_over(setup, state)
    score(setup, state, seat)         once it is over: 0 or more, the best score wins

A move is a whole number. `setup` has the number of `seats` and every option: of a switch 0 or 1, of
a choice its place among the choices. An option `seats` says how many play.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from agon.errors import IllegalMoveError, NotationError, SettingError
from agon.games.game import Game, Options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from agon.games.bot import BotMakers
    from agon.games.clicks import Clicks
    from agon.games.dialogue import Dialogues
    from agon.games.game import Position
    from agon.games.scene import Scene
    from agon.games.sequential.position import SequentialPosition
    from agon.games.shapes import Look, Shape
    from agon.games.simulation import Simulation

BASE = "agon.games.sequential"
LONGEST_QUOTE = 40


class SequentialGame(Game):
    """A small game: `cells`, `place_of`, `format_move` and `tell_ending` are its own."""

    seats = range(2, 3)
    rules_version = 1
    options: type[Options] = Options
    bot_names: tuple[str, ...] = ("random", "greedy", "search")
    are_turns_open = True
    move_pattern: str
    """A regular expression that every move's text matches."""
    move_example: str
    """Such a text, for error messages."""

    @abstractmethod
    def cells(self, position: SequentialPosition) -> Sequence[Sequence[int | None]]:
        """The board from its top row down: for each cell the seat whose piece is there."""

    @abstractmethod
    def place_of(self, position: SequentialPosition, move: int) -> tuple[int, int] | None:
        """The row and column where a legal move is clicked, and marked once it is played.

        None for a move without a place, such as a pass: it has a button.
        """

    @abstractmethod
    def format_move(self, position: SequentialPosition, move: int) -> str:
        """A legal move as text, without blanks: each has another one."""

    @abstractmethod
    def tell_ending(self, position: SequentialPosition) -> str:
        """Why a match that is over by the rules has ended: `four in a row`."""

    # --- what follows from it ---

    @property
    def packages(self) -> tuple[str, ...]:
        """The game's own files come first, then those of the base."""
        return (self.package, BASE)

    def seats_for(self, options: Options, seats: int | None = None) -> int:
        """How many play: as asked for, or as the option says, or as few as can."""
        chosen = getattr(options, "seats", 0)
        if seats is not None and chosen not in (0, seats):
            raise SettingError(f"{seats} seats: the option says {chosen}")
        return self.check_seats(seats or chosen or self.seats[0])

    def start(
        self, options: Options | None = None, seed: int = 0, seats: int | None = None
    ) -> SequentialPosition:
        from agon.games.sequential.position import SequentialPosition

        chosen = self.options.of(options)
        return SequentialPosition.start(self, chosen, seed, self.seats_for(chosen, seats))

    def parse_move(self, position: SequentialPosition, text: str) -> int:
        """The legal move of that text."""
        if not re.fullmatch(self.move_pattern, text, re.ASCII):
            raise NotationError(
                f"move {text[:LONGEST_QUOTE]!r}: expected such as {self.move_example}"
            )
        legal = {self.format_move(position, move): move for move in position.moves}
        if text not in legal:
            known = ", ".join(legal) or "none: the match is over"
            raise IllegalMoveError(f"move {text!r}: the legal moves are {known}")
        return legal[text]

    def draw(self, position: SequentialPosition, names: Sequence[str] = ()) -> Scene:
        from agon.games.sequential.scene import draw_position

        return draw_position(position, names)

    def bots(self) -> BotMakers:
        """Random, greedy, and a Monte Carlo tree search."""
        from agon.games.sequential.bots import BOTS

        return BOTS

    def dialogues(self) -> Dialogues:
        """A line for a move."""
        from agon.games.sequential.protocol import DIALOGUES

        return DIALOGUES

    def simulation(self, options: Options | None = None) -> Simulation:
        from agon.games.sequential.kernels import make_simulation

        chosen = self.options.of(options)
        return make_simulation(self.part("rules"), chosen, self.seats_for(chosen))

    def parse_match(self, text: str) -> Sequence[SequentialPosition]:
        """Options, seats and seed, then the moves."""
        from agon.games.sequential.match_text import parse_match

        return parse_match(self, text)

    def format_match(self, positions: Sequence[Position[Any]]) -> str:
        from agon.games.sequential.match_text import format_match

        return format_match(positions)

    def terminal_board(
        self, position: Position[Any], width: int = 80, names: Sequence[str] = ()
    ) -> Text:
        """A letter for each piece."""
        from agon.games.sequential.position import SequentialPosition
        from agon.games.sequential.terminal import board_text

        return board_text(SequentialPosition.of(position), width, names)

    def call_seat(self, seat: int, position: Position[Any] | None = None) -> str:
        from agon.games.sequential.look import SEAT_NAMES

        return SEAT_NAMES[seat]

    @property
    def look(self) -> Look:
        from agon.games.sequential.look import look_for

        return look_for(self.name)

    def emblem(self, seat: int) -> tuple[Shape, ...]:
        from agon.games.sequential.look import emblem

        return emblem(seat)

    def clicks(self) -> Clicks:
        """The place of a move."""
        from agon.games.sequential.clicks import step

        return step
