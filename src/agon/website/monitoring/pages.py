"""`/healthz`, for all, and `/metrics`, for the machine itself and chosen networks."""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse

from agon.website.monitoring.exposition import MEDIA_TYPE, format_metrics
from agon.website.monitoring.figures import read_figures
from agon.website.monitoring.health import find_missing
from agon.website.site import get_site

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Network, IPv6Network

router = APIRouter(include_in_schema=False)

FORWARDED = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""A request with one of these headers came through a proxy: its sender is not the one who asks."""
NOT_FOR_YOU = (
    "The figures are for the machine of the site; see `agon serve --metrics-from`. A proxy does not"
    " pass them on."
)
NO_STORE = {"Cache-Control": "no-store"}


@router.get("/healthz")
def show_health(request: Request) -> JSONResponse:
    """Status 200 if all is well, 503 if something is missing."""
    site = get_site(request)
    missing = find_missing(site)
    body = {
        "status": "failing" if missing else "ok",
        "missing": missing,
        "rules": site.progress or "ready",
        "draining": site.draining.is_set(),
    }
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    return JSONResponse(body, status, NO_STORE)


@router.get("/metrics")
def show_metrics(request: Request) -> PlainTextResponse:
    """The figures in Prometheus' text format."""
    site = get_site(request)
    if not may_read(request, site.settings.metrics_from):
        raise HTTPException(HTTPStatus.FORBIDDEN, NOT_FOR_YOU)
    return PlainTextResponse(format_metrics(read_figures(site)), 200, NO_STORE, MEDIA_TYPE)


def may_read(request: Request, networks: Iterable[IPv4Network | IPv6Network]) -> bool:
    """Whether the request comes straight from this machine or from one of these networks."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        found = ip_address(request.client.host.partition("%")[0])
    except ValueError:
        return False
    address = getattr(found, "ipv4_mapped", None) or found
    return address.is_loopback or any(address in network for network in networks)
