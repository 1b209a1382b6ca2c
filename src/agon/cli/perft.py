"""`agon perft`: count the lines of play of a given length, the standard proof of exact rules."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import (
    JsonFlag,
    OptionPairs,
    Threads,
    Variant,
    chosen_options,
    parse_threads,
)
from agon.cli.console import (
    JsonValue,
    compile_notice,
    format_seconds,
    print_json,
    progress_bar,
    progress_console,
    result_console,
)
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from agon.games.game import Game
    from agon.games.perft import PerftJob

QUIET_SECONDS = 0.7
"""A run that is shorter shows no progress bar."""
SHARES = 16
"""Shares a thread: enough for an even load and a bar that moves."""
LONG_DEPTH = 7

GameWithPerft = Annotated[
    str,
    typer.Argument(metavar="GAME", help="Which game; it must have perft.", show_default=False),
]
Depth = Annotated[int, typer.Argument(metavar="DEPTH", help="Plies to look ahead, 0 or more.")]
PositionText = Annotated[
    str | None,
    typer.Option(metavar="MATCH", help="Count from the end of this match (Hive: a GameString)."),
]
DivideFlag = Annotated[
    bool, typer.Option("--divide", metavar="", help="Count for each first move.")
]


@dataclass(frozen=True, slots=True)
class Count:
    """What a perft found."""

    depth: int
    nodes: int
    nanoseconds: int
    threads: int
    by_first_move: dict[str, int]

    @property
    def nodes_per_second(self) -> int:
        return self.nodes * 10**9 // max(1, self.nanoseconds)


def perft(
    game: GameWithPerft,
    depth: Depth,
    variant: Variant = None,
    option: OptionPairs = None,
    position: PositionText = None,
    divide: DivideFlag = False,
    threads: Threads = "1",
    as_json: JsonFlag = False,
) -> None:
    """Count the lines of play of DEPTH plies: the standard proof of a move generator.

    Compare the figures with other engines; --divide shows after which move they part.

    \b
    Examples:
      agon perft hive 6
      agon perft hive 5 --variant Base+MLP --threads all
      agon perft hive 3 --position 'Base;InProgress;White[2];wS1;bS1 wS1-' --divide
    """
    from agon.games.registry import find_game

    chosen = find_game(game)
    if position is not None and (variant is not None or option):
        raise SettingError("--variant with --position: the match names its variant; leave one out")
    workers = parse_threads(threads)
    with compile_notice(chosen.title):
        if position is not None:
            positions = chosen.parse_match(position)
        else:
            positions = [chosen.start(chosen_options(chosen, variant, option))]
        warm_up(chosen)
    wanted = SHARES * workers if workers > 1 or depth >= LONG_DEPTH else 1
    begin = time.perf_counter_ns()
    jobs = chosen.perft_jobs(positions[-1], depth, wanted)
    counts, end = run_jobs(jobs, workers, progress_console())
    by_first_move: Counter[str] = Counter()
    for job, nodes in zip(jobs, counts, strict=True):
        if job.first is not None:
            by_first_move[job.first] += nodes
    count = Count(depth, sum(counts), end - begin, workers, dict(sorted(by_first_move.items())))
    text = chosen.format_match(positions)
    if as_json:
        print_count_json(chosen, text, count, divide)
    else:
        print_count(chosen, text, count, divide)


def warm_up(game: Game) -> None:
    """Have everything compiled or loaded, so that the clock sees the count alone."""
    for job in game.perft_jobs(game.start(), 1):
        job.count()


def run_jobs(jobs: Sequence[PerftJob], threads: int, console: Console) -> tuple[list[int], int]:
    """What the jobs count, in their order, and the reading of the clock when the last was done.

    On a terminal a run that takes longer shows a bar. An interrupt does not wait for the threads.
    """
    pool = ThreadPoolExecutor(threads)
    try:
        futures = [pool.submit(job.count) for job in jobs]
        _, running = wait(futures, timeout=QUIET_SECONDS)
        end = time.perf_counter_ns()
        if running:
            with progress_bar(console) as bar:
                task = bar.add_task("counting", total=len(jobs))
                for _ in as_completed(futures):
                    bar.update(task, advance=1)
                end = time.perf_counter_ns()
        return [future.result() for future in futures], end
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def print_count_json(game: Game, match: str, count: Count, divide: bool) -> None:
    """The figures for programs; the time in nanoseconds."""
    figures: dict[str, JsonValue] = {
        "game": game.name,
        "match": match,
        "depth": count.depth,
        "nodes": count.nodes,
        "time_ns": count.nanoseconds,
        "nodes_per_second": count.nodes_per_second,
        "threads": count.threads,
    }
    if divide:
        figures["divide"] = count.by_first_move
    print_json(figures)


def print_count(game: Game, match: str, count: Count, divide: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    console = result_console()
    heading = Text.assemble((game.title, "bold"), "  ", match)
    console.print(heading, no_wrap=True, overflow="ellipsis")
    if divide and count.by_first_move:
        moves = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
        moves.add_column("first move")
        moves.add_column("nodes", justify="right")
        for move, nodes in count.by_first_move.items():
            moves.add_row(Text(move), f"{nodes:,}")
        console.print(moves)
    console.print(f"perft {count.depth}   [bold green]{count.nodes:,}[/] nodes")
    plural = "" if count.threads == 1 else "s"
    speed = f"{count.nodes_per_second:,} nodes/s, {count.threads} thread{plural}"
    console.print(f"{format_seconds(count.nanoseconds)}, {speed}", style="dim")
