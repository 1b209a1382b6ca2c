"""The API in words: from its OpenAPI description to a page that people read.

The text is Markdown like all our pages, made from what the routes themselves say: it cannot be out
of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from agon.website.render.markdown import slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Schema: TypeAlias = Mapping[str, Any]

OPENING = """\
# The API

Everything that can be done on these pages, for programs. Requests and answers are JSON, unless
it says otherwise; times are in UTC. [/openapi.json](/openapi.json) is the same for tools.

## How to begin

Reading needs no account. Whatever belongs to a user needs a token: from the account page, or by
logging in. It is sent with every request.

    SITE=https://agon.example  # the address of this site
    curl -s $SITE/api/v1/login -H 'Content-Type: application/json' \\
         -d '{"name": "ada", "password": "...", "token_name": "my script"}'
    curl -s $SITE/api/v1/me -H 'Authorization: Bearer agon_...'

An error is `{"error": "what was wrong, and what was expected"}` with a status of 400 or more: 400
or 422 if something in the request is wrong, 413 if it has too many bytes. Who asks too often gets
status 429 with `Retry-After`. `agon login` and `agon submit` do the common
things from a command line.

The games' own servers speak their own protocols: MebiPenny's is described by
[/mebipenny/openapi.json](/mebipenny/openapi.json), Skyport's on
[its page](/learn/skyport/protocol).
"""
BORING = frozenset({"ErrorBody", "HTTPValidationError", "ValidationError"})
TEXT = "application/json"
COMMON = frozenset({"400", "413", "422", "429"})
"""How every route can fail; the opening tells it once."""


def describe_api(openapi: Schema) -> str:
    """The page, in Markdown."""
    known = openapi.get("components", {}).get("schemas", {})
    parts = [OPENING]
    for tag, operations in _by_tag(openapi["paths"]).items():
        parts.append(f"## {tag}\n")
        parts += [_operation(*one) for one in operations]
    parts.append("## Objects\n")
    parts += [_object(name, known[name]) for name in sorted(known) if name not in BORING]
    return "\n".join(parts)


def _by_tag(paths: Schema) -> dict[str, list[tuple[str, str, Schema]]]:
    found: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in paths.items():
        for method, operation in methods.items():
            tag = operation.get("tags", ["Other"])[0]
            found.setdefault(tag, []).append((method.upper(), path, operation))
    return found


def _operation(method: str, path: str, operation: Schema) -> str:
    lines = [
        f"### {operation['summary'].capitalize()}",
        "",
        f"    {method} {path}",
        "",
        operation.get("description", ""),
        *_parameters(operation.get("parameters", ())),
        "",
        *_bodies(operation),
    ]
    return "\n".join([*lines, ""])


def _parameters(parameters: Sequence[Schema]) -> Iterator[str]:
    rows = [
        (
            f"`{one['name']}`",
            f"in the {one['in']}" + ("" if one.get("required") else ", optional"),
            f"{words_of(one['schema'])}{_remark(one, one['schema'])}",
        )
        for one in parameters
    ]
    yield from _table(("parameter", "where", "what"), rows)


def _bodies(operation: Schema) -> Iterator[str]:
    """What is sent, and what comes back."""
    sent = operation.get("requestBody", {}).get("content", {})
    for media, content in sent.items():
        yield f"- **Body:** {_content(media, content)}"
    for status, response in operation.get("responses", {}).items():
        if int(status) < 400:
            told = [_content(*one) for one in response.get("content", {}).items()]
            yield f"- **{status}:** {' or '.join(told) or 'nothing more to say'}"
    for status, response in sorted(operation.get("responses", {}).items()):
        if int(status) >= 400 and status not in COMMON:
            yield f"- **{status}:** {response.get('description', '')}"


def _content(media: str, content: Schema) -> str:
    words = words_of(content.get("schema", {}))
    return words if media == TEXT else f"{words} (`{media}`)"


def _object(name: str, schema: Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        (
            f"`{field}`",
            words_of(one) + ("" if field in needed else ", optional"),
            _escape(one.get("description", "")),
        )
        for field, one in schema.get("properties", {}).items()
    ]
    text = "\n".join(_table(("field", "type", "what"), rows))
    return f"### {name}\n\n{schema.get('description', '')}\n\n{text}\n"


def words_of(schema: Schema) -> str:
    """A type in words, with links to objects.

    >>> words_of({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'whole number or null'
    >>> words_of({"type": "array", "items": {"$ref": "#/components/schemas/BotBody"}})
    'list of [BotBody](#botbody)'
    """
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{slug(name)})"
    if "anyOf" in schema:
        return " or ".join(words_of(one) for one in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(f"`{value}`" for value in values)
    if schema.get("type") == "array":
        return f"list of {words_of(schema.get('items', {}))}"
    kind = str(schema.get("type", "JSON"))
    return TYPES.get((kind, str(schema.get("format", ""))), kind)


TYPES = {
    ("integer", ""): "whole number",
    ("number", ""): "number",
    ("string", ""): "text",
    ("string", "date-time"): "date and time",
    ("string", "binary"): "bytes",
    ("boolean", ""): "true or false",
    ("null", ""): "null",
    ("object", ""): "object",
}


def _remark(*described: Schema) -> str:
    told = next((one["description"] for one in described if one.get("description")), "")
    return f": {_escape(told)}" if told else ""


def _escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """A table in Markdown; none if it had no rows."""
    for number, row in enumerate(rows):
        if not number:
            yield ""
            yield f"| {' | '.join(headings)} |"
            yield f"|{'---|' * len(headings)}"
        yield f"| {' | '.join(row)} |"
