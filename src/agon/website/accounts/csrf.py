"""The token that our forms carry, so that a form of another site cannot be mistaken for one.

It is a keyed hash of the browser's secret: of its session, or for those who are not logged in of
a cookie that they get with their first form. Other sites can neither read nor compute it. The
field `csrf` stands first in a form, so that it is found before a whole upload was read; scripts
send it in the header `X-Csrf-Token`.
"""

from __future__ import annotations

import hmac
import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from agon.website.accounts.sessions import new_cookie_secret, read_cookie, read_session
from agon.website.site import get_site

if TYPE_CHECKING:
    from fastapi import Request

    from agon.website.site import Site

FIELD = "csrf"
HEADER = "x-csrf-token"
PURPOSE = b"agon form"
URLENCODED = "application/x-www-form-urlencoded"
MULTIPART = "multipart/form-data"
TOKEN = rb"[0-9a-f]{64}"
IN_MULTIPART = re.compile(
    rb'--[^\r\n]+\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n(' + TOKEN + rb")\r\n--",
    re.IGNORECASE,
)


class FormToken:
    """The token of a page's forms; a page without forms never asks for it, and sets no cookie."""

    def __init__(self, request: Request) -> None:
        """For the browser that sent this request."""
        self._request = request

    def __html__(self) -> str:
        """The token, as templates write it."""
        return str(self)

    def __str__(self) -> str:
        """The token."""
        return form_token(form_secret(self._request))


def visit_cookie(*, secure: bool) -> str:
    """The name of the cookie of those who are not logged in."""
    return "__Host-agon_visit" if secure else "agon_visit"


def read_secret(request: Request, site: Site) -> str | None:
    """The secret of the browser, from whichever cookie counts."""
    secure = site.settings.secure_cookies
    return read_session(request, site) or read_cookie(request, visit_cookie(secure=secure))


def form_secret(request: Request) -> str:
    """The secret of the browser; a new one, to be sent with the answer, if it has none."""
    request.state.has_form = True
    secret = read_secret(request, get_site(request)) or new_visit(request)
    if secret is None:
        secret = request.state.new_visit = new_cookie_secret()
    return secret


def new_visit(request: Request) -> str | None:
    """The secret that is to be sent with the answer, if the browser had none."""
    secret: str | None = getattr(request.state, "new_visit", None)
    return secret


def has_form(request: Request) -> bool:
    """Whether the answer holds the token of a form."""
    return getattr(request.state, "has_form", False)


def form_token(secret: str) -> str:
    """The token of the forms for the browser with this secret."""
    return hmac.digest(secret.encode(), PURPOSE, "sha256").hex()


def is_form_token(given: str | None, secret: str | None) -> bool:
    """Whether the token belongs to the secret."""
    if given is None or secret is None:
        return False
    return hmac.compare_digest(given.encode(errors="replace"), form_token(secret).encode())


def find_token(content_type: str, beginning: bytes) -> str | None:
    """The token at the beginning of a form that was sent."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == URLENCODED:
        first, _, _ = beginning.partition(b"&")
        values = parse_qs(first.decode("latin-1")).get(FIELD)
        return values[0] if values else None
    if kind == MULTIPART and (found := IN_MULTIPART.match(beginning)):
        return found[1].decode()
    return None
