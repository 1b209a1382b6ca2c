"""Boards inside pages: a scene as SVG that brings no style of its own and no ids.

A game's style sheet and glyphs are files of the site, for a page may not hold styles, and may hold
several boards of one game. A shape's id stands in `data-id`.
"""

from __future__ import annotations

import re
from functools import cache
from hashlib import sha256

from markupsafe import Markup

from agon.games.registry import find_game
from agon.games.scene import Scene
from agon.games.shapes import Group, Theme
from agon.games.svg import format_css, format_svg

ID = re.compile(r"<(\w+) id=")
DEFS = re.compile(r"<defs>(.*?)</defs>\n", re.DOTALL)
SWATCH = 48
SIZE = re.compile(r' width="[0-9.]+" height="[0-9.]+"')


def draw_board(scene: Scene) -> Markup:
    """The scene as a part of a page; `look_address` has its styles, `draw_glyphs` its glyphs."""
    head, end, body = format_svg(scene, bare=True).partition(">")
    return Markup(SIZE.sub("", head, count=1) + end + ID.sub(r"<\1 data-id=", body))  # noqa: S704


@cache
def draw_swatch(game: str, seat: int) -> Markup:
    """A seat's emblem, as small as a word; the page must have the game's look and glyphs."""
    emblem = Group("", "emblem", SWATCH / 2, SWATCH / 2, parts=find_game(game).emblem(seat))
    board = draw_board(Scene("", SWATCH, SWATCH, find_game(game).look, (emblem,)))
    plain = board.replace(Markup("<title></title>\n"), Markup(""), 1)
    return plain.replace(Markup('role="img"'), Markup('aria-hidden="true"'), 1).replace(
        Markup('class="scene '), Markup('class="swatch scene '), 1
    )


@cache
def draw_glyphs(game: str) -> Markup:
    """What the boards of a game stamp, once for a page; it takes no room."""
    found = DEFS.search(format_svg(Scene("", 1, 1, find_game(game).look, ())))
    glyphs = found[1] if found else ""
    head = f'<svg id="glyphs-{game}" class="glyphs" width="0" height="0" aria-hidden="true">'
    return Markup(f"{head}<defs>{glyphs}</defs></svg>\n")  # noqa: S704  made of our own looks


@cache
def has_views(game: str) -> bool:
    """Whether the seats of a game see different things."""
    position = find_game(game).start()
    everything = position.scene(None)
    return any(position.scene(seat) != everything for seat in range(position.seats))


@cache
def look_css(game: str) -> str:
    """A game's look as a style sheet; what differs in the dark follows the page's colour scheme.

    Glyphs know nothing of the page around them but what they inherit, so the colours themselves
    must know both themes. Browsers that do not know `light-dark` see the light one.
    """
    look = find_game(game).look
    light, dark = format_css(look, Theme.LIGHT), format_css(look, Theme.DARK)
    pairs = zip(light.splitlines(), dark.splitlines(), strict=True)
    return "\n".join(_both(one, other) for one, other in pairs) + "\n"


def _both(light: str, dark: str) -> str:
    """One rule that has the colours of two."""
    if light == dark:
        return light
    selector, _, declarations = light.rstrip("}").partition("{")
    others = dark.rstrip("}").partition("{")[2].split(";")
    parts = []
    for one, other in zip(declarations.split(";"), others, strict=True):
        parts.append(one)
        if one != other:
            name, _, colour = one.partition(":")
            parts.append(f"{name}:light-dark({colour},{other.partition(':')[2]})")
    return f"{selector}{{{';'.join(parts)}}}"


@cache
def look_version(game: str) -> str:
    """Rises, in a way, when a look changes: a part of its address."""
    return sha256((look_css(game) + draw_glyphs(game)).encode()).hexdigest()[:12]


def look_address(game: str, kind: str = "css") -> str:
    """Where a browser finds a game's style sheet, or its glyphs (`svg`)."""
    return f"/looks/{game}.{kind}?v={look_version(game)}"
