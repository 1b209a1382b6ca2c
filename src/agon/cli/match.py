"""`agon match`: built-in bots play each other."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.arguments import (
    GameName,
    JsonFlag,
    OptionPairs,
    Variant,
    check_amount,
    chosen_options,
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
from agon.cli.duration import parse_duration
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agon.arbiter.series import Score, Series
    from agon.games.game import Game, Options, Position

MOST_MATCHES = 10**6
MOST_TURNS = 10**6
MOST_DEPTH = 100
GLIMPSE_SECONDS = 0.1  # how long a board stays on the screen at the least

Bots = Annotated[
    list[str],
    typer.Argument(metavar="BOT...", help="A built-in bot per seat; `agon games` lists them."),
]
Matches = Annotated[
    int, typer.Option("--games", metavar="N", help="How many games; seats take turns.")
]
SeedOption = Annotated[int, typer.Option(metavar="S", help="The bots' choices follow from it.")]
TimeOption = Annotated[
    str | None,
    typer.Option("--time", metavar="T", help="Time per turn, such as 1s or 200ms.  [default: 1s]"),
]
DepthOption = Annotated[
    int | None, typer.Option(metavar="D", help="Search depth, in place of a time or beside it.")
]
TurnCap = Annotated[
    int, typer.Option("--cap", metavar="TURNS", help="A game this long ends without a winner.")
]
Watch = Annotated[bool, typer.Option("--watch", metavar="", help="Draw the board as they play.")]


def match(
    game: GameName,
    bots: Bots,
    games: Matches = 1,
    seed: SeedOption = 0,
    turn_time: TimeOption = None,
    depth: DepthOption = None,
    variant: Variant = None,
    option: OptionPairs = None,
    cap: TurnCap = 1000,
    watch: Watch = False,
    as_json: JsonFlag = False,
) -> None:
    """Let built-in bots play each other; with --games they take turns at the seats.

    Two games in a row share a seed, with the seats swapped.

    \b
    Examples:
      agon match hive search greedy --watch
      agon match hive search greedy --games 100 --time 200ms
      agon match hive greedy random --games 100 --variant Base+MLP --json
    """
    from agon.arbiter.match import Limits
    from agon.arbiter.series import Score, Series
    from agon.games.registry import find_game

    chosen = find_game(game)
    if len(bots) not in chosen.seats:
        seats = " to ".join(str(n) for n in sorted({chosen.seats[0], chosen.seats[-1]}))
        raise SettingError(f"{' '.join(bots)}: {chosen.title} is for {seats} bots")
    if watch and as_json:
        raise SettingError("--watch with --json: both would go to stdout; leave one out")
    check_amount("--games", games, 1, MOST_MATCHES)
    check_amount("--seed", seed, 0, 2**62)
    check_amount("--cap", cap, 1, MOST_TURNS)
    if depth is not None:
        check_amount("--depth", depth, 1, MOST_DEPTH)
    if turn_time is None and depth is None:
        turn_time = "1s"
    turn_ns = None if turn_time is None else parse_duration(turn_time)
    limits = Limits(turn_ns, depth, cap)
    options = chosen_options(chosen, variant, option)
    with compile_notice(chosen.title):
        warm_up(chosen, options, bots)
    series = Series(chosen, options, tuple(bots), limits, seed)
    score = Score.zero(len(bots))
    with progress_bar(progress_console()) as bar:
        task = bar.add_task("playing", total=games, visible=games > 1 and not watch)
        for number in range(games):
            with spectator(chosen, series, number, watch) as on_position:
                played = series.play(number, time.perf_counter_ns, on_position)
            score.add(played, series.seating(number))
            bar.update(task, advance=1, description=f"playing {format_points(score)}")
    if as_json:
        print_json(score_json(series, score))
    else:
        print_score(series, score)


def warm_up(game: Game, options: Options, bots: Sequence[str]) -> None:
    """Have everything compiled or loaded before a clock runs."""
    from agon.games.bot import Budget

    position = game.start(options)
    for name in set(bots):
        game.bot(name, 0).choose(position, position.to_act[0], Budget(depth=1))


@contextmanager
def spectator(
    game: Game, series: Series, number: int, watch: bool
) -> Iterator[Callable[[Position[Any]], None]]:
    """What is to be told of each position: a board on the screen, or nothing."""
    if not watch:
        yield lambda position: None
        return
    console = result_console()
    names = " - ".join(series.names(number))
    if not console.is_terminal:
        yield lambda position: console.print(game.terminal_board(position), soft_wrap=True)
        return
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:

        def draw(position: Position[Any]) -> None:
            board = game.terminal_board(position, console.width)
            live.update(Group(Text(f"{game.title}: {names}", style="bold"), "", board))
            live.refresh()
            time.sleep(GLIMPSE_SECONDS)

        yield draw


def format_points(score: Score) -> str:
    """Wins so far, and draws."""
    return " : ".join(map(str, score.wins)) + f", {score.shared} drawn"


def score_json(series: Series, score: Score) -> dict[str, JsonValue]:
    """The figures for programs; times in nanoseconds."""
    return {
        "game": series.game.name,
        "options": asdict(series.options),
        "bots": list(series.bots),
        "wins": score.wins,
        "draws": score.shared,
        "thought_ns": score.thought_ns,
        "slowest_turn_ns": score.slowest_ns,
        "games": [
            {
                "seats": list(series.names(number)),
                "seed": series.seed_of(number),
                "turns": match.turns,
                "winner": match.outcome.winner,
                "reason": match.outcome.reason,
                "match": series.game.format_match(match.positions),
            }
            for number, match in enumerate(score.matches)
        ],
    }


def print_score(series: Series, score: Score) -> None:
    """The figures for people."""
    from rich.table import Table

    console = result_console()
    if len(score.matches) == 1:
        match = score.matches[0]
        winner = match.outcome.winner
        ending = "draw" if winner is None else f"{series.names(0)[winner]} wins"
        console.print(f"[bold]{ending}[/] after {match.turns} turns: {match.outcome.reason}")
        print(series.game.format_match(match.positions))
        return
    total = len(score.matches)
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    for heading in ("bot", "wins", "draws", "losses", "score", "slowest turn"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for bot, name in enumerate(series.bots):
        wins, drawn = score.wins[bot], score.shared
        table.add_row(
            name,
            str(wins),
            str(drawn),
            str(total - wins - drawn),
            f"{100 * (wins + drawn / len(series.bots)) / total:.1f} %",
            format_seconds(score.slowest_ns[bot]),
        )
    console.print(table)
    turns = sum(match.turns for match in score.matches)
    console.print(f"{total} games, {turns / total:.1f} turns on average", style="dim")
