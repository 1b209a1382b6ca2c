"""`agon map`: a map by chance, as text to play on or to change by hand, and as a picture.

A game that has such maps is added to `MAKERS`, with a function from the request to the text, the
name of the game's option that takes such a text, and the flags that are for this game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import MOST_SEED, check_amount
from agon.cli.board import write_document
from agon.cli.show import write_picture
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST_FORTS = 200  # which take some seconds


@dataclass(frozen=True, slots=True)
class MapRequest:
    """What a map shall be like; None: as usual."""

    players: int
    forts: int | None
    size: int | None
    seed: int
    fair: bool


@dataclass(frozen=True, slots=True)
class Maker:
    """How maps of a game are made."""

    make: Callable[[MapRequest], str]
    option: str
    flags: tuple[str, ...]


def make_battlebots_map(request: MapRequest) -> str:
    """A map of Battlebots; its first line makes it a log as well, for `agon show`."""
    from agon.games.battlebots.game import GAME
    from agon.games.battlebots.mapfile import format_map
    from agon.games.battlebots.maps import make_map

    GAME.check_seats(request.players)
    if request.forts is not None:
        check_amount("--forts", request.forts, request.players + 1, MOST_FORTS)
    kind = "fair" if request.fair else "random"
    field = make_map(kind, request.players, request.seed, request.forts)
    return f"# STEP: 0\n# {kind}, seed {request.seed}\n{format_map(field)}"


def make_skyport_map(request: MapRequest) -> str:
    """A map of Skyport, as symmetric as its number of players allows; without a size: as ours."""
    from agon.games.skyport.game import GAME
    from agon.games.skyport.mapfile import format_map
    from agon.games.skyport.maps import generate, load_map, name_for

    GAME.check_seats(request.players)
    size = load_map(name_for(request.players)).side if request.size is None else request.size
    try:
        return format_map(generate(request.players, size, request.seed))
    except SettingError as error:
        raise SettingError(f"--{error}") from None


MAKERS: Mapping[str, Maker] = {
    "battlebots": Maker(make_battlebots_map, "field", ("--forts", "--fair")),
    "skyport": Maker(make_skyport_map, "map_text", ("--size",)),
}

GameWithMaps = Annotated[
    str,
    typer.Argument(metavar="GAME", help=f"Which game: {', '.join(MAKERS)}.", show_default=False),
]
Players = Annotated[int, typer.Option(metavar="N", help="How many play.")]
Forts = Annotated[
    int | None,
    typer.Option(
        metavar="F", help="Battlebots: how many forts; as many as suit the players without it."
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        metavar="S", help="Skyport: hexes along a side; what suits the players without it."
    ),
]
Seed = Annotated[int, typer.Option(metavar="K", help="Another seed makes another map.")]
Fair = Annotated[
    bool,
    typer.Option("--fair", metavar="", help="Battlebots: make it look the same to every player."),
]
Output = Annotated[
    str | None,
    typer.Option(
        "--output", "--out", "-o", metavar="FILE", help="Write it there instead of stdout."
    ),
]
Picture = Annotated[
    str | None,
    typer.Option("--svg", metavar="FILE", help="Draw it as well; [bold]-[/]: draw it only."),
]


def map(
    game: GameWithMaps,
    players: Players = 2,
    forts: Forts = None,
    size: Size = None,
    seed: Seed = 0,
    fair: Fair = False,
    output: Output = None,
    svg: Picture = None,
) -> None:
    """Write a map by chance, with a home for each player.

    Matches are played on maps of their own; this one can be looked at, changed by hand, and played
    on with the game's option for maps. Maps of Skyport are drawn with their hexes, as in the
    competition, and the same for every player as far as a rhombus allows.

    \b
    Examples:
      agon map battlebots --players 4 --fair
      agon map battlebots --forts 30 --seed 7 --output map.txt
      agon show battlebots map.txt
      agon match battlebots random random --option field=@map.txt
      agon map skyport --players 4 --size 15 --seed 7 --out map.txt --svg map.svg
      agon match skyport random random random random --option map_text=@map.txt
    """
    if game not in MAKERS:
        raise SettingError(f"game {game!r}: maps can be made for {', '.join(MAKERS)}")
    check_amount("--seed", seed, 0, MOST_SEED)
    given = {"--forts": forts is not None, "--size": size is not None, "--fair": fair}
    check_flags(game, [flag for flag, is_given in given.items() if is_given])
    text = MAKERS[game].make(MapRequest(players, forts, size, seed, fair)).rstrip("\n")
    if svg != "-" or output is not None:
        write_document(text, output)
    if svg is not None:
        write_picture(draw_map(game, text), svg)


def check_flags(game: str, flags: list[str]) -> None:
    """Refuse what is for another game's maps."""
    wrong = [flag for flag in flags if flag not in MAKERS[game].flags]
    if wrong:
        expected = ", ".join(MAKERS[game].flags)
        raise SettingError(f"{wrong[0]}: maps of {game} have no such thing, expected {expected}")


def draw_map(game: str, text: str) -> str:
    from agon.cli.console import compile_notice
    from agon.games.registry import find_game
    from agon.games.svg import format_svg

    chosen = find_game(game)
    with compile_notice(chosen.title):
        position = chosen.start(chosen.parse_options({MAKERS[game].option: text}))
        return format_svg(position.scene(None))
