"""Log-in sessions as cookies.

A session begins with a new secret, whatever cookie the browser came with: a planted cookie opens
nothing. Scripts cannot read the cookie, and other sites cannot send it with
a form of theirs.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import Request, Response

    from agon.datastore.users import User
    from agon.website.site import Site

SECRET_BYTES = 32
LONGEST_COOKIE = 100
SECOND_NS = 10**9


def session_cookie(*, secure: bool) -> str:
    """The cookie's name; with HTTPS one that no other host and no plain connection can set."""
    return "__Host-agon_session" if secure else "agon_session"


def read_cookie(request: Request, name: str) -> str | None:
    """The value of a cookie of ours, if it can be one."""
    value = request.cookies.get(name, "")
    return value if 0 < len(value) <= LONGEST_COOKIE and value.isascii() else None


def read_session(request: Request, site: Site) -> str | None:
    """The secret of the session that the browser says it has."""
    return read_cookie(request, session_cookie(secure=site.settings.secure_cookies))


def new_cookie_secret() -> str:
    return secrets.token_urlsafe(SECRET_BYTES)


def begin_session(request: Request, response: Response, site: Site, user: User) -> None:
    """Log the user in, in this browser, and end the session that it had before."""
    now_ns, guard = site.now_ns(), site.guard
    end_session(request, response, site)
    secret = new_cookie_secret()
    site.store.sessions.sweep(now_ns, guard.idle_ns)
    site.store.sessions.add(user.id, secret, now_ns, now_ns + guard.longest_ns)
    secure = site.settings.secure_cookies
    response.set_cookie(
        session_cookie(secure=secure),
        secret,
        max_age=guard.longest_ns // SECOND_NS,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def end_session(request: Request, response: Response, site: Site) -> None:
    secret = read_session(request, site)
    if secret is not None:
        site.store.sessions.end(secret)
    secure = site.settings.secure_cookies
    response.delete_cookie(
        session_cookie(secure=secure), path="/", secure=secure, httponly=True, samesite="lax"
    )
