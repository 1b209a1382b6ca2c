"""MebiPenny's HTTP server as an ASGI application: which path does what.

It can stand at the root of a server or be mounted in another application: paths that it tells
begin with where it is mounted. The state is in the hall; here requests become calls of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from starlette.responses import Response
from starlette.routing import Route, Router

from agon.errors import NotationError, SettingError
from agon.games.mebipenny.wire import parse_new_game, parse_new_player
from agon.servers.mebipenny.http_call import HttpCall
from agon.servers.mebipenny.observers import parse_wrapper
from agon.servers.mebipenny.openapi import describe
from agon.servers.mebipenny.reply import (
    FRESH,
    TURN_TOKEN,
    HttpReply,
    RefusedError,
    encode,
    parse_body,
)
from agon.servers.mebipenny.stream import stream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.types import Receive, Scope, Send

    from agon.servers.mebipenny.lobby import Lobby
    from agon.servers.mebipenny.settings import MebiPennySettings
    from agon.servers.mebipenny.table import GameTable

    Endpoint: TypeAlias = Callable[[HttpCall], Awaitable[HttpReply | None]]


class Methods:
    """One path: an endpoint for each method that it knows, and 405 for the others."""

    def __init__(self, settings: MebiPennySettings, endpoints: Mapping[str, Endpoint]) -> None:
        """HEAD is what GET is, where the mapping says so."""
        self._settings = settings
        self._endpoints = endpoints
        self._allow = (b"allow", ", ".join([*endpoints, "OPTIONS"]).encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; None as an answer means that nobody is there, or all is said."""
        call = HttpCall(scope, receive, send, self._settings)
        try:
            answer = await self._endpoint(scope["method"])(call)
        except RefusedError as refusal:
            answer = refusal.answer
        except (NotationError, SettingError) as error:
            answer = RefusedError(403, str(error)).answer
        if answer is not None:
            await call.answer(answer)

    def _endpoint(self, method: str) -> Endpoint:
        return self._endpoints.get(method, self._other)

    async def _other(self, call: HttpCall) -> HttpReply:
        if call.scope["method"] == "OPTIONS":
            return HttpReply(204, headers=(self._allow,))
        known = self._allow[1].decode()
        text = f"method {call.scope['method'][:20]!r}: expected {known}"
        raise RefusedError(405, text, (self._allow,))


class Endpoints:
    """What the paths do."""

    def __init__(self, lobby: Lobby) -> None:
        """All state is in the hall."""
        self._hall = lobby

    async def create(self, call: HttpCall) -> HttpReply:
        """POST /: a new game."""
        options, seed = parse_new_game(parse_body(await call.body()))
        return self._where(call, self._hall.create(options, seed), 201)

    def _where(self, call: HttpCall, table: GameTable, status: int) -> HttpReply:
        """Says where a game is."""
        body = encode({"id": table.id, "state": table.state})
        return HttpReply(status, body, ((b"location", call.path(table.id)),))

    async def list(self, call: HttpCall) -> HttpReply:
        """GET /: which games there are."""
        return HttpReply(
            200, encode([{"id": t.id, "state": t.state} for t in self._hall]), (FRESH,)
        )

    async def view(self, call: HttpCall) -> HttpReply:
        """GET /<id>: the game as an observer sees it."""
        return HttpReply(200, self._hall.find(call.game_id).view(), (FRESH,))

    async def join(self, call: HttpCall) -> HttpReply | None:
        """POST /<id>/players: held until that player's first turn."""
        body = await call.body()
        table = self._hall.find(call.game_id)
        name = parse_new_player(parse_body(body))
        return await call.hold(lambda reply: table.join(name, reply))

    async def move(self, call: HttpCall) -> HttpReply | None:
        """POST /<id>/moves: held until that player's next turn."""
        body = await call.body()
        table = self._hall.find(call.game_id)
        token = call.header(TURN_TOKEN)
        return await call.hold(lambda reply: table.move(token, body, reply))

    async def observe(self, call: HttpCall) -> None:
        """POST /<id>/observers: a stream of all that happens."""
        body = await call.body()
        table = self._hall.find(call.game_id)
        wrapper = parse_wrapper(parse_body(body) if body else None)
        observer = self._hall.observe(table, wrapper)
        try:
            await stream(call, observer)
        finally:
            self._hall.leave(table, observer)

    async def match(self, call: HttpCall) -> HttpReply | None:
        """GET /match: held until somebody else wants a match too."""
        status = self._hall.settings.match_status
        return await call.hold(
            lambda reply: self._hall.match(reply, lambda table: self._where(call, table, status))
        )


def mebipenny_app(lobby: Lobby) -> Router:
    """The application around this hall; the paths that are asked for most are looked at first."""
    own = Endpoints(lobby)
    paths: dict[str, dict[str, Endpoint]] = {
        "/{game}/moves": {"POST": own.move},
        "/{game}/players": {"POST": own.join},
        "/{game}/observers": {"POST": own.observe},
        "/": {"GET": own.list, "HEAD": own.list, "POST": own.create},
        "/match": {"GET": own.match},
        "/openapi.json": {"GET": describe_server, "HEAD": describe_server},
        "/{game}": {"GET": own.view, "HEAD": own.view},
    }
    routes = [Route(path, Methods(lobby.settings, known)) for path, known in paths.items()]
    return Router(routes, redirect_slashes=False, default=not_found)


async def describe_server(call: HttpCall) -> HttpReply:
    """GET /openapi.json: all of this for programs."""
    return HttpReply(200, encode(describe(call.scope.get("root_path", ""), call.settings)))


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """A path that does not exist."""
    text = f"path {scope['path'][:60]!r}: expected /, /match, /<id>, or one below /<id>"
    answer = RefusedError(404, text).answer
    await Response(answer.body, answer.status, media_type="application/json")(scope, receive, send)
