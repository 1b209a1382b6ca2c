"""Redirects: to the log-in page when a user must log in first, and back afterwards."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit, urlunsplit

from starlette.responses import RedirectResponse, Response

from agon.website.http.errors import on_http, wants_json
from agon.website.identity import LogInNeededError, PasswordNeededError

if TYPE_CHECKING:
    from fastapi import Request

SAFE = ("GET", "HEAD")


def see(path: str) -> RedirectResponse:
    """Send the browser on to a page, after a form."""
    return RedirectResponse(path, HTTPStatus.SEE_OTHER)


def own_path(text: str, default: str = "/") -> str:
    """The address, if it is one of ours; else the default, so that no link leads elsewhere.

    >>> own_path("/bots/3?tab=log"), own_path("//evil.test/"), own_path("https://evil.test/")
    ('/bots/3?tab=log', '/', '/')
    """
    if not text.startswith("/") or text.startswith("//"):
        return default
    if not text.isascii() or not text.isprintable() or "\\" in text:
        return default
    return text


def as_path(address: str) -> str:
    """The path of an address of this site, without the host.

    >>> as_path("http://evil.test/games/hive?tab=log"), as_path("/upload#files")
    ('/games/hive?tab=log', '/upload#files')
    """
    return own_path(urlunsplit(urlsplit(address)._replace(scheme="", netloc="")))


def on_log_in_needed(request: Request, error: Any) -> Response:
    """Programs are told; browsers come to the log-in page, and from there back."""
    if wants_json(request):
        return on_http(request, error)
    if request.method not in SAFE:
        return see("/login")
    query = f"?{request.url.query}" if request.url.query else ""
    return see("/login?next=" + quote(request.scope["path"] + query, safe=""))


def on_password_needed(request: Request, error: Any) -> Response:
    """Programs are told; browsers come to the page where a password is chosen."""
    return on_http(request, error) if wants_json(request) else see("/account")


HANDLERS: dict[Any, Any] = {
    LogInNeededError: on_log_in_needed,
    PasswordNeededError: on_password_needed,
}
