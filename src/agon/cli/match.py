"""`agon match`: bots play each other, one match or many."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.allow import Allow, allow_installations
from agon.cli.arguments import (
    MOST_TURNS,
    Bots,
    Cap,
    Cluster,
    Data,
    GameName,
    Jobs,
    JsonFlag,
    OptionPairs,
    Oversubscribe,
    Reuse,
    UnsafeHost,
    Variant,
    check_amount,
    chosen_options,
    parse_jobs,
    parse_threads,
)
from agon.cli.console import print_json, progress_bar, progress_console, result_console
from agon.cli.duration import parse_duration
from agon.cli.match_setup import find_bots, open_matches, prepare_bots
from agon.cli.printable import printable
from agon.cli.score import format_points, print_score, score_json
from agon.cli.stopping import INTERRUPTED, stopping_in_order
from agon.errors import SettingError
from agon.simulate.threads import available_cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agon.arbiter.limits import Limits
    from agon.arbiter.series import Score, Series
    from agon.arena.fleet.carry_out import PlaysMatches
    from agon.games.game import Game
    from agon.match.match import Match
    from agon.match.result import MatchResult
    from agon.match.transcript import Transcript

MOST_MATCHES = 10**6
MOST_DEPTH = 100
GLIMPSE_SECONDS = 0.1  # how long a board stays on the screen at the least

Matches = Annotated[
    int, typer.Option("--games", metavar="N", help="How many games; seats take turns.")
]
SeedOption = Annotated[int, typer.Option(metavar="S", help="The random seed of the bots.")]
TimeOption = Annotated[
    str | None,
    typer.Option(
        "--time", metavar="T", help="Time per turn, such as 1s or 200ms; 1s if there is no --depth."
    ),
]
DepthOption = Annotated[
    int | None, typer.Option(metavar="D", help="Search depth, instead of a time or with it.")
]
BotThreads = Annotated[
    str,
    typer.Option(
        "--threads",
        metavar="N",
        help="Threads of each built-in bot that has a use for them, as Hive's search has;"
        " [bold]all[/] or 0: all cores.",
    ),
]
Bank = Annotated[str, typer.Option(metavar="T", help="Extra time, once for the whole match.")]
Save = Annotated[
    str | None,
    typer.Option(
        metavar="PATH",
        help="Write the transcript to this file; with --games, transcripts into this folder.",
    ),
]
Watch = Annotated[bool, typer.Option("--watch", metavar="", help="Draw the board as they play.")]


def match(
    game: GameName,
    bots: Bots,
    games: Matches = 1,
    jobs: Jobs = 1,
    oversubscribe: Oversubscribe = False,
    seed: SeedOption = 0,
    turn_time: TimeOption = None,
    depth: DepthOption = None,
    threads: BotThreads = "1",
    variant: Variant = None,
    option: OptionPairs = None,
    cap: Cap = 1000,
    bank: Bank = "0s",
    save: Save = None,
    watch: Watch = False,
    reuse: Reuse = False,
    unsafe_host: UnsafeHost = False,
    allow: Allow = None,
    data: Data = None,
    cluster: Cluster = None,
    as_json: JsonFlag = False,
) -> None:
    """Let bots play each other: built-in ones by name, programs by their folder or command.

    With --games they take turns at the seats; two games in a row share a seed.

    \b
    Examples:
      agon match hive search greedy --watch
      agon match hive search greedy --games 100 --time 200ms --jobs 0
      agon match hive "python3 mybot.py" greedy --save match.json
      agon match hive mybot@2 mybot@1 --games 20
      agon match hive ./mybot greedy --allow ~/.pyenv/versions/3.13.1
      agon match hive greedy random --games 100 --variant Base+MLP --json
    """
    from agon.arbiter.entrant import check_time
    from agon.arbiter.series import Series
    from agon.games.registry import find_game

    chosen = find_game(game)
    workers = parse_jobs(jobs, oversubscribe, cluster)
    if watch and cluster is not None:
        raise SettingError("--watch with --cluster: expected a match on this machine")
    check_use(chosen, bots, games, seed, workers, watch, as_json)
    threads_each = match_threads(threads, workers, oversubscribe)
    allow_installations(allow, cluster)
    with find_bots(chosen, bots, data) as found:
        limits = match_limits(turn_time, bank, depth, cap, any(bot.program for bot in found))
        limits = replace(limits, threads=threads_each)
        check_time(chosen, found, limits.turn_ns)
        options = chosen_options(chosen, variant, option)
        entrants = prepare_bots(found, unsafe_host, cluster)
        series = Series(chosen, options, entrants, limits, seed)
        with (
            spectator(series, watch) as on_change,
            open_matches(
                chosen,
                options,
                entrants,
                min(workers, games),
                reuse=reuse,
                unsafe_host=unsafe_host,
                on_change=on_change,
                cluster=cluster,
            ) as (runner, room),
        ):
            score = play_series(series, runner, games, room, watch, save)
    if score.matches and as_json:
        print_json(score_json(series, score))
    elif score.matches:
        print_score(series, score)
    if len(score.matches) < games:  # it was stopped
        raise typer.Exit(INTERRUPTED)


def check_use(
    game: Game, bots: list[str], games: int, seed: int, jobs: int, watch: bool, as_json: bool
) -> None:
    if len(bots) not in game.seats:
        seats = " to ".join(str(n) for n in sorted({game.seats[0], game.seats[-1]}))
        raise SettingError(f"{' '.join(bots)}: {game.title} is for {seats} bots")
    if watch and as_json:
        raise SettingError("--watch with --json: both would go to stdout; leave one out")
    if watch and jobs > 1:
        raise SettingError(f"--watch with {jobs} jobs: expected one match at a time")
    check_amount("--games", games, 1, MOST_MATCHES)
    check_amount("--seed", seed, 0, 2**62)


def match_threads(text: str, jobs: int, oversubscribe: bool) -> int:
    """How many threads each built-in bot has, beside so many matches."""
    threads, cores = parse_threads(text), available_cores()
    if threads > 1 and jobs * threads > cores and not oversubscribe:
        raise SettingError(
            f"--threads {text}, --jobs {jobs}: expected no more threads than this machine has"
            f" cores, {cores}; with --oversubscribe more, and each is slower"
        )
    return threads


def match_limits(
    turn_time: str | None, bank: str, depth: int | None, cap: int, has_programs: bool
) -> Limits:
    """What the options allow; a program knows no depth, so it has a time in any case."""
    from agon.arbiter.limits import Limits

    check_amount("--cap", cap, 1, MOST_TURNS)
    if depth is not None:
        check_amount("--depth", depth, 1, MOST_DEPTH)
    if turn_time is None and (depth is None or has_programs):
        turn_time = "1s"
    turn_ns = None if turn_time is None else parse_duration(turn_time)
    return Limits(turn_ns, parse_duration(bank), depth=depth, turns=cap)


def play_series(
    series: Series,
    runner: PlaysMatches,
    games: int,
    room: Callable[[], int],
    watch: bool,
    save: str | None,
) -> Score:
    """Play the games side by side; the score has them in the order of their numbers."""
    from agon.arbiter.series import Score
    from agon.arena.fleet.jobs import series_job
    from agon.arena.match_threads import MatchThreads, play_all
    from agon.match.result import MatchResult

    def play(number: int) -> MatchResult:
        return runner.play(series_job(series, number, keeps_logs=save is not None)).result()

    bots = len(series.entrants)
    played: dict[int, MatchResult] = {}
    with (
        stopping_in_order() as stopping,
        progress_bar(progress_console()) as bar,
        MatchThreads[int, MatchResult](room, runner) as workers,
    ):
        so_far = Score.zero(bots)
        task = bar.add_task("playing", total=games, visible=games > 1 and not watch)
        for number, one in play_all(workers, range(games), play, stopping.goes_on):
            if save is not None:
                save_match(save, number, games, one.transcript)
            played[number] = one
            so_far.add(one, series.seating(number))
            bar.update(task, advance=1, description=f"playing {format_points(so_far)}")
    score = Score.zero(bots)
    for number in sorted(played):
        score.add(played[number], series.seating(number))
    return score


def save_match(target: str, number: int, games: int, transcript: Transcript) -> None:
    """Write a transcript to a file; for several games, to numbered files in a folder."""
    from agon.match.transcript import save_transcript

    path = Path(target)
    if games > 1:
        path = path / f"{number:06}.json.gz"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_transcript(path, transcript)
    except OSError as error:
        raise SettingError(f"--save {target!r}: cannot be written: {error.strerror}") from None


@contextmanager
def spectator(series: Series, watch: bool) -> Iterator[Callable[[Match], None] | None]:
    """What is to be told of each change: a board on the screen, or nothing."""

    if not watch:
        yield None
        return
    from rich.console import Group
    from rich.live import Live
    from rich.text import Text

    game, console = series.game, result_console()
    shown: tuple[Match, Live] | None = None

    def draw(match: Match) -> None:
        nonlocal shown
        names = [printable(str(player["name"])) for player in match.setup.players]
        if not console.is_terminal:
            console.print(game.terminal_board(match.position, names=names), soft_wrap=True)
            return
        if shown is None or shown[0] is not match:  # the last board of another one stays
            if shown is not None:
                shown[1].stop()
            shown = match, Live(console=console, auto_refresh=False, vertical_overflow="crop")
            shown[1].start()
        board = game.terminal_board(match.position, console.width, names)
        title = Text(f"{game.title}: {' - '.join(names)}", style="bold")
        shown[1].update(Group(title, "", board), refresh=True)
        time.sleep(GLIMPSE_SECONDS)

    try:
        yield draw
    finally:
        if shown is not None:
            shown[1].stop()
