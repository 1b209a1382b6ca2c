"""The API's page for people, at /docs; made here, without anybody else's scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from agon.website.learn.api_text import describe_api
from agon.website.render.markdown import read_article
from agon.website.render.pages import public_page, render

if TYPE_CHECKING:
    from agon.website.render.markdown import Article

router = APIRouter(include_in_schema=False)

PART = 2
"""The level of headings that are in the table of contents: there are very many below it."""


@router.get("/docs", response_class=HTMLResponse)
def docs(request: Request) -> Response:
    """All routes of the API, and what they take and give."""
    return public_page(request, lambda: render(request, "docs.html", article=_read(request)))


def _read(request: Request) -> Article:
    article = read_article(describe_api(request.app.openapi()), lambda page: page)
    parts = tuple(heading for heading in article.headings if heading.level == PART)
    return replace(article, headings=parts)
