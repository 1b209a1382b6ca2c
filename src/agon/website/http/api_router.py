"""What all parts of the API share: where they are, how often they may be asked, how they fail."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel

from agon.datastore.users import User
from agon.website.accounts.policy import client_key, hold_up
from agon.website.identity import LoggedIn, Organiser, current_user
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIX = "/api/v1"
SECOND_NS = 10**9


class ErrorBody(BaseModel):
    """What went wrong."""

    error: str


def _told(description: str) -> dict[str, Any]:
    return {"model": ErrorBody, "description": description}


FOR_ALL: dict[int | str, dict[str, Any]] = {
    400: _told("The body cannot be read, or what is asked for cannot be"),
    413: _told("More bytes than are taken"),
    422: _told("Something in the request is not what was expected"),
    429: _told("Too often: `Retry-After` says how many seconds to wait"),
}
"""How a route that needs no account can fail; for the documentation."""

FOR_USERS = FOR_ALL | {401: _told("Not logged in"), 403: _told("Not for this user")}
"""How a route for users can fail."""

MISSING: dict[int | str, dict[str, Any]] = {
    404: _told("There is none, or it belongs to another user")
}


def limit_api(request: Request) -> None:
    """Count the call for its user, or for its address; a dependency of all API routes."""
    site, user = get_site(request), current_user(request)
    key = client_key(request) if user is None else f"user {user.id}"
    hold_up(site.guard.api, key, site.now_ns())


TOKEN = HTTPBearer(
    auto_error=False, description="A token from `POST /api/v1/login`, or from the account page."
)
"""For the documentation; `identity` reads it."""
ShownToken = Annotated[HTTPAuthorizationCredentials | None, Depends(TOKEN)]


def need_api_user(user: LoggedIn, _shown: ShownToken) -> User:
    """The user who asks; a dependency of routes that are for users."""
    return user


def need_api_organiser(organiser: Organiser, _shown: ShownToken) -> User:
    """The organiser who asks; a dependency of routes that are for organisers."""
    return organiser


ApiUser = Annotated[User, Depends(need_api_user)]
ApiOrganiser = Annotated[User, Depends(need_api_organiser)]


def api_router(tag: str, *checks: Callable[[Request], None]) -> APIRouter:
    """A router for one part of the API; the tag groups its routes in the documentation."""
    dependencies = [Depends(check) for check in (limit_api, *checks)]
    return APIRouter(prefix=PREFIX, tags=[tag], dependencies=dependencies, responses=FOR_ALL)


def moment(time_ns: int) -> datetime:
    """A stored time as the API tells it: to the second, in UTC."""
    return datetime.fromtimestamp(time_ns // SECOND_NS, UTC)
