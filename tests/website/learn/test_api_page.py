"""The API's page: it says of every route what it takes and gives."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from agon.website.learn.api_page import describe
from agon.website.render.pages import templates
from tests.website.people import make_world

if TYPE_CHECKING:
    from pathlib import Path

OPENAPI = {
    "paths": {
        "/api/v1/things/{thing_id}": {
            "put": {
                "summary": "Change Thing",
                "tags": ["Things"],
                "description": "Change a thing <or two>.",
                "parameters": [
                    {"name": "thing_id", "in": "path", "required": True,
                     "schema": {"type": "integer"}},
                    {"name": "how", "in": "query",
                     "schema": {"enum": ["a", "b"], "description": "In which way <or not>."}},
                ],
                "requestBody": {"content": {"application/zip": {
                    "schema": {"type": "string", "format": "binary"}}}},
                "responses": {
                    "200": {"content": {"application/json": {
                        "schema": {"$ref": "#/components/schemas/ThingBody"}}}},
                    "204": {"description": "Done"},
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


def test_every_route_of_the_api_is_on_the_page(blank: Path) -> None:
    world = make_world(blank)
    try:
        answer = world.browser().get("/docs")
        assert answer.status_code == 200
        text = unescape(answer.text)
        paths = world.app.openapi()["paths"]
        assert len(paths) > 10
        for path, methods in paths.items():
            for method in methods:
                assert f"{method.upper()} {path}\n" in text
        assert 'Skyport\'s is described on <a href="/learn/skyport/protocol">its page</a>,' in text
        assert 'MebiPenny\'s by <a href="/mebipenny/openapi.json">/mebipenny/openapi.json' in text
        targets = set(re.findall(r'href="#([^"]+)"', text))
        assert len(targets) > 20
        assert targets <= set(re.findall(r'id="([^"]+)"', text))
    finally:
        world.close()


def test_a_route_in_words() -> None:
    text = templates().get_template("_api_reference.html").render(describe(OPENAPI))
    assert "<h3>Change thing</h3>" in text
    assert "Change a thing &lt;or two&gt;." in text
    assert "<code>PUT /api/v1/things/{thing_id}\n</code>" in text
    assert "<li><code>thing_id</code> in the path: integer</li>" in text
    how = "<code>how</code> in the query, optional: <code>a</code> or <code>b</code>. In which way"
    assert f"<li>{how} &lt;or not&gt;.</li>" in text
    lines = [" ".join(line.split()) for line in text.replace("\n</li>", "</li>").splitlines()]
    assert "<li>Body: binary (<code>application/zip</code>)</li>" in lines
    assert '<li>200: <a href="#ThingBody">ThingBody</a></li>' in lines
    assert "<li>204: no body</li>" in lines
    assert "<li>404: There is none</li>" in lines
    assert "429" not in text
    assert "<li><code>parts</code>: list of string</li>" in lines
    assert "<li><code>made</code>, optional: date-time</li>" in lines
