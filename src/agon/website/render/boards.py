"""Boards inside pages: a scene as SVG that brings no style of its own and no ids.

A game's style sheet and glyphs are files of the site, for a page may not hold styles, and may hold
several boards of one game. A shape's id stands in `data-id`.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

from markupsafe import Markup

from agon.games.registry import all_games, find_game, game_names
from agon.games.scene import Scene
from agon.games.shapes import Group, Theme
from agon.games.svg import format_css, format_svg

if TYPE_CHECKING:
    from agon.games.game import Game
    from agon.games.shapes import Look

ID = re.compile(r"<(\w+) id=")
DEFS = re.compile(r"<defs>(.*?)</defs>\n", re.DOTALL)
SWATCH = 48
LOOKS = 256
"""How many are kept: those of all games, and of boards that were opened last."""
SIZE = re.compile(r' width="[0-9.]+" height="[0-9.]+"')


def draw_board(scene: Scene) -> Markup:
    """The scene as a part of a page; `look_address` has its styles, `draw_glyphs` its glyphs."""
    head, end, body = format_svg(scene, bare=True).partition(">")
    return Markup(SIZE.sub("", head, count=1) + end + ID.sub(r"<\1 data-id=", body))  # noqa: S704


def find_look(name: str) -> tuple[Game, Look]:
    """A look, and the game whose it is: a game's own look is called as the game.

    Boards whose players have colours of their own have looks of other names, which begin so.
    """
    game = next((one for one in all_games() if name.startswith(f"{one.name}-")), None)
    if game is None or name in game_names():
        game = find_game(name)
    return game, game.find_look(name)


@lru_cache(LOOKS)
def draw_swatch(look_name: str, seat: int) -> Markup:
    """A seat's emblem, as small as a word; the page must have that look and its glyphs."""
    game, look = find_look(look_name)
    emblem = Group("", "emblem", SWATCH / 2, SWATCH / 2, parts=game.emblem(seat))
    board = draw_board(Scene("", SWATCH, SWATCH, look, (emblem,)))
    plain = board.replace(Markup("<title></title>\n"), Markup(""), 1)
    return plain.replace(Markup('role="img"'), Markup('aria-hidden="true"'), 1).replace(
        Markup('class="scene '), Markup('class="swatch scene '), 1
    )


@lru_cache(LOOKS)
def draw_glyphs(look_name: str) -> Markup:
    """What the boards of a look stamp, once for a page; it takes no room."""
    found = DEFS.search(format_svg(Scene("", 1, 1, find_look(look_name)[1], ())))
    glyphs = found[1] if found else ""
    head = f'<svg id="glyphs-{look_name}" class="glyphs" width="0" height="0" aria-hidden="true">'
    return Markup(f"{head}<defs>{glyphs}</defs></svg>\n")  # noqa: S704  made of our own looks


@cache
def has_views(game: str) -> bool:
    """Whether the seats of a game see different things."""
    position = find_game(game).start()
    everything = position.scene(None)
    return any(position.scene(seat) != everything for seat in range(position.seats))


@lru_cache(LOOKS)
def look_css(look_name: str) -> str:
    """A look as a style sheet; what differs in the dark follows the page's colour scheme.

    Glyphs know nothing of the page around them but what they inherit, so the colours themselves
    must know both themes. Browsers that do not know `light-dark` see the light one.
    """
    look = find_look(look_name)[1]
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


@lru_cache(LOOKS)
def look_version(look_name: str) -> str:
    """Rises, in a way, when a look changes: a part of its address."""
    return sha256((look_css(look_name) + draw_glyphs(look_name)).encode()).hexdigest()[:12]


def look_address(look_name: str, kind: str = "css") -> str:
    """Where a browser finds the style sheet of a look, or its glyphs (`svg`)."""
    return f"/looks/{look_name}.{kind}?v={look_version(look_name)}"
