"""The first server's HTTP API: its paths and methods, bodies and statuses, tokens, held requests.

    POST /              a new game: 201, Location: /ID, without a body
    GET  /              the games: 200
    GET  /match         held until there is an opponent: 302, Location: /ID
    GET  /match?bot=X   a game against a practice bot: the same, at once
    GET  /ID            the game as observers see it: 200
    POST /ID/players    held until that player's first turn: 200, a Game, X-Turn-Token
    POST /ID/moves      held until that player's next turn: 200, a Delta, X-Turn-Token
    POST /ID/observers  a stream, where there is a server for it

No socket and no clock. The server of `agon.servers.mebipenny` and the exchange of a program that
the arena runs are two sets of games behind this one API.
"""

from __future__ import annotations

from enum import Enum
from hmac import compare_digest
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qsl

from agon.errors import NotationError, SettingError
from agon.games.http_exchange import (
    CLOSE,
    HttpReply,
    RefusedError,
    encode,
    no_leave,
    parse_body,
)
from agon.games.mebipenny.wire import parse_new_game, parse_new_player

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from agon.games.game import JsonObject
    from agon.games.http_exchange import HttpHeader, HttpRequest, Leave, Respond
    from agon.games.mebipenny.game import MebiPennyOptions
    from agon.games.mebipenny.wire import GameState

FRESH: HttpHeader = (b"cache-control", b"no-store")
TURN_TOKEN = b"x-turn-token"
BOTS = b"x-bots"
BOT = "bot"
LONGEST_QUOTE = 60


class Operation(Enum):
    """What can be asked for: its method and its path."""

    LIST_GAMES = ("GET", "/")
    CREATE_GAME = ("POST", "/")
    FIND_MATCH = ("GET", "/match")
    VIEW_GAME = ("GET", "/{game}")
    JOIN = ("POST", "/{game}/players")
    MOVE = ("POST", "/{game}/moves")
    OBSERVE = ("POST", "/{game}/observers")

    @property
    def method(self) -> str:
        return self.value[0]

    @property
    def path(self) -> str:
        return self.value[1]


def _methods_by_path() -> dict[str, dict[str, Operation]]:
    """HEAD is GET without the body, where the answer comes at once."""
    found: dict[str, dict[str, Operation]] = {}
    for operation in Operation:
        methods = found.setdefault(operation.path, {})
        methods[operation.method] = operation
        if operation in (Operation.LIST_GAMES, Operation.VIEW_GAME):
            methods["HEAD"] = operation
    return found


METHODS = _methods_by_path()


def find_path(path: str) -> tuple[str, str]:
    """The path as it stands in METHODS, and the id of the game in it."""
    if path in METHODS:
        return path, ""
    start, game, *rest = path.split("/") if "/" in path else (path, "")
    known = "/".join([start, "{game}", *rest])
    if known not in METHODS:
        quoted = path[:LONGEST_QUOTE]
        raise RefusedError(404, f"path {quoted!r}: expected /, /match, /<id>, or one below /<id>")
    return known, game


def answer_options(method: str, methods: Collection[str]) -> HttpReply | None:
    """The reply to OPTIONS at a path with these methods; refuses others."""
    known = ", ".join([*methods, "OPTIONS"])
    allow = (b"allow", known.encode())
    if method == "OPTIONS":
        return HttpReply(204, headers=(allow,))
    if method not in methods:
        raise RefusedError(405, f"method {method[:20]!r}: expected {known}", (allow,))
    return None


class HttpGame(Protocol):
    """One game behind the API. What is refused raises RefusedError."""

    @property
    def id(self) -> str: ...

    @property
    def state(self) -> GameState: ...

    @property
    def bots(self) -> Sequence[str]:
        """The names of the practice bots that play in it."""

    def view(self) -> bytes:
        """The Game object as observers see it."""

    def join(self, name: str, respond: Respond) -> Leave:
        """Take a seat; the answer comes at the player's first turn."""

    def move(self, token: bytes | None, body: bytes, respond: Respond) -> Leave:
        """The move of the player with this token; the answer comes at its next turn."""


class HttpGames(Protocol):
    """All games behind the API."""

    def __iter__(self) -> Iterator[HttpGame]: ...

    def find(self, ident: str) -> HttpGame:
        """The game with that id."""

    def create(self, options: MebiPennyOptions, seed: int | None, delay_ns: int) -> HttpGame:
        """A new game, whose players are asked so long after the turn before."""

    @property
    def bots(self) -> Sequence[str]:
        """The names of the built-in bots that `match` takes."""

    def match(self, found: Callable[[HttpGame], None], respond: Respond, bot: str | None) -> Leave:
        """Find an opponent: `found` is told the game; `respond` is for another answer.

        That is a practice bot by its name, or else the next client that asks.
        """


class HttpApi:
    """The requests, for one set of games."""

    def __init__(self, games: HttpGames, match_status: int) -> None:
        """`match_status` answers GET /match: 302, or 201 as the first server did."""
        self._games = games
        self._match_status = match_status
        self._answers: dict[Operation, Callable[[HttpRequest, str, Respond], Leave | None]] = {
            Operation.LIST_GAMES: self._list_games,
            Operation.CREATE_GAME: self._create_game,
            Operation.FIND_MATCH: self._find_match,
            Operation.VIEW_GAME: self._view_game,
            Operation.JOIN: self._join,
            Operation.MOVE: self._move,
        }

    def take(self, request: HttpRequest, respond: Respond) -> Leave:
        """Answer a request, now or later."""
        try:
            return self._take(request, respond) or no_leave
        except RefusedError as refusal:
            respond(refusal.reply)
        except (NotationError, SettingError) as error:
            respond(RefusedError(403, str(error)).reply)
        return no_leave

    def _take(self, request: HttpRequest, respond: Respond) -> Leave | None:
        path, game = find_path(request.path)
        methods = METHODS[path]
        options = answer_options(request.method, methods)
        if options is not None:
            respond(options)
            return None
        answer = self._answers.get(methods[request.method])
        if answer is None:
            raise RefusedError(404, f"path {path}: expected another one: there is no stream here")
        return answer(request, game, respond)

    def _list_games(self, request: HttpRequest, game: str, respond: Respond) -> None:
        bots = ", ".join(self._games.bots)
        headers = (FRESH, (BOTS, bots.encode())) if bots else (FRESH,)
        respond(HttpReply(200, encode([_entry(one) for one in self._games]), headers))

    def _create_game(self, request: HttpRequest, game: str, respond: Respond) -> None:
        order = parse_new_game(parse_body(request.body))
        made = self._games.create(order.options, order.seed, order.delay_ns)
        respond(_location(request, made, 201))

    def _find_match(self, request: HttpRequest, game: str, respond: Respond) -> Leave:
        def found(match: HttpGame) -> None:
            respond(_location(request, match, self._match_status))

        return self._games.match(found, respond, parse_bot(request.query))

    def _view_game(self, request: HttpRequest, game: str, respond: Respond) -> None:
        respond(HttpReply(200, self._games.find(game).view(), (FRESH,)))

    def _join(self, request: HttpRequest, game: str, respond: Respond) -> Leave:
        found = self._games.find(game)
        return found.join(parse_new_player(parse_body(request.body)), respond)

    def _move(self, request: HttpRequest, game: str, respond: Respond) -> Leave:
        found = self._games.find(game)
        return found.move(request.headers.get(TURN_TOKEN), request.body, respond)


def parse_bot(query: str) -> str | None:
    """The bot that a query asks for; None: it asks for none.

    >>> parse_bot("bot=crawler%403"), parse_bot("")
    ('crawler@3', None)
    """
    given = parse_qsl(query, keep_blank_values=True)
    for key, _ in given:
        if key != BOT:
            raise RefusedError(403, f"parameter {key[:LONGEST_QUOTE]!r}: expected {BOT}")
    if len(given) > 1:
        raise RefusedError(403, f"parameter {BOT!r}: expected once")
    return given[0][1] if given else None


def _entry(game: HttpGame) -> JsonObject:
    entry: JsonObject = {"id": game.id, "state": game.state}
    return entry | {"bots": [*game.bots]} if game.bots else entry


def _location(request: HttpRequest, game: HttpGame, status: int) -> HttpReply:
    """Says where a game is.

    Without a body, and the connection is closed, as the first server did: many of its clients do
    not read what comes after the head, and could not use the connection again.
    """
    where = f"{request.root}/{game.id}".encode()
    return HttpReply(status, headers=((b"location", where), CLOSE))


class HttpPlayer:
    """A player's side of a game: its request that is held, and the token of its turn."""

    def __init__(self) -> None:
        self.token: bytes | None = None
        """What its next move must carry; None: no move of it is expected."""
        self._respond: Respond | None = None

    @property
    def is_held(self) -> bool:
        return self._respond is not None

    def hold(self, respond: Respond, on_leave: Leave = no_leave) -> Leave:
        """Hold this request; `on_leave` is called if its client disconnects before its reply."""
        self._respond = respond

        def leave() -> None:
            if self._respond is respond:
                self._respond = None
                on_leave()

        return leave

    def answer(self, reply: HttpReply) -> None:
        """Answer the request that is held; without one, the reply is lost."""
        respond, self._respond = self._respond, None
        if respond is not None:
            respond(reply)

    def answer_news(self, news: bytes) -> None:
        """Answer with a Game or a Delta, and the token if it is the player's turn."""
        self.answer(HttpReply(200, news, ((TURN_TOKEN, self.token),) if self.token else ()))

    def check_token(self, token: bytes | None) -> None:
        """Refuse a move without the token of the turn."""
        if token is None:
            raise RefusedError(
                403, "the header X-Turn-Token is missing: expected your last turn token"
            )
        if self.token is None or not compare_digest(token, self.token):
            text = token[:LONGEST_QUOTE].decode("latin-1")
            raise RefusedError(
                403, f"X-Turn-Token {text!r}: expected the token of the turn that is on"
            )
