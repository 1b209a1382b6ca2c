"""The OpenAPI document of the server, which FastAPI makes from signatures and models.

The functions are only described: requests are answered by the game's `HttpApi`.
"""

from __future__ import annotations

import functools
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import FastAPI, Header, Path, Query, Response
from fastapi.responses import JSONResponse

from agon.games.mebipenny.http_api import Operation
from agon.servers.mebipenny.schemas import (
    DeltaObject,
    ErrorObject,
    GameObject,
    ListedGame,
    NewGame,
    NewMove,
    NewObserver,
    NewPlayer,
)

if TYPE_CHECKING:
    from collections.abc import Callable

DESCRIPTION = (
    "Play MebiPenny over HTTP. Bodies are JSON, whatever content type is given. Errors say what was"
    " wrong. A request that is held is answered when there is something to tell: that may take"
    " minutes. A request that does not arrive within 10 s is answered with 408, one whose head is"
    " larger than 64 KiB with 431, and the connection is closed."
)
ERRORS = {
    400: "The body is not JSON; nothing has happened.",
    403: "Not allowed.",
    404: "There is no such game or bot.",
    408: "The request took too long to arrive, or was held as long as this server allows.",
    410: "The game is full or over.",
    413: "The body is too large.",
    503: "There are too many games, observers or connections, or the server is ending.",
}
LOCATION: dict[str, Any] = {
    "headers": {
        "Location": {
            "description": "The path of the game.",
            "required": True,
            "schema": {"type": "string"},
        },
        "Connection": {
            "description": "Is `close`: the next request is for a new connection.",
            "required": True,
            "schema": {"const": "close"},
        },
    }
}
BOT_NAMES: dict[str, Any] = {
    "headers": {
        "X-Bots": {
            "description": "The built-in bots that GET /match takes by name; absent: none.",
            "schema": {"type": "string"},
        }
    }
}
TOKEN: dict[str, Any] = {
    "headers": {
        "X-Turn-Token": {
            "description": "For your next move alone. The last answer of a game has none.",
            "schema": {"type": "string"},
        }
    }
}
STREAM: dict[str, Any] = {"content": {"application/x-multi-json": {"schema": {"type": "string"}}}}
VALIDATION = ("HTTPValidationError", "ValidationError")
GameId = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


def list_games() -> None:
    """All games that can be viewed."""


def create_game(body: NewGame) -> None:
    """Create a game, which players then join."""


def find_match(
    bot: Annotated[
        str | None,
        Query(
            description="The name of a practice bot: a built-in one (X-Bots of GET /), or a"
            " stored one of the server's datastore, such as crawler@3."
        ),
    ] = None,
) -> None:
    """Held until another client asks, too: both are told the same game, which both join.

    With the name of a bot the answer comes at once: the bot is in the game, and you join it. A
    server may also let a bot play when no other client has asked for a while.
    """


def view_game(game: GameId) -> None:
    """The game as observers see it."""


def join(game: GameId, body: NewPlayer) -> None:
    """Take a seat. Held until your first turn, or the end of the game."""


def move(
    game: GameId,
    body: NewMove,
    token: Annotated[
        str, Header(alias="X-Turn-Token", description="The one in the last answer that you got.")
    ],
) -> None:
    """Make a move. Held until your next turn, or the end of the game.

    A move that is illegal or malformed is answered with 403 and disqualifies you; a token that is
    not that of the turn is answered with 403 and changes nothing.
    """


def observe(game: GameId, body: NewObserver | None = None) -> None:
    """Watch: a Game, then a Delta for every event, each on a line of its own, until the end."""


@functools.cache
def describe(root_path: str, match_status: int) -> dict[str, Any]:
    """The document of a server that is mounted there."""
    servers = [{"url": root_path or "/"}]
    app = FastAPI(
        title="MebiPenny", version=version("agon"), description=DESCRIPTION, servers=servers
    )

    def add(
        operation: Operation,
        function: Callable[..., None],
        model: Any,
        errors: tuple[int, ...],
        response: dict[str, Any],
        status: int = 200,
    ) -> None:
        responses: dict[int | str, dict[str, Any]] = {
            error: {"model": ErrorObject, "description": ERRORS[error]} for error in errors
        }
        app.add_api_route(
            operation.path,
            function,
            methods=[operation.method],
            response_model=model,
            status_code=status,
            responses=responses | {status: response},
            operation_id=function.__name__,
            response_class=Response if model is None else JSONResponse,
        )

    add(Operation.LIST_GAMES, list_games, list[ListedGame], (), BOT_NAMES)
    refused = (400, 403, 408, 413, 503)
    add(Operation.CREATE_GAME, create_game, None, refused, LOCATION, 201)
    add(Operation.FIND_MATCH, find_match, None, (403, 404, 408, 503), LOCATION, match_status)
    add(Operation.VIEW_GAME, view_game, GameObject, (404,), {})
    add(Operation.JOIN, join, GameObject, (*refused, 404, 410), TOKEN)
    add(Operation.MOVE, move, DeltaObject, (*refused, 404, 410), TOKEN)
    add(Operation.OBSERVE, observe, None, (*refused, 404), STREAM)
    return _without_validation(app.openapi())


def _without_validation(document: dict[str, Any]) -> dict[str, Any]:
    """Without FastAPI's own answer to a wrong body, which this server does not give."""
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    for name in VALIDATION:
        document["components"]["schemas"].pop(name, None)
    return document
