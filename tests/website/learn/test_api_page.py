"""The API's page: it says of every route what it takes and gives."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from agon.website.learn.api_text import describe_api

if TYPE_CHECKING:
    from pathlib import Path

    from tests.website.people import World

from tests.website.people import make_world

OPENAPI = {
    "paths": {
        "/api/v1/things/{thing_id}": {
            "put": {
                "summary": "Change Thing",
                "tags": ["Things"],
                "description": "Change a thing | or two.",
                "parameters": [
                    {"name": "thing_id", "in": "path", "required": True,
                     "schema": {"type": "integer"}},
                    {"name": "how", "in": "query",
                     "schema": {"enum": ["a", "b"], "description": "In which way | or not."}},
                ],
                "requestBody": {"content": {"application/zip": {
                    "schema": {"type": "string", "format": "binary"}}}},
                "responses": {
                    "200": {"content": {"application/json": {
                        "schema": {"$ref": "#/components/schemas/ThingBody"}}}},
                    "404": {"description": "There is none"},
                    "429": {"description": "Too often"},
                },
            }
        }
    },
    "components": {"schemas": {"ThingBody": {
        "description": "A thing.",
        "properties": {"parts": {"type": "array", "items": {"type": "string"}},
                       "made": {"type": "string", "format": "date-time"}},
        "required": ["parts"],
    }}},
}  # fmt: skip


def page_of(world: World) -> str:
    answer = world.browser().get("/docs")
    assert answer.status_code == 200
    return answer.text


def test_every_route_of_the_api_is_on_the_page(blank: Path) -> None:
    world = make_world(blank)
    try:
        text = unescape(page_of(world))
        paths = world.app.openapi()["paths"]
        assert len(paths) > 10
        for path, methods in paths.items():
            for method in methods:
                assert f"{method.upper()} {path}\n" in text
    finally:
        world.close()


def test_links_to_objects_lead_somewhere(blank: Path) -> None:
    world = make_world(blank)
    try:
        text = page_of(world)
    finally:
        world.close()
    targets = set(re.findall(r'href="#([^"]+)"', text))
    assert len(targets) > 20
    assert targets <= set(re.findall(r'id="([^"]+)"', text))


def test_a_route_in_words() -> None:
    text = describe_api(OPENAPI)
    _, _, route = text.partition("## Things")
    assert "### Change thing" in route
    assert "    PUT /api/v1/things/{thing_id}\n" in route
    assert "| `thing_id` | in the path | whole number |" in route
    assert "| `how` | in the query, optional | `a` or `b`: In which way \\| or not. |" in route
    assert "- **Body:** bytes (`application/zip`)" in route
    assert "- **200:** [ThingBody](#thingbody)" in route
    assert "- **404:** There is none" in route
    assert "429" not in route
    assert "| `parts` | list of text |  |" in route
    assert "| `made` | date and time, optional |  |" in route
