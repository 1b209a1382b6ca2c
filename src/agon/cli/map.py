"""`agon map`: a random map, as text to play on or to edit, and as a picture.

How maps are made is the game's: a module `map_maker` in its package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import MOST_SEED, check_amount
from agon.cli.board import write_document
from agon.cli.show import write_picture
from agon.errors import SettingError

if TYPE_CHECKING:
    from agon.games.map_maker import MapMaker

GameWithMaps = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Which game; it must have maps.", show_default=False),
]
Players = Annotated[int, typer.Option(metavar="N", help="Number of players.")]
Forts = Annotated[
    int | None,
    typer.Option(
        metavar="F",
        help="Number of forts, for games with forts; default: by the number of players.",
    ),
]
Size = Annotated[
    int | None,
    typer.Option(
        metavar="S",
        help="Hexes along a side, for games with hexes; default: by the number of players.",
    ),
]
Seed = Annotated[int, typer.Option(metavar="K", help="Another seed makes another map.")]
Fair = Annotated[
    bool,
    typer.Option(
        "--fair",
        metavar="",
        help="Make the map the same for every player, in games that do not always do so.",
    ),
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
    """Write a random map, with a home for each player.

    Matches generate their own maps. To play on this one, edited or not, give it with the game's
    option for maps.

    \b
    Examples:
      agon map battlebots --players 4 --fair
      agon map battlebots --forts 30 --seed 7 --output map.txt
      agon show battlebots map.txt
      agon match battlebots random random --option field=@map.txt
      agon map skyport --players 4 --size 15 --seed 7 --out map.txt --svg map.svg
      agon match skyport random random random random --option map_text=@map.txt
    """
    from agon.games.map_maker import MapRequest
    from agon.games.registry import all_games

    makers = {one.name: one for one in all_games() if one.has_maps}
    if game not in makers:
        raise SettingError(f"game {game!r}: maps can be made for {', '.join(makers)}")
    maker: MapMaker = makers[game].part("map_maker").MAKER
    check_amount("--seed", seed, 0, MOST_SEED)
    given = {"--forts": forts is not None, "--size": size is not None, "--fair": fair}
    check_flags(game, maker, [flag for flag, is_given in given.items() if is_given])
    text = maker.make(MapRequest(players, forts, size, seed, fair)).rstrip("\n")
    if svg != "-" or output is not None:
        write_document(text, output)
    if svg is not None:
        write_picture(draw_map(game, maker.option, text), svg)


def check_flags(game: str, maker: MapMaker, flags: list[str]) -> None:
    """Refuse what is for another game's maps."""
    wrong = [flag for flag in flags if flag not in maker.flags]
    if wrong:
        expected = ", ".join(maker.flags)
        raise SettingError(f"{wrong[0]}: maps of {game} have no such thing, expected {expected}")


def draw_map(game: str, option: str, text: str) -> str:
    from agon.cli.console import compile_notice
    from agon.games.registry import find_game
    from agon.games.svg import format_svg

    chosen = find_game(game)
    with compile_notice(chosen.title):
        position = chosen.start(chosen.parse_options({option: text}))
        return format_svg(position.scene(None))
