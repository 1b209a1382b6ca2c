"""Answers to what went wrong: a page for people, `{"error": ...}` for programs."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.routing import compile_path

from agon.errors import AgonError, DatabaseError, NotReadyError
from agon.strict_json import TOO_DEEP
from agon.website.http.headers import protection
from agon.website.http.validation import tell_invalid
from agon.website.identity import Visitor
from agon.website.render.pages import render
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import Request

LOG = logging.getLogger("agon.website")
NO_DATASTORE = "The site cannot read or write its data just now. Try again in a moment."
NO_TEXT = "There was an error parsing the body"
"""What the framework says of a body that is not even text."""


def not_found(what: str) -> HTTPException:
    """The error for a thing that does not exist, or that is hidden from the visitor."""
    return HTTPException(HTTPStatus.NOT_FOUND, what)


def wants_json(request: Request) -> bool:
    """Whether a program asks: the API, and scripts that say so."""
    asked = request.headers.get("accept", "")
    return request.url.path.startswith("/api/") or asked.startswith("application/json")


def answer(
    request: Request,
    status: int,
    detail: str,
    headers: Mapping[str, str] | None = None,
    heading: str = "",
) -> Response:
    """The answer to an error, in the form in which it was asked."""
    if wants_json(request):
        return JSONResponse({"error": detail}, status, headers)
    heading = heading or HTTPStatus(status).phrase
    page = render(request, "error.html", status=status, heading=heading, detail=detail)
    page.headers.update(headers or {})
    return page


def on_http(request: Request, error: Any) -> Response:
    """An error that a route raised on purpose, or an address that does not exist."""
    detail = "" if error.detail == HTTPStatus(error.status_code).phrase else str(error.detail)
    if error.status_code == HTTPStatus.NOT_FOUND and not detail:
        detail = f"There is nothing at {request.url.path}"
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(_methods_at(request))
        detail = f"{request.method} {request.url.path}: expected {allowed}"
        return answer(request, error.status_code, detail, {"Allow": allowed})
    if detail == NO_TEXT:
        is_deep = isinstance(error.__cause__, RecursionError)
        told = TOO_DEEP if is_deep else "no text: expected JSON in UTF-8"
        detail = f"The body is {told}"
    return answer(request, error.status_code, detail or str(error.detail), error.headers)


def _methods_at(request: Request) -> list[str]:
    """What can be done at the address, of which one route alone would not tell."""
    path = request.scope["path"]
    found: set[str] = set()
    for route in iter_route_contexts(request.app.routes):
        if route.path and route.methods and compile_path(route.path)[0].match(path):
            found |= route.methods
    return sorted(found)


def on_invalid(request: Request, error: Any) -> Response:
    """A part of the request that is not what it should be."""
    is_address = any(one["loc"][0] == "path" for one in error.errors())
    if is_address and not wants_json(request):
        return answer(request, HTTPStatus.NOT_FOUND, f"There is nothing at {request.url.path}")
    return answer(request, HTTPStatus.UNPROCESSABLE_ENTITY, tell_invalid(error.errors()))


def on_agon(request: Request, error: Exception) -> Response:
    """An error that the client can fix."""
    return answer(request, HTTPStatus.BAD_REQUEST, str(error))


def on_database(request: Request, error: Any) -> Response:
    """The database fails. Its own words are for the operator: they name its address."""
    if not error.is_passing:
        return on_crash(request, error)
    LOG.warning("%s %s: %s", request.method, request.url.path, error)
    request.state.visitor = Visitor()  # who asks cannot be looked up
    headers = {"Retry-After": "10"}
    return answer(request, HTTPStatus.SERVICE_UNAVAILABLE, NO_DATASTORE, headers)


def on_not_ready(request: Request, error: Exception) -> Response:
    """The rules of the game are being compiled: the page comes again by itself."""
    told = get_site(request).progress or error
    detail = f"The games are being prepared, as after every install: {told}."
    headers = {"Retry-After": "5", "Refresh": "3"}
    return answer(request, HTTPStatus.SERVICE_UNAVAILABLE, detail, headers, "Getting ready")


def on_gone(request: Request, error: Exception) -> Response:
    """The client has disconnected before its request had come as a whole: the answer is lost."""
    return Response(status_code=HTTPStatus.BAD_REQUEST)


def on_crash(request: Request, error: Exception) -> Response:
    """A mistake of ours: it is logged, and says nothing about the inside."""
    LOG.error("%s %s failed", request.method, request.url.path, exc_info=error)
    detail = "Something went wrong on our side. It has been noted."
    response = answer(request, HTTPStatus.INTERNAL_SERVER_ERROR, detail)
    # Made outside of all that other answers go through.
    response.headers.update(protection(secure=get_site(request).settings.secure_cookies))
    return response


HANDLERS: dict[Any, Any] = {
    HTTPException: on_http,
    RequestValidationError: on_invalid,
    NotReadyError: on_not_ready,
    DatabaseError: on_database,
    AgonError: on_agon,
    ClientDisconnect: on_gone,
    Exception: on_crash,
}
