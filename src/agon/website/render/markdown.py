"""Pages that are written in Markdown, as parts of web pages: the same files that readers find in
the sources.

HTML in them is text like any other. Headings get ids, as code forges make them, so that links into
a page work in both places; wide things scroll in boxes of their own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from markdown_it.token import Token

    Resolve: TypeAlias = Callable[[str], str | None]
    """From a link's target to an address of the site; None: there is no such page here."""

OUTSIDE = re.compile(r"https?://", re.IGNORECASE)
NO_WORD = re.compile(r"[^\w\- ]")
DEEPEST = 3
"""Headings down to this level are in the table of contents."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page."""

    level: int
    anchor: str
    title: str


@dataclass(frozen=True, slots=True)
class Article:
    """A page, ready to be shown."""

    title: str
    lead: str
    """The first paragraph in plain words."""
    opening: Markup
    """The first paragraph."""
    body: Markup
    """All that follows."""
    headings: tuple[Heading, ...]


def slug(title: str) -> str:
    """The id of a heading.

    >>> slug("Is it right? `agon bot check`"), slug("bot.toml")
    ('is-it-right-agon-bot-check', 'bottoml')
    """
    return NO_WORD.sub("", title.strip().lower()).replace(" ", "-")


def read_article(text: str, resolve: Resolve) -> Article:
    """Read a page; `resolve` says where its links lead here."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    title, tokens = _take_title(tokens)
    headings = _mark_headings(tokens)
    _resolve_links(tokens, resolve)
    for name, rule in RULES.items():
        parser.add_render_rule(name, rule)
    ends = 3 if tokens and tokens[0].type == "paragraph_open" else 0
    counted: dict[str, int] = {}
    opening, body = (
        Markup(parser.renderer.render(part, parser.options, counted))  # noqa: S704  all is escaped
        for part in (tokens[:ends], tokens[ends:])
    )
    shown = tuple(one for one in headings if one.level <= DEEPEST)
    return Article(title, _words(tokens[1]) if ends else "", opening, body, shown)


def _take_title(tokens: list[Token]) -> tuple[str, list[Token]]:
    """The first heading of the first level, which the page shows itself, and the rest."""
    for place, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h1":
            return _words(tokens[place + 1]), tokens[:place] + tokens[place + 3 :]
    return "", tokens


def _mark_headings(tokens: Sequence[Token]) -> list[Heading]:
    found: list[Heading] = []
    used: dict[str, int] = {}
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _words(tokens[place + 1])
            anchor = slug(title)
            times = used[anchor] = used.get(anchor, -1) + 1
            anchor = f"{anchor}-{times}" if times else anchor
            token.attrSet("id", anchor)
            found.append(Heading(int(token.tag[1:]), anchor, title))
    return found


def _words(token: Token) -> str:
    """The words of a line without what makes them bold or a link."""
    breaks = ("softbreak", "hardbreak")
    parts = (" " if one.type in breaks else one.content for one in token.children or ())
    return " ".join("".join(parts).split())


def _resolve_links(tokens: Sequence[Token], resolve: Resolve) -> None:
    """Lead links to pages of the site; one that leads nowhere here becomes plain words."""
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _resolve_line(token.children, resolve)


def _resolve_line(children: Sequence[Token], resolve: Resolve) -> list[Token]:
    kept: list[Token] = []
    is_open = False
    for child in children:
        if child.type == "link_open":
            address = _lead_to(str(child.attrGet("href") or ""), resolve)
            is_open = address is not None
            if address is not None:
                child.attrSet("href", address)
                if OUTSIDE.match(address):
                    child.attrSet("rel", "noreferrer")
        if child.type in ("link_open", "link_close") and not is_open:
            continue
        if child.type == "image":  # pictures come from scenes; a page is whole without others
            continue
        kept.append(child)
    return kept


def _lead_to(href: str, resolve: Resolve) -> str | None:
    if href.startswith("#") or OUTSIDE.match(href):
        return href
    page, mark, anchor = href.partition("#")
    address = resolve(page)
    return None if address is None else address + mark + anchor


def _fence(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Code; it can be scrolled with the keys."""
    return f'<pre tabindex="0"><code>{escape(tokens[index].content)}</code></pre>\n'


def _table_open(_self: Any, _tokens: Any, _index: int, _options: Any, env: Any) -> str:
    """A table in a box that scrolls; each has a name of its own."""
    number = env["tables"] = env.get("tables", 0) + 1
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="Table {number} of the text">\n'
        "<table>\n"
    )


def _table_close(_self: Any, _tokens: Any, _index: int, _options: Any, _env: Any) -> str:
    return "</table>\n</div>\n"


def _cell_open(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """A cell at the head of a column; one without words is no heading."""
    return "<th scope='col'>" if tokens[index + 1].content else "<td>"


def _cell_close(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return "</th>\n" if tokens[index - 1].content else "</td>\n"


RULES: dict[str, Callable[..., str]] = {
    "fence": _fence,
    "code_block": _fence,
    "table_open": _table_open,
    "table_close": _table_close,
    "th_open": _cell_open,
    "th_close": _cell_close,
}
"""What is written otherwise than by the library; alignment of cells is no style of ours."""
