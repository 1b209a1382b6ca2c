"""`agon warm`: compile the rules of games ahead of their first use."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import parse_jobs
from agon.cli.console import format_seconds, progress_bar, progress_console
from agon.errors import MissingPartError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agon.games.game import Game

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="GAME", help="Which games; default: all.", show_default=False),
]


Jobs = Annotated[
    int,
    typer.Option(metavar="N", help="Games that are compiled at a time; 0: one for each core."),
]
Play = Annotated[
    bool,
    typer.Option(
        "--play", metavar="", help="Rules and bots alone: all that matches and `agon serve` need."
    ),
]


def warm(games: Names = None, play: Play = False, jobs: Jobs = 0) -> None:
    """Compile the rules of games now, so that their first use need not wait.

    Rules, built-in bots, simulation and perft of each game are compiled for its default options and
    kept on disk. What is compiled already is only loaded.

    \b
    Examples:
      agon warm
      agon warm hive --play
    """
    from agon.games.registry import all_games, find_game

    chosen = [find_game(name) for name in games] if games else all_games()
    side_by_side = parse_jobs(jobs, oversubscribe=True)
    if min(side_by_side, len(chosen)) > 1:
        warm_apart(chosen, ["--play"] if play else [], side_by_side)
        return
    for game in chosen:
        begin = time.perf_counter_ns()
        compiled = warm_game(game, only_play=play)
        took = format_seconds(time.perf_counter_ns() - begin)
        print(
            f"{game.title}: {compiled} kernels compiled, {took}"
            if compiled
            else f"{game.title}: ready"
        )


def warm_apart(games: Sequence[Game], options: list[str], jobs: int) -> None:
    """Compile several games at a time, each in a process of its own."""

    def run(game: Game) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "agon", "warm", game.name, *options]
        return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)  # noqa: S603

    with ThreadPoolExecutor(jobs) as pool, progress_bar(progress_console()) as bar:
        task = bar.add_task("compiling", total=len(games))
        for done in as_completed([pool.submit(run, game) for game in games]):
            bar.update(task, advance=1)
            print(done.result().stdout, end="", flush=True)
            if done.result().returncode:
                raise SystemExit(done.result().returncode)


def warm_game(game: Game, *, only_play: bool = False) -> int:
    """Use everything of a game once, with a bar on a terminal; how many kernels were compiled."""
    from agon.kernel import compile_listener

    compiled = 0

    def count(module: str, begins: bool) -> None:
        nonlocal compiled
        compiled += begins

    with compile_listener(count), progress_bar(progress_console()) as bar:
        uses = list(uses_of(game, only_play))
        task = bar.add_task(game.title, total=len(uses))
        for name, use in uses:
            bar.update(task, description=f"{game.title}: {name}")
            use()
            bar.update(task, advance=1)
    return compiled


def uses_of(game: Game, only_play: bool) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is compiled apart from each other, by what it is called, each with a short use of it."""
    from agon.arbiter.first_use import use_boards, use_bots, use_rules
    from agon.cli import perft, simulate

    yield "rules", partial(use_rules, game)
    yield "boards", partial(use_boards, game)
    for name in game.bot_names:
        yield f"bot {name}", partial(use_bots, game, game.options(), [name])
    if only_play:
        return
    yield "simulation", lambda: simulate.warm_up(game.simulation())
    try:
        game.perft_jobs(game.start(), 0)
    except MissingPartError:
        return
    yield "perft", partial(perft.warm_up, game)
