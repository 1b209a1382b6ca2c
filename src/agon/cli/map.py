"""`agon map`: a map by chance, as text to play on or to change by hand.

A game that has such maps is added to `MAKERS`, with a function from the wish to the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import MOST_SEED, check_amount
from agon.cli.board import Output, write_document
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOST_FORTS = 200  # which take some seconds


@dataclass(frozen=True, slots=True)
class Wish:
    """What a map shall be like; None: as usual."""

    players: int
    forts: int | None
    seed: int
    fair: bool


def make_battlebots_map(wish: Wish) -> str:
    """A map of Battlebots; its first line makes it a log as well, for `agon show`."""
    from agon.games.battlebots.game import GAME
    from agon.games.battlebots.mapfile import format_map
    from agon.games.battlebots.maps import make_map

    GAME.check_seats(wish.players)
    if wish.forts is not None:
        check_amount("--forts", wish.forts, wish.players + 1, MOST_FORTS)
    kind = "fair" if wish.fair else "random"
    field = make_map(kind, wish.players, wish.seed, wish.forts)
    return f"# STEP: 0\n# {kind}, seed {wish.seed}\n{format_map(field)}"


MAKERS: Mapping[str, Callable[[Wish], str]] = {"battlebots": make_battlebots_map}

GameWithMaps = Annotated[
    str,
    typer.Argument(metavar="GAME", help=f"Which game: {', '.join(MAKERS)}.", show_default=False),
]
Players = Annotated[int, typer.Option(metavar="N", help="How many play.")]
Forts = Annotated[
    int | None,
    typer.Option(metavar="F", help="How many forts; as many as suit the players without it."),
]
Seed = Annotated[int, typer.Option(metavar="S", help="Another seed makes another map.")]
Fair = Annotated[
    bool, typer.Option("--fair", metavar="", help="Make it look the same to every player.")
]


def map(
    game: GameWithMaps,
    players: Players = 2,
    forts: Forts = None,
    seed: Seed = 0,
    fair: Fair = False,
    output: Output = None,
) -> None:
    """Write a map by chance, with a home for each player.

    Matches are played on maps of their own; this one can be looked at, changed by hand, and played
    on with the game's option for maps.

    \b
    Examples:
      agon map battlebots --players 4 --fair
      agon map battlebots --forts 30 --seed 7 --output map.txt
      agon show battlebots map.txt
      agon match battlebots random random --option field="$(cat map.txt)"
    """
    if game not in MAKERS:
        raise SettingError(f"game {game!r}: maps can be made for {', '.join(MAKERS)}")
    check_amount("--seed", seed, 0, MOST_SEED)
    write_document(MAKERS[game](Wish(players, forts, seed, fair)).rstrip("\n"), output)
