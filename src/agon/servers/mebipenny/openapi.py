"""The server's description for programs: OpenAPI 3.1, written by hand and held to in tests."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from agon.games.mebipenny.game import LONGEST_SIDE, SEATS
from agon.games.mebipenny.wire import DISQUALIFIED, LONGEST_NAME, GameState

if TYPE_CHECKING:
    from agon.games.game import Json, JsonObject
    from agon.servers.mebipenny.settings import MebiPennySettings

WHOLE: JsonObject = {"type": "integer"}
COUNT: JsonObject = {"type": "integer", "minimum": 0}
TEXT: JsonObject = {"type": "string"}
HELD = "The request is held: the answer comes when there is one, and may take minutes."


def describe(root_path: str, settings: MebiPennySettings) -> JsonObject:
    """The OpenAPI document of a server that is mounted there."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "MebiPenny",
            "version": version("agon"),
            "description": "Play MebiPenny over HTTP. Bodies are JSON, whatever their type is"
            " said to be. Errors say in words what was wrong.",
        },
        "servers": [{"url": root_path or "/"}],
        "paths": _paths(settings),
        "components": {"schemas": _schemas(), "headers": _headers()},
    }


# --- Paths --------------------------------------------------------------------------------------


def _paths(settings: MebiPennySettings) -> JsonObject:
    return {
        "/": {"get": _list_games(), "post": _create()},
        "/match": {"get": _match(settings.match_status)},
        "/{game}": {"parameters": [_game_id()], "get": _view()},
        "/{game}/players": {"parameters": [_game_id()], "post": _join()},
        "/{game}/moves": {"parameters": [_game_id()], "post": _move()},
        "/{game}/observers": {"parameters": [_game_id()], "post": _observe()},
    }


def _list_games() -> JsonObject:
    listed: JsonObject = {"type": "array", "items": _ref("Listed")}
    return _operation("listGames", "Which games there are.", {"200": _json("All games.", listed)})


def _create() -> JsonObject:
    created = _json("The game is there.", _ref("Listed"), {"Location": _header("Location")})
    answers = {"201": created, **_errors(400, 403, 408, 413, 503)}
    return _operation("createGame", "Make a game.", answers, _body("NewGame"))


def _match(status: int) -> JsonObject:
    found = _json("The game to join.", _ref("Listed"), {"Location": _header("Location")})
    text = f"Wait for an opponent. {HELD} Two who ask are told the same game, which both join."
    return _operation("match", text, {str(status): found, **_errors(408, 503)})


def _view() -> JsonObject:
    answers = {"200": _json("The game as observers see it.", _ref("Game")), **_errors(404)}
    return _operation("viewGame", "Look at a game.", answers)


def _join() -> JsonObject:
    told = _json(
        "It is your first turn, or the game is over.",
        _ref("Game"),
        {"X-Turn-Token": _header("X-Turn-Token")},
    )
    answers = {"200": told, **_errors(400, 403, 404, 408, 410, 413, 503)}
    text = f"Take a seat. {HELD} It comes at your first turn."
    return _operation("join", text, answers, _body("NewPlayer"))


def _move() -> JsonObject:
    told = _json(
        "It is your next turn, or the game is over.",
        _ref("Delta"),
        {"X-Turn-Token": _header("X-Turn-Token")},
    )
    answers = {"200": told, **_errors(400, 403, 404, 408, 410, 413, 503)}
    text = (
        f"Move. {HELD} It comes at your next turn. A move that is illegal or malformed is answered"
        " with 403 and disqualifies you; a token that is not that of the turn is answered with 403"
        " and changes nothing."
    )
    token: JsonObject = {
        "name": "X-Turn-Token",
        "in": "header",
        "required": True,
        "description": "The one in the last answer that you got.",
        "schema": TEXT,
    }
    return _operation("move", text, answers, _body("NewMove")) | {"parameters": [token]}


def _observe() -> JsonObject:
    streamed: JsonObject = {
        "description": "A Game, then a Delta for every event, each on a line of its own; it ends"
        " with the game.",
        "content": {"application/x-multi-json": {"schema": TEXT}},
    }
    body = _body("NewObserver") | {"required": False}
    answers = {"200": streamed, **_errors(400, 403, 404, 408, 413, 503)}
    return _operation("observe", "Watch a game.", answers, body)


def _operation(
    name: str, text: str, answers: JsonObject, body: JsonObject | None = None
) -> JsonObject:
    found: JsonObject = {"operationId": name, "description": text, "responses": answers}
    return found if body is None else found | {"requestBody": body}


def _game_id() -> JsonObject:
    schema: JsonObject = {"type": "string", "pattern": "^[0-9a-f]{16}$"}
    return {"name": "game", "in": "path", "required": True, "schema": schema}


def _body(schema: str) -> JsonObject:
    return {"required": True, "content": {"application/json": {"schema": _ref(schema)}}}


def _json(text: str, schema: JsonObject, headers: JsonObject | None = None) -> JsonObject:
    found: JsonObject = {
        "description": text,
        "content": {"application/json": {"schema": schema}},
    }
    return found if headers is None else found | {"headers": headers}


ERRORS = {
    400: "The body is not JSON; nothing has happened.",
    403: "Not allowed.",
    404: "There is no such game.",
    408: "The body took too long to arrive, or the request was held for as long as this server"
    " allows.",
    410: "The game is full or over.",
    413: "The body is too large.",
    503: "There is too much going on, or the server is ending.",
}


def _errors(*statuses: int) -> JsonObject:
    return {str(status): _json(ERRORS[status], _ref("Error")) for status in statuses}


def _ref(name: str) -> JsonObject:
    return {"$ref": f"#/components/schemas/{name}"}


def _header(name: str) -> JsonObject:
    return {"$ref": f"#/components/headers/{name}"}


def _headers() -> JsonObject:
    return {
        "Location": {"description": "The path of the game.", "required": True, "schema": TEXT},
        "X-Turn-Token": {
            "description": "To be sent with your next move, and good for it alone. The last answer"
            " of a game has none.",
            "schema": TEXT,
        },
    }


# --- Schemas ------------------------------------------------------------------------------------


def _schemas() -> JsonObject:
    side: JsonObject = {"type": "integer", "minimum": 1, "maximum": LONGEST_SIDE}
    return {
        "Error": _object({"error": TEXT}),
        "Listed": _object({"id": TEXT, "state": _ref("State")}),
        "State": {"type": "string", "enum": [state.value for state in GameState]},
        "Tile": _object({"row": COUNT, "col": COUNT}),
        "Claim": _object({"tile": _ref("Tile"), "owner": _text_or_null("A wall's is null.")}),
        "Player": _player(),
        "Game": _object(
            {"rows": side, "cols": side} | _progress() | {"player_id": _text_or_null("Yours.")}
        ),
        "Delta": _object(_progress()),
        "NewGame": _new_game(side),
        "NewPlayer": _object({"name": {"type": "string", "maxLength": LONGEST_NAME}}, closed=False),
        "NewMove": _new_move(),
        "NewObserver": {
            "properties": {"wrapper": TEXT},
            "description": "The first %s in the wrapper is replaced by each document with its"
            " newline. Without one, documents are sent as they are.",
        },
    }


def _object(properties: JsonObject, *, closed: bool = True) -> JsonObject:
    """An object that has all of these, and nothing else if it is closed."""
    found: JsonObject = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
    }
    return found | {"additionalProperties": False} if closed else found


def _text_or_null(text: str) -> JsonObject:
    return {"type": ["string", "null"], "description": text}


def _progress() -> JsonObject:
    """What Game and Delta have in common."""
    claims: JsonObject = {"type": "array", "items": _ref("Claim")}
    players: JsonObject = {
        "type": "array",
        "items": _ref("Player"),
        "description": "In turn order, the next to move first.",
    }
    return {"draw_size": COUNT, "claims": claims, "players": players, "state": _ref("State")}


def _player() -> JsonObject:
    score: Json = {"oneOf": [COUNT, {"const": DISQUALIFIED}]}
    tiles: JsonObject = {"type": "array", "items": _ref("Tile")}
    hand: JsonObject = {
        "oneOf": [tiles, COUNT],
        "description": "Your own tiles; of others, how many there are.",
    }
    return _object({"id": TEXT, "name": TEXT, "score": score, "hand": hand})


def _new_game(side: JsonObject) -> JsonObject:
    seats: JsonObject = {
        "type": ["integer", "null"],
        "minimum": SEATS[0],
        "maximum": SEATS[-1],
        "default": SEATS[0],
    }
    coverage: JsonObject = {
        "type": ["number", "null"],
        "minimum": 0,
        "maximum": 1,
        "description": "The part of the board that is walls.",
    }
    seed: JsonObject = {
        "type": ["integer", "null"],
        "minimum": -(2**63),
        "maximum": 2**63 - 1,
        "description": "All chance of the game follows from it; else it is drawn.",
    }
    return {
        "type": "object",
        "properties": {
            "rows": side,
            "cols": side,
            "seats": seats,
            "seed_coverage": coverage,
            "seed": seed,
        },
        "required": ["rows", "cols"],
    }


def _new_move() -> JsonObject:
    favor: JsonObject = {
        "description": "The id of the player whom you favour if there is a tie; else it does not"
        " matter.",
    }
    tile = _object({"row": WHOLE, "col": WHOLE}, closed=False)
    played: JsonObject = {
        "type": "object",
        "properties": {"tile": tile, "favor": favor},
        "required": ["tile"],
    }
    return {"oneOf": [played, {"const": "PASS"}]}
