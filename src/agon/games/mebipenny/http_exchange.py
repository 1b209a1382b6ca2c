"""A hosted program at the HTTP API: one player, and one match that the arena has set up.

    GET /match                            302, Location: /1
    POST /1/players {"name": "digger"}    held until its first turn: 200, a Game, X-Turn-Token: 1
    POST /1/moves, X-Turn-Token: 1        held until its next turn: 200, a Delta, X-Turn-Token: 2
    POST /1/moves, X-Turn-Token: 2        200, a Delta that is "completed", and no token: the end

There is one game, and it is there already: POST / makes no other. What is wrong with a request
costs only time. What is wrong with a move is for the dialogue to say, and is a 403 then.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agon.games.http_exchange import (
    HttpExchange,
    HttpReply,
    RefusedError,
    decode_body,
    encode,
    no_leave,
    parse_body,
)
from agon.games.mebipenny.http_api import HttpApi, HttpPlayer
from agon.games.mebipenny.wire import GameState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Self

    from agon.games.game import JsonObject
    from agon.games.http_exchange import HttpRequest, Leave, Respond
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.games.mebipenny.http_api import HttpGame

GAME_ID = "1"
ERROR = "error"
"""The key of a line, and of a reply, that says what was wrong."""


class ObserverView:
    """The Game as observers see it, kept up to date from what a player is told."""

    def __init__(self) -> None:
        self._game: JsonObject = {"state": GameState.INITIATING}
        self._claims: dict[tuple[int, int], Any] = {}
        self._players: dict[str, Any] = {}
        self._document: bytes | None = None

    def update(self, news: dict[str, Any]) -> None:
        """Take a Game, or a Delta."""
        self._document = None
        if "rows" in news:
            self._claims, self._players = {}, {}
        self._game |= news
        for claim in news["claims"]:
            self._claims[claim["tile"]["row"], claim["tile"]["col"]] = claim
        for player in news["players"]:
            hand = player["hand"]
            tiles = len(hand) if isinstance(hand, list) else hand
            self._players[player["id"]] = player | {"hand": tiles}

    @property
    def state(self) -> GameState:
        return GameState(str(self._game["state"]))

    def document(self) -> bytes:
        """The Game object; made once, however often it is asked for."""
        if self._document is None:
            changing: JsonObject = {
                "claims": [self._claims[place] for place in sorted(self._claims)],
                "players": [*self._players.values()],
                "player_id": None,
            }
            self._document = encode(self._game | changing)
        return self._document


class MebiPennyExchange(HttpExchange):
    """The games of the API are this one, and its players this one."""

    path = f"/{GAME_ID}"
    id = GAME_ID
    bots = ()

    def __init__(self, match_status: int = 302) -> None:
        """`match_status` answers GET /match: 302, or the 201 that some programs insist on."""
        self._api = HttpApi(self, match_status)
        self._player = HttpPlayer()
        self._view = ObserverView()
        self._moves: list[str] = []
        self._news: str | None = None
        """A line that the player has not been told yet."""
        self._turn = 0
        self._has_joined = self._is_over = False

    # --- from and to the arena ---

    def take(self, request: HttpRequest, respond: Respond) -> Leave:
        return self._api.take(request, respond)

    def said(self) -> list[str]:
        moves, self._moves = self._moves, []
        return moves

    def hear(self, line: str) -> None:
        """The Game before the player has joined, then its own; Deltas; or what was illegal."""
        news: dict[str, Any] = json.loads(line)
        if news.get("state") == GameState.INITIATING:
            self._view.update(news)
            return
        self._news = line
        self._is_over = ERROR in news or news["state"] == GameState.COMPLETED
        self._deliver()

    def _deliver(self) -> None:
        """Answer the request that is held with the news, if there are both."""
        if self._news is None or not self._player.is_held:
            return
        line, self._news = self._news, None
        news = json.loads(line)
        self._turn += 1
        if ERROR in news:
            self._player.answer(HttpReply(403, line.encode()))
            return
        self._view.update(news)  # as new as this player knows: it is the only one who looks
        if not self._is_over:
            self._player.token = str(self._turn).encode()
        self._player.answer_news(line.encode())

    # --- the games of the API ---

    def __iter__(self) -> Iterator[Self]:
        yield self

    def find(self, ident: str) -> Self:
        """The game, by its id."""
        if ident != GAME_ID:
            raise RefusedError(404, f"game {ident[:60]!r}: there is none")
        return self

    def create(self, options: MebiPennyOptions, seed: int | None, delay_ns: int) -> Self:
        """No other game: the arena has made one, with its own pace."""
        if delay_ns:
            raise RefusedError(
                403, "delay_time: expected none: the arena sets the pace of its matches"
            )
        return self

    def match(self, found: Callable[[HttpGame], None], respond: Respond, bot: str | None) -> Leave:
        """The opponent is there."""
        if bot is not None:
            raise RefusedError(
                403, f"bot {bot[:60]!r}: expected none: the arena has chosen the opponent"
            )
        found(self)
        return no_leave

    # --- the game ---

    @property
    def state(self) -> GameState:
        return self._view.state

    def view(self) -> bytes:
        """The Game, as old as the last question."""
        return self._view.document()

    def join(self, name: str, respond: Respond) -> Leave:
        """Take the seat; a client that disconnects before its first turn frees it."""
        if self._has_joined:
            raise RefusedError(410, "the game is full: you have joined it")
        self._has_joined = True
        leave = self._player.hold(respond, self._free_seat)
        self._deliver()
        return leave

    def _free_seat(self) -> None:
        self._has_joined = False

    def move(self, token: bytes | None, body: bytes, respond: Respond) -> Leave:
        """A move, which the dialogue reads."""
        if self._is_over:
            raise RefusedError(410, "the game is over")
        self._player.check_token(token)
        parse_body(body)
        text = decode_body(body)
        self._moves.append(text.replace("\r", " ").replace("\n", " "))  # in JSON: blanks
        self._player.token = None
        return self._player.hold(respond)
