"""What the site warns of, and its figures, for organisers: a full disk, long queues, and so on."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.monitoring.figures import read_figures
from agon.website.render.pages import render
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)


@router.get("/warnings")
def show_warnings(request: Request, organiser: Organiser) -> Response:
    """The latest warnings since the site started, and its figures at this moment."""
    site = get_site(request)
    figures = read_figures(site)
    return render(request, "warnings.html", warnings=site.warnings.latest(), figures=figures)
