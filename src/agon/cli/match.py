"""`agon match`: built-in bots play each other."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
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

    from agon.arbiter.entrant import Entrant
    from agon.arbiter.match import Match
    from agon.arbiter.series import Score, Series
    from agon.games.game import Game, JsonObject, Options, Position
    from agon.transcript import Transcript

MOST_MATCHES = 10**6
MOST_TURNS = 10**6
MOST_DEPTH = 100
GLIMPSE_SECONDS = 0.1  # how long a board stays on the screen at the least

Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help="For each seat a built-in bot, a folder with bot.toml, or a command line.",
    ),
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
Bank = Annotated[str, typer.Option(metavar="T", help="Time beyond that, once for the whole game.")]
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
    seed: SeedOption = 0,
    turn_time: TimeOption = None,
    depth: DepthOption = None,
    variant: Variant = None,
    option: OptionPairs = None,
    cap: TurnCap = 1000,
    bank: Bank = "0s",
    save: Save = None,
    watch: Watch = False,
    as_json: JsonFlag = False,
) -> None:
    """Let bots play each other: built-in ones by name, programs by their folder or command.

    With --games they take turns at the seats; two games in a row share a seed.

    \b
    Examples:
      agon match hive search greedy --watch
      agon match hive search greedy --games 100 --time 200ms
      agon match hive "python3 mybot.py" greedy --save match.json
      agon match hive greedy random --games 100 --variant Base+MLP --json
    """
    from agon.arbiter.entrant import find_entrant, launch_on_host
    from agon.arbiter.host import HostWatch
    from agon.arbiter.limits import Limits
    from agon.arbiter.series import Arena, Score, Series
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
    entrants = tuple(find_entrant(chosen, bot) for bot in bots)
    if turn_time is None and (depth is None or any(entrant.program for entrant in entrants)):
        turn_time = "1s"  # a program knows no depth
    turn_ns = None if turn_time is None else parse_duration(turn_time)
    limits = Limits(turn_ns, parse_duration(bank), depth=depth, turns=cap)
    options = chosen_options(chosen, variant, option)
    with compile_notice(chosen.title):
        warm_up(chosen, options, entrants)
    series = Series(chosen, options, entrants, limits, seed)
    score = Score.zero(len(bots))
    with HostWatch() as watch_host, progress_bar(progress_console()) as bar:
        task = bar.add_task("playing", total=games, visible=games > 1 and not watch)
        for number in range(games):
            with spectator(chosen, series, number, watch) as on_position:
                wire = Wire(len(entrants), save is not None)
                arena = Arena(
                    time.monotonic_ns,
                    launch_on_host,
                    watch_host.late_since,
                    on_position,
                    wire.listener,
                )
                played = arena.play(series, number)
            if save is not None:
                save_match(save, number, games, wire.added_to(played.transcript))
            score.add(played, series.seating(number))
            bar.update(task, advance=1, description=f"playing {format_points(score)}")
    if as_json:
        print_json(score_json(series, score))
    else:
        print_score(series, score)


def warm_up(game: Game, options: Options, entrants: Sequence[Entrant]) -> None:
    """Have everything compiled or loaded before a clock runs."""
    from agon.games.bot import Budget

    position = game.start(options)
    for name in {entrant.built_in for entrant in entrants if entrant.program is None}:
        game.bot(name, 0).choose(position, position.to_act[0], Budget(depth=1))


class Wire:
    """The lines that the programs of one match exchanged with the arbiter, by seat."""

    def __init__(self, seats: int, wanted: bool) -> None:
        """Keeps nothing unless it is wanted."""
        self._lines: list[list[str]] = [[] for _ in range(seats)]
        self._wanted = wanted

    def listener(self, seat: int) -> Callable[[str, str], None]:
        """What is to be told of every line of a seat: the direction, and the line."""
        if not self._wanted:
            return lambda direction, line: None
        lines: list[str] = []
        self._lines[seat] = lines  # of the last try, if a void match is played again
        return lambda direction, line: lines.append(f"{direction} {line}")

    def added_to(self, transcript: Transcript) -> Transcript:
        """The transcript with these lines in it."""
        lines: JsonObject = {"wire": [[*lines] for lines in self._lines]}
        return replace(transcript, extra=transcript.extra | lines)


def save_match(target: str, number: int, games: int, transcript: Transcript) -> None:
    """Write a transcript to a file; for several games, to numbered files in a folder."""
    from agon.transcript import save_transcript

    path = Path(target)
    if games > 1:
        path = path / f"{number:06}.json.gz"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_transcript(path, transcript)
    except OSError as error:
        raise SettingError(f"--save {target!r}: cannot be written: {error.strerror}") from None


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
        "bots": [entrant.name for entrant in series.entrants],
        "wins": score.wins,
        "draws": score.shared,
        "thought_ns": score.thought_ns,
        "slowest_turn_ns": score.slowest_ns,
        "faults": score.faults,
        "games": [
            {
                "seats": list(series.names(number)),
                "seed": series.seed_of(number),
                "turns": match.turns,
                "winner": match.outcome.winner,
                "reason": match.outcome.reason,
                "faults": [None if fault is None else fault.value for fault in match.faults],
                "match": match_text(series.game, match),
            }
            for number, match in enumerate(score.matches)
        ],
    }


def match_text(game: Game, match: Match) -> str:
    """The match in the text that players of the game exchange."""
    from agon.transcript import played_positions

    return game.format_match(played_positions(match.transcript))


def print_score(series: Series, score: Score) -> None:
    """The figures for people."""
    from rich.markup import escape
    from rich.table import Table

    from agon.transcript import FaultEvent

    console = result_console()
    if len(score.matches) == 1:
        match = score.matches[0]
        winner = match.outcome.winner
        ending = "draw" if winner is None else f"{series.names(0)[winner]} wins"
        console.print(
            f"[bold]{escape(ending)}[/] after {match.turns} turns: {match.outcome.reason}"
        )
        for event in match.transcript.events:
            if isinstance(event, FaultEvent):
                name = series.names(0)[event.player]
                console.print(f"{name}: {event.fault.value}: {event.detail}", markup=False)
        print(match_text(series.game, match))
        return
    total = len(score.matches)
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    for heading in ("bot", "wins", "draws", "losses", "score", "faults", "slowest turn"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for bot, entrant in enumerate(series.entrants):
        wins, drawn = score.wins[bot], score.shared
        table.add_row(
            escape(entrant.name),
            str(wins),
            str(drawn),
            str(total - wins - drawn),
            f"{100 * (wins + drawn / len(series.entrants)) / total:.1f} %",
            str(score.faults[bot]),
            format_seconds(score.slowest_ns[bot]),
        )
    console.print(table)
    turns = sum(match.turns for match in score.matches)
    console.print(f"{total} games, {turns / total:.1f} turns on average", style="dim")
