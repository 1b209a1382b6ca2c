"""Who asks: by the session's cookie, or by a token in `Authorization: Bearer agon_…`.

A request that shows a token is its user's, whatever cookies come with it; one with a bad token
has no user.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from agon.datastore.users import User
from agon.website.sessions import read_session
from agon.website.site import get_site

if TYPE_CHECKING:
    from agon.datastore.sessions import Session
    from agon.website.site import Site

BEARER = "bearer"
NOT_LOGGED_IN = "Log in first, or send a token: Authorization: Bearer agon_…"
BAD_TOKEN = "The token is not known, it was revoked, or its user is suspended."  # noqa: S105


class LogInNeededError(HTTPException):
    """Only a logged-in user may do this."""

    def __init__(self, request: Request) -> None:
        """Programs get status 401, browsers the log-in page."""
        words = BAD_TOKEN if shows_token(request) else NOT_LOGGED_IN
        super().__init__(HTTPStatus.UNAUTHORIZED, words, {"WWW-Authenticate": "Bearer"})


class PasswordNeededError(HTTPException):
    """First the user must choose a password of their own."""

    def __init__(self) -> None:
        """Programs get status 403, browsers the account page."""
        super().__init__(
            HTTPStatus.FORBIDDEN,
            "Your password is temporary: choose your own on the account page first.",
        )


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks, and how we know."""

    user: User | None = None
    session: Session | None = None
    """None if a token was shown."""


def identify(request: Request) -> Visitor:
    """Who asks; looked up once a request."""
    known: Visitor | None = getattr(request.state, "visitor", None)
    if known is None:
        known = request.state.visitor = _look_up(request)
    return known


def current_user(request: Request) -> User | None:
    """The user who is logged in, if there is one."""
    return identify(request).user


def shows_token(request: Request) -> bool:
    """Whether the request comes with a token of its own, good or bad."""
    return request.headers.get("authorization", "").partition(" ")[0].lower() == BEARER


def need_account(request: Request) -> User:
    """The user who asks, even if their password is temporary; a dependency of routes."""
    user = current_user(request)
    if user is None:
        raise LogInNeededError(request)
    return user


def need_user(user: Annotated[User, Depends(need_account)]) -> User:
    """The user who asks; a dependency of routes that are for users."""
    if user.password_is_temporary:
        raise PasswordNeededError
    return user


def need_organiser(user: Annotated[User, Depends(need_user)]) -> User:
    """The organiser who asks; a dependency of routes that are for organisers."""
    if not user.organiser:
        raise HTTPException(HTTPStatus.FORBIDDEN, "This is for organisers.")
    return user


Account = Annotated[User, Depends(need_account)]
LoggedIn = Annotated[User, Depends(need_user)]
Organiser = Annotated[User, Depends(need_organiser)]


def _look_up(request: Request) -> Visitor:
    site = get_site(request)
    now_ns = site.now_ns()
    if shows_token(request):
        return Visitor(_user_of_token(request, site, now_ns))
    secret = read_session(request, site)
    if secret is None:
        return Visitor()
    session = site.store.sessions.use(secret, now_ns, site.guard.idle_ns)
    user = None if session is None else _present(site, session.user_id)
    return Visitor() if user is None else Visitor(user, session)


def _user_of_token(request: Request, site: Site, now_ns: int) -> User | None:
    secret = request.headers["authorization"].partition(" ")[2].strip()
    token = site.store.tokens.use(secret, now_ns)
    return None if token is None else _present(site, token.user_id)


def _present(site: Site, user_id: int) -> User | None:
    user = site.store.users.get(user_id)
    return user if user.is_present else None
