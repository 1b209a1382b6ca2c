"""What people write on the site, as Markdown: for instance what a contest is about.

The writer is not trusted. HTML is text like any other, pictures are their words alone, and
links lead to pages of this site or of the web and are marked as not recomkept by this site. A
heading is a line in bold: the page around it has headings of its own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from agon.website.render.markdown import RULES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

ALLOWED = re.compile(r"https?://|/(?![/\\])|#", re.IGNORECASE)
"""How the address of a link may begin; two slashes would be another site."""
UNTRUSTED = "nofollow noreferrer ugc"


def show_remark(text: str) -> Markup:
    """The text as a part of a page.

    >>> show_remark("**Friday**, <b>all</b> day")
    Markup('<p><strong>Friday</strong>, &lt;b&gt;all&lt;/b&gt; day</p>\\n')
    """
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    for name, rule in (RULES | OWN_RULES).items():
        parser.add_render_rule(name, rule)
    tokens = parser.parse(text)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _filter_links(token.children)
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704  all is escaped


def _filter_links(children: Sequence[Token]) -> list[Token]:
    """The line with links that may stay; of others only the words are left."""
    kept: list[Token] = []
    is_open = False
    for child in children:
        if child.type == "link_open":
            is_open = ALLOWED.match(str(child.attrGet("href") or "")) is not None
            child.attrSet("rel", UNTRUSTED)
        if child.type in ("link_open", "link_close") and not is_open:
            continue
        kept.extend(_filter_links(child.children or ()) if child.type == "image" else (child,))
    return kept


def _bold_open(_self: Any, _tokens: Any, _index: int, _options: Any, _env: Any) -> str:
    return "<p><strong>"


def _bold_close(_self: Any, _tokens: Any, _index: int, _options: Any, _env: Any) -> str:
    return "</strong></p>\n"


OWN_RULES = {"heading_open": _bold_open, "heading_close": _bold_close}
