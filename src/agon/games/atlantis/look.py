"""How Atlantis looks: the players' colours and shapes, and the colours of land and water.

Colour is never the only sign: each player also has a shape in pictures and a letter in texts.
The colours differ in lightness too, which is what is left of them for colour-blind people.

Sizes are those of a field that is 60 wide, 30 from its middle to a corner.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from agon.errors import SettingError
from agon.games.atlantis.colours import (
    is_bright,
    move_apart,
    name_colour,
    read_colour,
    with_lightness,
)
from agon.games.clicks import CHOICE_STYLES
from agon.games.player_theme import BRIGHT, DARK, PlayerTheme, polygon, star, turned
from agon.games.shapes import INK, Glyph, Look, Shape, Stamp, Stroke, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEX = 30.0
INSET = 4.0  # of the ring in a growing field
LINES = (0.55, 0.9)  # how light lines are: at least on a dark board, at most on a light one
HOLLOW = 0.84  # the size of growing stones, against those that can move
LAND = ("#efe6cf", "#4b463a")
PAPER = ("#fffdf6", "#211f1a")


CIRCLE = "M17 0A17 17 0 1 1 -17 0A17 17 0 1 1 17 0Z"
PLAYER_THEMES: Final[tuple[PlayerTheme, ...]] = (
    PlayerTheme("Red", "#b3211c", "#dd3f35", BRIGHT, CIRCLE),
    PlayerTheme(
        "Blue",
        "#14509f",
        "#3a80e0",
        BRIGHT,
        polygon((-15.5, -15.5), (15.5, -15.5), (15.5, 15.5), (-15.5, 15.5)),
    ),
    PlayerTheme("Green", "#12a06f", "#1fb585", DARK, polygon((0, -22), (21, 15), (-21, 15)), 4),
    PlayerTheme(
        "Yellow", "#f4d92e", "#f7e15a", DARK, polygon((0, -22), (22, 0), (0, 22), (-22, 0))
    ),
    PlayerTheme("Orange", "#e27a10", "#ee8a22", DARK, star(6, 22, 14)),
    PlayerTheme(
        "Purple", "#d07fc4", "#e3a0de", DARK, turned([(10, -19.5), (10, -10), (19.5, -10)])
    ),
)
"""By seat."""
SEAT_NAMES = tuple(theme.name for theme in PLAYER_THEMES)

WAVES = "M-14 -5q3.5 -5 7 0t7 0t7 0t7 0M-14 7q3.5 -5 7 0t7 0t7 0t7 0"
SPROUT = "M0 14V-1C-2 -10 -9 -13 -16 -12C-15 -5 -9 0 0 -1C2 -9 8 -13 15 -12C15 -5 9 0 0 -1"


def _mixed(colour: str, ground: str, share: float) -> str:
    """So much of the colour in the ground.

    >>> _mixed("#ff0000", "#0000ff", 0.2)
    '#3300cc'
    """
    parts = ((int(colour[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in parts)


def _number_on(colour: str) -> str:
    return DARK if is_bright(colour) else BRIGHT


def _player_styles(theme: PlayerTheme) -> tuple[Style, ...]:
    colour = theme.light, theme.dark
    line = with_lightness(theme.light, most=LINES[1]), with_lightness(theme.dark, LINES[0])
    edge = DARK, BRIGHT if theme.dark != line[1] else DARK
    held = _mixed(theme.light, LAND[0], 0.38), _mixed(theme.dark, LAND[1], 0.38)
    return (
        Style(f"{theme.role}", ink=colour),
        Style(f"held {theme.role}", fill=held),
        Style(f"ring {theme.role}", line=line),
        Style(f"shaft {theme.role}", line=line),
        Style(f"point {theme.role}", fill=line),
        Style(f"stones {theme.role}-edge", line=edge),
        Style(f"hollow {theme.role}-edge", line=line),
        Style(f"count {theme.role}", fill=(theme.number, _number_on(theme.dark))),
    )


def make_look(name: str, themes: Sequence[PlayerTheme]) -> Look:
    """The look of matches between these players."""
    return Look(name, styles=(*STYLES, *_themed(themes), *CHOICE_STYLES), glyphs=GLYPHS)


def _themed(themes: Sequence[PlayerTheme]) -> Iterator[Style]:
    for theme in themes:
        yield from _player_styles(theme)


STYLES: Final = (
    Style("sea", fill=("#d6e8ee", "#0e1c26")),
    Style("headline", fill=("#1c2b33", "#e6eef2"), bold=True),
    # the board
    Style("land", fill=LAND, line=("#d5c9a8", "#38342a"), width=1.5),
    Style("growing", fill=("#cfe6a4", "#3d5a2d"), line=("#a9c878", "#2c4220"), width=1.5),
    Style("dead", fill=("#bcd7e1", "#132936"), line=("#aecdd9", "#193342"), width=1.5),
    Style("border", fill="none", line=("#8d7b50", "#14120d"), width=4),
    Style("axis", fill=("#5f7b87", "#7f9aa6")),
    Style("name", fill=("#8d7b50", "#9a9078")),
    # what lies on it; the tip is that of the field
    Style("stack", through=True),
    Style("stones", fill=INK, width=1.6),
    Style("hollow", fill=PAPER, width=3.4),
    Style("sprout", fill="none", line=("#3f7a1c", "#a5d86b"), width=3, through=True),
    Style("waves", fill="none", line=("#8fb8c8", "#28495b"), width=2.2),
    Style("count", bold=True),
    Style("soft-count", fill=("#1c2410", "#f3f7ea"), bold=True),
    Style("ring", fill="none", width=3.4),
    # the last turn
    Style("case", fill="none", line=PAPER, width=11, opacity=0.85),
    Style("shaft", fill="none", width=6),
    Style("point", line=PAPER, width=2),
    Style("mark", fill="none", line=("#e8590c", "#ffa94d"), width=5),
    Style("burst", fill=("#ffb02e", "#ff922b"), line=("#d9480f", "#ffe066"), width=2.5),
    # the panel
    Style("row", fill=("#f4fafc", "#172a36"), line=("#b9d0da", "#24404f"), width=1),
    Style("row active", fill=("#ffffff", "#1f3a4a"), line=("#e8590c", "#ffa94d"), width=3),
    Style("player", fill=("#1c2b33", "#e6eef2"), bold=True),
    Style("points", fill=("#1c2b33", "#e6eef2"), bold=True),
    Style("note", fill=("#4d6672", "#9db4bf")),
    Style("verdict", fill=("#c2410c", "#ffa94d"), bold=True),
)
GLYPHS: Final = (
    *(
        Glyph(f"{kind}-{o.role}", (Stroke(f"{kind} {o.role}-edge", o.outline),))
        for kind in ("stones", "hollow")
        for o in PLAYER_THEMES
    ),
    Glyph("waves", (Stroke("waves", WAVES),)),
    Glyph("sprout", (Stroke("sprout", SPROUT),)),
    Glyph("burst", (Stroke("burst", star(12, 27, 17)),)),
)
LOOK: Final = make_look("atlantis", PLAYER_THEMES)


LETTERS = "abcdefghijklmnopqrstuvwxyz"
DARK_LIGHTNESS = 0.25
"""No player is darker than this on a dark board; stones darker than lines have a bright edge."""
NO_COLOUR = "x"
LONGEST_COLOUR = 40
LOOKS = 64


def say_colours(players: Sequence[Any]) -> tuple[str, ...]:
    """What a document says of its players' colours; nothing where it says none or no word."""
    said = (player.get("color") if isinstance(player, dict) else None for player in players)
    return tuple(
        text if isinstance(text, str) and len(text) <= LONGEST_COLOUR else "" for text in said
    )


@lru_cache(LOOKS)
def choose_themes(said: tuple[str, ...]) -> tuple[PlayerTheme, ...]:
    """The players with the colours that their document says, by seat; an empty text says none.

    Shapes stay with the seats. A colour that is too like another's becomes lighter or darker.
    """
    if not any(map(read_colour, said)):
        return PLAYER_THEMES
    usual = [theme.light for theme in PLAYER_THEMES]
    light: dict[int, str] = {}
    dark: dict[int, str] = {}
    for seat in sorted(range(len(said)), key=lambda seat: read_colour(said[seat]) is None):
        colour = read_colour(said[seat]) or usual[seat]
        light[seat] = move_apart(colour, [*light.values()], usual)
        bright = with_lightness(light[seat], DARK_LIGHTNESS)
        dark[seat] = move_apart(bright, [*dark.values()], usual, DARK_LIGHTNESS)
    names, letters = _name_players(said, light), ""
    found = []
    for seat, name in enumerate(names):
        sign = next(letter for letter in name.lower() + LETTERS if letter not in letters)
        letters += sign
        own = PLAYER_THEMES[seat]
        found.append(
            replace(
                own,
                name=name,
                light=light[seat],
                dark=dark[seat],
                number=_number_on(light[seat]),
                sign=sign,
                seat=own.role,
            )
        )
    return tuple(found)


def _name_players(said: tuple[str, ...], light: dict[int, str]) -> list[str]:
    """A word for each colour: that of the document, if it is shown as it says."""
    names: list[str] = []
    for seat, text in enumerate(said):
        word = text.strip()
        is_shown = read_colour(word) == light[seat] and word.isalpha()
        if light[seat] == PLAYER_THEMES[seat].light:
            word, is_shown = PLAYER_THEMES[seat].name, True
        taken = [name.lower() for name in names]
        if not is_shown or word.lower() in taken:
            word = name_colour(light[seat], taken)
        names.append(word.capitalize())
    return names


@lru_cache(LOOKS)
def look_for(said: tuple[str, ...]) -> Look:
    """The look of a match whose document says these colours; its name says them, too."""
    themes = choose_themes(said)
    if themes is PLAYER_THEMES:
        return LOOK
    words = ((read_colour(text) or NO_COLOUR).removeprefix("#") for text in said)
    return make_look("-".join((LOOK.name, *words)), themes)


def find_look(name: str) -> Look:
    game, *words = name.split("-")
    look = look_for(tuple("" if word == NO_COLOUR else f"#{word}" for word in words[:6]))
    if game != LOOK.name or look.name != name:
        raise SettingError(f"look {name[:60]!r}: there is none of that name")
    return look


def format_count(stones: int) -> str:
    """The number of stones in at most four characters.

    >>> format_count(7), format_count(2_500), format_count(123_456)
    ('7', '2k', '123k')
    """
    return str(stones) if stones < 1000 else f"{stones // 1000}k"


def emblem(seat: int) -> tuple[Shape, ...]:
    """Stones of a player."""
    role = PLAYER_THEMES[seat].role
    return (Stamp("", role, glyph=f"stones-{role}", scale=0.9),)
