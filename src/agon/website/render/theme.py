"""The games' style sheets and glyphs, as files of the site."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from fastapi import APIRouter, Response
from starlette.exceptions import HTTPException

from agon.errors import SettingError
from agon.website.render.assets import ASK_AGAIN, FOR_GOOD
from agon.website.render.boards import draw_glyphs, look_css, look_version

if TYPE_CHECKING:
    from collections.abc import Callable

router = APIRouter(include_in_schema=False)


@router.get("/looks/{name}.css")
def show_css(name: str, v: str = "") -> Response:
    return _file(name, v, "text/css", look_css)


@router.get("/looks/{name}.svg")
def show_glyphs(name: str, v: str = "") -> Response:
    """The glyphs of a look, for scripts that draw a board on a page that had none of it."""
    return _file(name, v, "image/svg+xml", draw_glyphs)


def _file(name: str, version: str, media: str, make: Callable[[str], str]) -> Response:
    try:
        content = make(name)
    except SettingError:
        raise HTTPException(HTTPStatus.NOT_FOUND, f"There is no look {name[:60]!r}") from None
    keep = FOR_GOOD if version == look_version(name) else ASK_AGAIN
    return Response(content, media_type=media, headers={"Cache-Control": keep})
