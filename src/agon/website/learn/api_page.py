"""The API's page for people, at /docs: FastAPI's description as a plain page without scripts."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from markupsafe import Markup

from agon.servers.registry import SERVERS
from agon.website.render.pages import public_page, render

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    Schema: TypeAlias = Mapping[str, Any]

router = APIRouter(include_in_schema=False)

NOT_SHOWN = frozenset({"ErrorBody", "HTTPValidationError", "ValidationError"})
COMMON = frozenset({"400", "413", "422", "429"})
"""How every route can fail; the page says it once."""


@router.get("/docs", response_class=HTMLResponse)
def docs(request: Request) -> Response:
    """All routes of the API, and what they take and give."""
    return public_page(
        request,
        lambda: render(
            request, "docs.html", servers=SERVERS.values(), **describe(request.app.openapi())
        ),
    )


def describe(openapi: Schema) -> dict[str, Any]:
    """What the page shows: routes by tag, and the objects that they send and take."""
    tags: dict[str, list[tuple[str, str, Schema]]] = defaultdict(list)
    for path, methods in openapi["paths"].items():
        for method, operation in methods.items():
            tags[operation["tags"][0]].append((method.upper(), path, operation))
    objects = {
        name: schema
        for name, schema in sorted(openapi["components"]["schemas"].items())
        if name not in NOT_SHOWN
    }
    return {"tags": tags, "objects": objects, "type_of": type_of, "common": COMMON}


def type_of(schema: Schema) -> Markup:
    """A type as JSON Schema calls it, with links to objects.

    >>> type_of({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    Markup('integer or null')
    >>> type_of({"type": "array", "items": {"$ref": "#/components/schemas/BotBody"}})
    Markup('list of <a href="#BotBody">BotBody</a>')
    """
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return Markup('<a href="#{0}">{0}</a>').format(name)
    if "anyOf" in schema:
        return Markup(" or ").join(map(type_of, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return Markup(" or ").join(Markup("<code>{}</code>").format(value) for value in values)
    if schema.get("type") == "array":
        return Markup("list of {}").format(type_of(schema.get("items", {})))
    return Markup("{}").format(schema.get("format") or schema.get("type", "any JSON"))
