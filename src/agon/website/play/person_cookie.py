"""Who plays: an account, or a secret that the browser keeps in a cookie of its own.

Programs without an account send the secret that they were given in the header `X-Play-Secret`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agon.arena.people.party import Person
from agon.website.identity import current_user
from agon.website.sessions import LONGEST_COOKIE, new_cookie_secret, read_cookie
from agon.website.site import get_site

if TYPE_CHECKING:
    from fastapi import Request, Response

HEADER = "x-play-secret"
DAYS_S = 30 * 24 * 3600


def player_cookie(*, secure: bool) -> str:
    """The name of the cookie of visitors who play without an account."""
    return "__Host-agon_player" if secure else "agon_player"


def read_person(request: Request) -> Person:
    """Who asks. A new visitor has no secret yet, and so no seat in any match."""
    user = current_user(request)
    if user is not None:
        return Person(_read_secret(request), user.id, user.name)
    return Person(_read_secret(request))


def meet_person(request: Request) -> Person:
    """Who asks, with a secret if they need one: before they take a seat."""
    person = read_person(request)
    if person.secret or person.user_id is not None:
        return person
    return Person(new_cookie_secret())


def remember(request: Request, response: Response, person: Person) -> None:
    """Have the browser keep the secret."""
    if not person.secret or person.user_id is not None:
        return
    secure = get_site(request).settings.secure_cookies
    response.set_cookie(
        player_cookie(secure=secure),
        person.secret,
        max_age=DAYS_S,
        path="/",
        secure=secure,
        httponly=True,
        samesite="lax",
    )


def _read_secret(request: Request) -> str:
    given = request.headers.get(HEADER, "")
    if given:
        return given if len(given) <= LONGEST_COOKIE and given.isascii() else ""
    secure = get_site(request).settings.secure_cookies
    return read_cookie(request, player_cookie(secure=secure)) or ""
