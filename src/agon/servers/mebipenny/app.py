"""MebiPenny's HTTP server as an ASGI application, at the root of a server or mounted in another.

Requests go to the game's `HttpApi`, behind which is the lobby. Added here: streams for observers,
and the OpenAPI document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.games.http_exchange import HttpReply, RefusedError, encode, parse_body
from agon.games.mebipenny.http_api import HttpApi, Operation, answer_options, find_path
from agon.servers.mebipenny.http_call import HttpCall
from agon.servers.mebipenny.observers import parse_wrapper
from agon.servers.mebipenny.openapi import describe
from agon.servers.mebipenny.stream import stream

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

    from agon.servers.mebipenny.lobby import Lobby

DESCRIPTION = "/openapi.json"


class MebiPennyApp:
    """The application around this lobby."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._settings = lobby.settings
        self._api = HttpApi(lobby, lobby.settings.match_status)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its client disconnects before."""
        call = HttpCall(scope, receive, send, self._settings)
        try:
            reply = await self._reply(call)
        except RefusedError as refusal:
            reply = refusal.reply
        if reply is not None:
            await call.answer(reply)

    async def _reply(self, call: HttpCall) -> HttpReply | None:
        """The reply; None: the client has disconnected, or all is sent."""
        if call.path == DESCRIPTION:
            return self._describe(call)
        body = await call.body() if call.method == "POST" else b""
        path, game = find_path(call.path)
        if (call.method, path) == Operation.OBSERVE.value:
            await self._observe(call, game, body)
            return None
        request = call.request(body)
        return await call.hold(lambda respond: self._api.take(request, respond))

    def _describe(self, call: HttpCall) -> HttpReply:
        options = answer_options(call.method, ("GET", "HEAD"))
        document = describe(call.root, self._settings.match_status)
        return options or HttpReply(200, encode(document))

    async def _observe(self, call: HttpCall, game: str, body: bytes) -> None:
        """Stream all that happens in a game."""
        table = self._lobby.find(game)
        wrapper = parse_wrapper(parse_body(body) if body else None)
        observer = self._lobby.observe(table, wrapper)
        try:
            await stream(call, observer)
        finally:
            self._lobby.leave(table, observer)
