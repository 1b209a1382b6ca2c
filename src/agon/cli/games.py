"""`agon games`: which games there are, and what can be set for a match of each."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from agon.cli.arguments import JsonFlag
from agon.cli.console import print_json, result_console

if TYPE_CHECKING:
    from rich.table import Table

    from agon.games.game import Game


def games(as_json: JsonFlag = False) -> None:
    """List the games, their seats and their options.

    \b
    Examples:
      agon games
      agon games --json
    """
    from rich.padding import Padding

    from agon.games.registry import all_games

    if as_json:
        print_json([describe(game) for game in all_games()])
        return
    console = result_console()
    for game in all_games():
        console.print(f"[bold cyan]{game.name}[/]  [bold]{game.title}[/], {format_seats(game)}")
        console.print(Padding(game.summary, (0, 0, 0, 2)))
        console.print(Padding(f"bots: {', '.join(game.bot_names)}", (0, 0, 0, 2)))
        console.print(option_table(game))


def describe(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "seats": [game.seats[0], game.seats[-1]],
        "rules_version": game.rules_version,
        "bots": list(game.bot_names),
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "choices": list(option.metadata["choices"]),
                "help": option.metadata["help"],
            }
            for option in fields(game.options)
        ],
    }


def format_seats(game: Game) -> str:
    fewest, most = game.seats[0], game.seats[-1]
    return f"{most} seats" if fewest == most else f"{fewest} to {most} seats"


def option_table(game: Game) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    for heading in ("option", "default", "what it does"):
        table.add_column(heading)
    for option in fields(game.options):
        table.add_row(option.name, format_default(option.default), option.metadata["help"])
    return table


def format_default(value: object) -> str:
    """A default as one would type it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
