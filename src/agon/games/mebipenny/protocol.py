"""How MebiPenny bots talk over pipes: the objects of the first server's protocol, one a line.

    arena: {"rows": 20, "cols": 20, ..., "player_id": "p0", "state": "in play"}       a Game
    bot:   {"tile": {"row": 3, "col": 14}}                                            a New Move
    arena: {"draw_size": 381, "claims": [...], "players": [...], "state": "in play"}  a Delta
    bot:   "PASS"
    arena: {..., "state": "completed"}                                                the last line

Each line of the arena but the last asks for a move. A Delta covers all since the bot's last move,
that move included. A bot that asked for them is sent the legal moves behind each such line:

    arena: {"legal": [{"tile": {"row": 3, "col": 14}}, "PASS"]}

Over HTTP requests and replies hold the same objects: see `http_api.py` and `http_exchange.py`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agon.errors import AgonError, NotationError
from agon.games.dialogue import LEGAL, Dialogue, Dialogues
from agon.games.mebipenny.http_exchange import ERROR, MebiPennyExchange
from agon.games.mebipenny.position import MebiPennyPosition
from agon.games.mebipenny.wire import (
    GameState,
    WirePlayer,
    format_delta,
    format_game,
    format_new_move,
    parse_new_move,
)
from agon.strict_json import load_json, not_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agon.games.dialogue import Briefing
    from agon.games.game import Json, JsonObject, Outcome, Position
    from agon.games.mebipenny.move import Move


def seat_players(seats: int, names: Sequence[str] = ()) -> list[WirePlayer]:
    """Players for matches that have no ids of their own: p0, p1, ..."""
    known = [*names[:seats], *(f"seat {seat}" for seat in range(len(names), seats))]
    return [WirePlayer(f"p{seat}", name) for seat, name in enumerate(known)]


class JsonDialogue(Dialogue):
    """A Game, then Deltas; a New Move for each."""

    can_list_moves = True
    _position: MebiPennyPosition

    def __init__(self) -> None:
        self._seat = 0
        self._players: list[WirePlayer] = []
        self._known: MebiPennyPosition | None = None

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """Nothing: the Game comes with the first turn."""
        self._seat = seat
        self._position = MebiPennyPosition.of(start)
        self._players = seat_players(start.seats, briefing.names)
        self._known = None
        return []

    def is_ready(self) -> bool:
        """A bot says nothing before its first move."""
        return True

    def tell(
        self, before: Position[Any], turns: Mapping[int, Move], after: Position[Any]
    ) -> list[str]:
        """Nothing yet: it is part of the next Delta."""
        if self._seat in turns:
            self._known = MebiPennyPosition.of(before)
        self._position = MebiPennyPosition.of(after)
        return []

    def ask(self, position: Position[Any]) -> list[str]:
        """The Game, or what has changed since the last move."""
        return [self._news(MebiPennyPosition.of(position))]

    def legal_line(self, position: Position[Any], seat: int) -> str:
        """New Move objects, one for each way to break a tie."""
        here = MebiPennyPosition.of(position)
        moves = [format_new_move(here, move, self._players) for move in here.legal_moves(seat)]
        return json.dumps({LEGAL: moves})

    def _news(self, position: MebiPennyPosition, state: GameState | None = None) -> str:
        news: JsonObject
        if self._known is None:
            news = format_game(position, self._players, self._seat)
        else:
            news = format_delta(self._known, position, self._players, self._seat)
        return json.dumps(news if state is None else news | {"state": state})

    def read(self, line: str) -> str | None:
        """Every line is a move."""
        return line

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A New Move object."""
        return parse_new_move(MebiPennyPosition.of(position), parse_json(text), self._players)

    def close(self, outcome: Outcome | None) -> list[str]:
        """The last Delta: who was disqualified is in it."""
        last = self._position
        if outcome is not None and min(outcome.scores) < 0:
            last = last.drop({s: outcome.reason for s, n in enumerate(outcome.scores) if n < 0})
        return [self._news(last, GameState.COMPLETED)]

    def leave(self) -> list[str]:
        """The end of its input tells a bot to end."""
        return []


class HttpDialogue(JsonDialogue):
    """The same over HTTP, as programs know it from the first server: a game, and then the end."""

    is_for_one_match = True
    can_list_moves = False  # replies have the keys that they had at the first server, and no more

    def __init__(self, found: int = 302) -> None:
        """`found` is the status with which GET /match is answered."""
        super().__init__()
        self._found = found
        self._violation = ""

    def http_exchange(self) -> MebiPennyExchange:
        """Where the program joins and sends its moves."""
        return MebiPennyExchange(self._found)

    def open(self, start: Position[Any], seat: int, briefing: Briefing) -> list[str]:
        """The Game as seen before joining: only this player is missing."""
        super().open(start, seat, briefing)
        others = [player for other, player in enumerate(self._players) if other != seat]
        return [json.dumps(format_game(self._position, others, None))]

    def parse(self, position: Position[Any], seat: int, text: str) -> Move:
        """A New Move object; what is wrong with it is told to the program, too."""
        try:
            return super().parse(position, seat, text)
        except AgonError as error:
            self._violation = str(error)
            raise

    def close(self, outcome: Outcome | None) -> list[str]:
        """The last Delta, or what was wrong with this player's last move."""
        return [json.dumps({ERROR: self._violation})] if self._violation else super().close(outcome)


def parse_json(text: str) -> Json:
    """Read JSON; what is not is a NotationError."""
    try:
        found: Json = load_json(text)
    except ValueError as error:
        raise NotationError(f"{text[:60]!r}: {not_json(error)}") from None
    return found


DIALOGUES: Dialogues = {
    "json": JsonDialogue,
    "http": HttpDialogue,
    "http-201": lambda: HttpDialogue(201),
}
