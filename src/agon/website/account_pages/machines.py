"""What plays for the site, for organisers: machines, queues, and jobs that failed."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from agon.arena.fleet.local_fleet import LocalFleet
from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.monitoring.machines import own_server, read_machines, read_queues
from agon.website.render.pages import render
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)
REFRESH_SECONDS = 4
QUEUES = {
    "ladder": "Ladder matches",
    "challenge": "Challenges",
    "check": "Checks of bots",
}


@router.get("/machines")
def show_machines(request: Request, organiser: Organiser) -> Response:
    """The machines at this moment; says so if the cluster does not answer within two seconds."""
    site = get_site(request)
    server, servers = own_server(site)
    workers = site.workers
    return render(
        request,
        "machines.html",
        found=read_machines(site),
        queues=read_queues(site),
        titles=QUEUES,
        is_cluster=workers is not None and not isinstance(workers.processes, LocalFleet),
        server=server,
        servers=servers,
        refresh=REFRESH_SECONDS,
    )
