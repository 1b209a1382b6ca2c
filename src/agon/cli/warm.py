"""`agon warm`: compile the rules of games ahead of their first use."""

from __future__ import annotations

import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.console import format_seconds, progress_bar, progress_console
from agon.errors import MissingPartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.games.game import Game

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="GAME", help="Which games; default: all.", show_default=False),
]


def warm(games: Names = None) -> None:
    """Compile the rules of games now, so that their first use need not wait.

    Rules, built-in bots, simulation and perft of each game are compiled for its default options and
    kept on disk. What is compiled already is only loaded.

    \b
    Examples:
      agon warm
      agon warm hive
    """
    from agon.games.registry import all_games, find_game

    for game in [find_game(name) for name in games] if games else all_games():
        begin = time.perf_counter_ns()
        compiled = warm_game(game)
        took = format_seconds(time.perf_counter_ns() - begin)
        print(
            f"{game.title}: {compiled} kernels compiled, {took}"
            if compiled
            else f"{game.title}: ready"
        )


def warm_game(game: Game) -> int:
    """Use everything of a game once, with a bar on a terminal; how many kernels were compiled."""
    from agon.kernel import compile_listener

    compiled = 0

    def count(module: str, begins: bool) -> None:
        nonlocal compiled
        compiled += begins

    with compile_listener(count), progress_bar(progress_console()) as bar:
        uses = list(uses_of(game))
        task = bar.add_task(game.title, total=len(uses))
        for name, use in uses:
            bar.update(task, description=f"{game.title}: {name}")
            use()
            bar.update(task, advance=1)
    return compiled


def uses_of(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is compiled apart from each other, by what it is called, each with a short use of it."""
    from agon.cli import perft, simulate
    from agon.cli.match_setup import warm_bots

    yield "rules", partial(use_rules, game)
    for name in game.bot_names:
        yield f"bot {name}", partial(warm_bots, game, game.options(), [name])
    yield "simulation", lambda: simulate.warm_up(game.simulation())
    try:
        game.perft_jobs(game.start(), 0)
    except MissingPartError:
        return
    yield "perft", partial(perft.warm_up, game)


def use_rules(game: Game) -> None:
    """Play two turns, and look at them in every way: the first one may have nothing to refer to."""
    position = game.start()
    chance = Random(0)  # noqa: S311
    for _ in range(2):
        turns = {seat: position.random_turn(seat, chance) for seat in position.to_act}
        position.legal_moves(position.to_act[0])
        for seat, turn in turns.items():
            position.parse_turn(seat, position.format_turn(seat, turn))
        position.stages(turns)
        position = position.play(turns)
        position.observe(0)
