"""The first server's requests, for one player of one match that the arena has set up.

    GET /match                            302, Location: /1
    POST /1/players {"name": "digger"}    held until its first turn: 200, a Game, X-Turn-Token: 1
    POST /1/moves, X-Turn-Token: 1        held until its next turn: 200, a Delta, X-Turn-Token: 2
    POST /1/moves, X-Turn-Token: 2        200, a Delta that is "completed", and no token: the end

There is one game, and it is there already: POST / makes no other. What is wrong with a request
costs nothing but time. What is wrong with a move is for the dialogue to say, and is a 403 then.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agon.errors import NotationError, SettingError
from agon.games.http_exchange import HttpExchange, Reply, Request
from agon.games.mebipenny.wire import GameState, parse_new_game, parse_new_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.games.game import Json, JsonObject

GAME_ID = "1"
GAME_PATH = f"/{GAME_ID}"
TOKEN = "X-Turn-Token"  # noqa: S105 - the name of a header
ERROR = "error"
"""The key of a line, and of a reply, that says what was wrong."""
LONGEST_QUOTE = 60


class NotJsonError(NotationError):
    """The body of a request is not JSON at all."""


class View:
    """The Game as observers see it, kept up to date from what a player is told."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._game: JsonObject = {}
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
    def state(self) -> Json:
        """The game's state."""
        return self._game["state"]

    def document(self) -> bytes:
        """The Game object; made once, however often somebody looks."""
        if self._document is None:
            changing: JsonObject = {
                "claims": [self._claims[place] for place in sorted(self._claims)],
                "players": [*self._players.values()],
                "player_id": None,
            }
            self._document = json.dumps(self._game | changing).encode()
        return self._document


class MebiPennyExchange(HttpExchange):
    """One player's side of the server."""

    path = GAME_PATH

    def __init__(self, found: int = 302) -> None:
        """`found` is the status of GET /match: 302, or the 201 that some programs insist on."""
        self._found = found
        self._view = View()
        self._moves: list[str] = []
        self._news: str | None = None  # a line that the player has not been told yet
        self._turn = 0
        self._token: str | None = None
        self._has_joined = self._is_held = self._is_over = False
        self._routes: dict[str, dict[str, Callable[[Request], Reply | None]]] = {
            "/": {"GET": self._list_games, "POST": self._make_game},
            "/match": {"GET": self._find_match},
            GAME_PATH: {"GET": self._show_game},
            f"{GAME_PATH}/players": {"POST": self._join},
            f"{GAME_PATH}/moves": {"POST": self._move},
        }

    # --- From the program ---

    def take(self, request: Request) -> Reply | None:
        """Answer a request, or hold it."""
        path = request.target.partition("?")[0]
        methods = self._routes.get(path)
        if methods is None:
            known = ", ".join(self._routes)
            return refuse(404, f"path {path[:LONGEST_QUOTE]!r}: expected one of {known}")
        answer = methods.get(request.method)
        if answer is None:
            allowed = ", ".join(methods)
            message = f"method {request.method[:LONGEST_QUOTE]!r}: expected {allowed}"
            return refuse(405, message, ("Allow", allowed))
        try:
            return answer(request)
        except NotJsonError as error:
            return refuse(400, str(error))
        except (NotationError, SettingError) as error:
            return refuse(403, str(error))

    def _list_games(self, request: Request) -> Reply:
        return reply(200, [self._entry()])

    def _entry(self) -> JsonObject:
        return {"id": GAME_ID, "state": self._view.state}

    def _make_game(self, request: Request) -> Reply:
        parse_new_game(json.loads(read_json(request.body)))
        return reply(201, self._entry(), ("Location", GAME_PATH))

    def _find_match(self, request: Request) -> Reply:
        return reply(self._found, self._entry(), ("Location", GAME_PATH))

    def _show_game(self, request: Request) -> Reply:
        return Reply(200, self._view.document())

    def _join(self, request: Request) -> Reply | None:
        if self._has_joined:
            return refuse(410, "the game is full: you have joined it")
        parse_new_player(json.loads(read_json(request.body)))
        self._has_joined = self._is_held = True
        return self._deliver()

    def _move(self, request: Request) -> Reply | None:
        if self._is_over:
            return refuse(410, "the game is over")
        given = request.headers.get(TOKEN.lower())
        if self._token is None or given != self._token:
            quoted = "none" if given is None else repr(given[:LONGEST_QUOTE])
            expected = "it is not your turn" if self._token is None else "expected the last one"
            return refuse(403, f"{TOKEN} {quoted}: {expected}")
        self._moves.append(read_json(request.body))
        self._token = None
        self._is_held = True
        return None

    def release(self) -> None:
        """Who leaves before the first turn may join again; who leaves later gets no more turns."""
        self._is_held = False
        if not self._turn:
            self._has_joined = False

    def said(self) -> list[str]:
        """The moves."""
        moves, self._moves = self._moves, []
        return moves

    # --- From the arena ---

    def hear(self, line: str) -> Reply | None:
        """The Game before the player has joined, then its own; Deltas; or what was illegal."""
        news: dict[str, Any] = json.loads(line)
        if news.get("state") == GameState.INITIATING:
            self._view.update(news)
            return None
        self._news = line
        self._is_over = ERROR in news or news["state"] == GameState.COMPLETED
        return self._deliver()

    def _deliver(self) -> Reply | None:
        """The news for whoever is held, if there are both."""
        if self._news is None or not self._is_held:
            return None
        line, self._news = self._news, None
        news = json.loads(line)
        self._is_held = False
        self._turn += 1
        if ERROR in news:
            return Reply(403, line.encode())
        self._view.update(news)  # nobody else looks at it: it is as new as this player knows
        if self._is_over:
            return Reply(200, line.encode())
        self._token = str(self._turn)
        return Reply(200, line.encode(), ((TOKEN, self._token),))


def read_json(body: bytes) -> str:
    """The body as a line, if it is JSON."""
    try:
        text = body.decode("utf-8-sig")
        json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        shown = body[:LONGEST_QUOTE].decode("utf-8", "backslashreplace")
        raise NotJsonError(f"body {shown!r}: expected JSON") from None
    return text.replace("\r", " ").replace("\n", " ")  # in JSON these are never part of a text


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")


def reply(status: int, data: Json, *headers: tuple[str, str]) -> Reply:
    """A reply that says this."""
    return Reply(status, json.dumps(data).encode(), headers)


def refuse(status: int, message: str, *headers: tuple[str, str]) -> Reply:
    """A reply that says what was wrong."""
    return replace(reply(status, {ERROR: message}, *headers), note=message)
