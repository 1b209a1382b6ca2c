"""`agon tournament`: bots meet by a schedule; every result is kept; `agon rank`: the table."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.arguments import (
    GameName,
    JsonFlag,
    OptionPairs,
    Variant,
    available_cores,
    check_amount,
    chosen_options,
)
from agon.cli.console import (
    compile_notice,
    print_json,
    progress_bar,
    progress_console,
    result_console,
)
from agon.cli.duration import parse_duration
from agon.cli.match import MOST_TURNS, warm_up
from agon.errors import SettingError

if TYPE_CHECKING:
    from rich.console import Console

    from agon.arbiter.match import Match
    from agon.ranker.result import Result
    from agon.ranker.table import Table

FORMATS = ("round-robin", "gauntlet", "swiss", "knockout", "ladder")
MOST_JOBS = 1000
LADDER_BATCHES = 10

Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...", help="Built-in bots, folders with bot.toml, or command lines."
    ),
]
FormatName = Annotated[
    str, typer.Option("--format", metavar="NAME", help=f"One of {', '.join(FORMATS)}.")
]
Rounds = Annotated[
    int | None, typer.Option(metavar="N", help="How many rounds; the format has a default.")
]
Jobs = Annotated[int, typer.Option(metavar="N", help="Matches side by side; 0: one for each core.")]
Resume = Annotated[
    bool, typer.Option("--resume", metavar="", help="Go on with the tournament of that name.")
]
Name = Annotated[
    str | None, typer.Option(metavar="NAME", help="What to call it; needed to resume it.")
]
Data = Annotated[
    str | None,
    typer.Option(metavar="FOLDER|URL", help="The datastore; else AGON_DATA, else your own."),
]
TurnTime = Annotated[str, typer.Option("--time", metavar="T", help="Time per turn.")]
Cap = Annotated[int, typer.Option(metavar="TURNS", help="A match this long has no winner.")]
Seed = Annotated[int, typer.Option(metavar="S", help="The schedule follows from it.")]


def tournament(
    game: GameName,
    bots: Bots,
    format_name: FormatName = "round-robin",
    rounds: Rounds = None,
    jobs: Jobs = 0,
    turn_time: TurnTime = "1s",
    seed: Seed = 0,
    cap: Cap = 1000,
    variant: Variant = None,
    option: OptionPairs = None,
    name: Name = None,
    resume: Resume = False,
    data: Data = None,
    as_json: JsonFlag = False,
) -> None:
    """Let bots meet by a schedule, side by side; every match is stored as it ends.

    A tournament that was stopped goes on with --resume and the same arguments.

    \b
    Examples:
      agon tournament hive random greedy search --time 100ms
      agon tournament hive ./mybot greedy search --format gauntlet --rounds 10
      agon tournament hive greedy search --rounds 50 --name friday --resume
    """
    from agon.arbiter.entrant import find_entrant, launch_on_host
    from agon.arbiter.host import HostWatch
    from agon.arbiter.limits import Limits
    from agon.arbiter.series import Arena
    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.games.registry import find_game
    from agon.ranker.formats import Format, new_schedule
    from agon.ranker.table import make_table
    from agon.ranker.tournament import Plan, Tournament, distinct_names

    chosen = find_game(game)
    if format_name not in FORMATS:
        raise SettingError(f"--format {format_name!r}: expected one of {', '.join(FORMATS)}")
    check_amount("--jobs", jobs, 0, MOST_JOBS)
    check_amount("--cap", cap, 1, MOST_TURNS)
    check_amount("--seed", seed, 0, 2**53)
    if resume and name is None:
        raise SettingError("--resume: expected --name with the name of the tournament")
    options = chosen_options(chosen, variant, option)
    entrants = distinct_names([find_entrant(chosen, bot) for bot in bots])
    if format_name == "ladder" and rounds is None:
        rounds = LADDER_BATCHES
    names = [entrant.name for entrant in entrants]
    schedule = new_schedule(Format(format_name), names, seed, chosen.seats[0], rounds)
    limits = Limits(parse_duration(turn_time), turns=cap)
    with compile_notice(chosen.title):
        warm_up(chosen, options, entrants)
    title = name or f"{chosen.name} {time.strftime('%Y-%m-%d %H:%M:%S')}"
    plan = Plan(title, chosen, options, entrants, limits, format_name, rounds, seed)
    with Store.open(find_data(data, os.environ)) as store:
        if store.tournaments.find(title) is not None and not resume:
            raise SettingError(f"tournament {title!r} exists: add --resume, or choose another name")
        running = Tournament(store, plan, time.time_ns)
        with HostWatch() as host, progress_bar(progress_console()) as bar:
            task = bar.add_task(title, total=schedule.total, completed=len(running.results))

            def show(result: Result, match: Match) -> None:
                bar.update(task, advance=1)

            arena = Arena(time.monotonic_ns, launch_on_host, host.late_since)
            running.run(schedule, arena, jobs or available_cores(), show)
        table = make_table(running.results, names)
    show_table(chosen.title, table, as_json, {"tournament": title})


def rank(
    game: GameName, data: Data = None, variant: Variant = None, as_json: JsonFlag = False
) -> None:
    """The official table of a game, from the stored matches alone.

    \b
    Examples:
      agon rank hive
      agon rank hive --variant Base+MLP --json
    """
    from dataclasses import asdict

    from agon.datastore.location import find_data
    from agon.datastore.store import Store
    from agon.games.registry import find_game
    from agon.ranker.table import make_table
    from agon.ranker.tournament import stored_results

    chosen = find_game(game)
    wanted = None if variant is None else asdict(chosen_options(chosen, variant, None))
    with Store.open(find_data(data, os.environ), create=False) as store:
        table = make_table(stored_results(store, chosen, wanted))
    show_table(chosen.title, table, as_json, {})


def show_table(title: str, table: Table, as_json: bool, extra: dict[str, Any]) -> None:
    """Print the table for people or for programs."""
    if as_json:
        print_json(extra | table.to_json())
    else:
        print_table(result_console(), title, table)


def print_table(console: Console, title: str, table: Table) -> None:
    """Ratings with their intervals, records, and who beat whom."""
    from rich.markup import escape
    from rich.table import Table as Grid

    console.print(f"[bold]{title}[/]  {table.matches} matches")
    grid = Grid(box=None, header_style="dim", padding=(0, 2, 0, 0))
    headings = (
        "",
        "bot",
        "Elo",
        "95 %",
        "games",
        "score",
        "won",
        "drawn",
        "lost",
        "surer than next",
    )
    for heading in headings:
        grid.add_column(heading, justify="left" if heading == "bot" else "right")
    for row in table.rows:
        grid.add_row(
            str(row.rank),
            escape(row.bot),
            f"[bold]{row.rating:+.0f}[/]",
            f"{row.low:+.0f} to {row.high:+.0f}",
            str(row.games),
            "" if row.score is None else f"{100 * row.score:.1f} %",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            "" if row.superiority is None else f"{100 * row.superiority:.1f} %",
        )
    console.print(grid)
    if len(table.groups) > 1:
        console.print(f"[yellow]{len(table.groups)} groups never met: compare within them only[/]")
    if 1 < len(table.rows) <= 12:
        print_meetings(console, table)


def print_meetings(console: Console, table: Table) -> None:
    """The head-to-head matrix: wins, draws and losses of the row against the column."""
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="dim", padding=(0, 2, 0, 0))
    grid.add_column("won-drawn-lost against")
    for row in table.rows:
        grid.add_column(str(row.rank), justify="right")
    for row, against in zip(table.rows, table.meetings, strict=True):
        cells = ["-".join(map(str, meeting)) if sum(meeting) else "" for meeting in against]
        grid.add_row(escape(f"{row.rank} {row.bot}"), *cells)
    console.print(grid)
