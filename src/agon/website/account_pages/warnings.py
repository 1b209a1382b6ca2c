"""What the site warns of, for organisers: a full disk, a clock that was set, and so on."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from agon.website.identity import Organiser  # noqa: TC001  FastAPI reads it
from agon.website.render.pages import render
from agon.website.site import get_site

router = APIRouter(include_in_schema=False)


@router.get("/warnings")
def show_warnings(request: Request, organiser: Organiser) -> Response:
    """The latest warnings since the site started."""
    return render(request, "warnings.html", warnings=get_site(request).warnings.latest())
