"""The host names that the site answers to; requests for any other host are refused.

Without this check, a page of another site could give this machine a name of its own (DNS rebinding)
and then read and change what the visitor may. Starlette's `TrustedHostMiddleware` compares names
only; a site on all interfaces is also reached by the addresses of its machine.
"""

from __future__ import annotations

import re
import socket
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse

from agon.errors import SettingError
from agon.website.http.errors import wants_json
from agon.website.render.pages import templates
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from ipaddress import IPv4Address, IPv6Address

    from starlette.types import ASGIApp, Receive, Scope, Send

NAME = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
HOST = re.compile(rf"({NAME.pattern}|\[[0-9a-f:.]+\])\.?(:[0-9]{{1,5}})?")
STATIC = "/static/"
"""Public files, for the page that says why a host is refused."""


class HostMiddleware:
    """Refuses requests for other hosts, with status 421 and a page that says what to do."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(STATIC):
            request = Request(scope)
            if not is_known_host(scope, get_site(request).settings.host_names):
                await _refuse(request)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def is_known_host(scope: Scope, names: Collection[str] | None) -> bool:
    """Whether the request is for one of these names, or for an address of this machine.

    None: all names are known. A request without a Host header claims no name.
    """
    hosts = (value for name, value in scope["headers"] if name == b"host")
    found = [HOST.fullmatch(host.decode("latin-1").lower()) for host in hosts]
    return names is None or all(
        one is not None and (one[1] in names or _is_own_address(one[1], scope)) for one in found
    )


def find_names(host: str, chosen: Iterable[str]) -> frozenset[str]:
    """The names of a site that listens at this host: this machine's own, and the chosen ones."""
    machine = socket.gethostname().lower()
    short = machine.partition(".")[0]
    wanted = [name.lower().rstrip(".") for name in chosen]
    for name in wanted:
        if not NAME.fullmatch(name):
            raise SettingError(
                f"--host-name {name[:60]!r}: expected a name such as agon.example.org,"
                " without scheme and port"
            )
    return frozenset({"localhost", machine, short, f"{short}.local", host.lower(), *wanted})


def _is_own_address(host: str, scope: Scope) -> bool:
    """Whether it is a loopback address, or the one at which the request has arrived."""
    try:
        address = _parse_address(host)
        return address.is_loopback or address == _parse_address((scope.get("server") or [""])[0])
    except ValueError:
        return False


def _parse_address(text: str) -> IPv4Address | IPv6Address:
    address = ip_address(text.strip("[]").partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


def _refuse(request: Request) -> HTMLResponse | JSONResponse:
    host = HOST.fullmatch(request.headers["host"].lower())
    name = host[1] if host is not None and NAME.fullmatch(host[1]) else ""
    status = HTTPStatus.MISDIRECTED_REQUEST
    if wants_json(request):
        shown = request.headers["host"][:60]
        option = f"--host-name {name or 'NAME'}"
        detail = f"host {shown!r}: this site does not answer to it; see `agon serve {option}`"
        return JSONResponse({"error": detail}, status)
    page = templates().get_template("unknown_host.html")
    return HTMLResponse(page.render(settings=get_site(request).settings, name=name), status)
