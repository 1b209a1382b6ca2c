"""`agon sprt`: is the new bot better than the old one? A test that stops by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.allow import Allow, allow_installations
from agon.cli.arguments import (
    MOST_SEED,
    MOST_TURNS,
    Cap,
    Cluster,
    Data,
    GameName,
    Jobs,
    JsonFlag,
    OptionPairs,
    Oversubscribe,
    Reuse,
    TurnTime,
    UnsafeHost,
    Variant,
    check_amount,
    chosen_options,
    parse_jobs,
)
from agon.cli.console import print_json, progress_console, result_console
from agon.cli.duration import parse_duration
from agon.cli.match_setup import find_bots, open_matches, prepare_bots
from agon.cli.stopping import INTERRUPTED, stopping_in_order
from agon.cli.tournament import Seed

if TYPE_CHECKING:
    from collections.abc import Callable

    from agon.arbiter.series import Series
    from agon.arena.fleet.carry_out import PlaysMatches
    from agon.ranker.sprt import Sprt, SprtReport

MOST_PAIRS = 10**6

NewBot = Annotated[str, typer.Argument(metavar="NEW", help="The bot that should be better.")]
OldBot = Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")]
Elo0 = Annotated[float, typer.Option(metavar="E", help="No better than this: reject.")]
Elo1 = Annotated[float, typer.Option(metavar="E", help="At least this much better: accept.")]
Alpha = Annotated[float, typer.Option(metavar="P", help="Chance of a wrong accept.")]
Beta = Annotated[float, typer.Option(metavar="P", help="Chance of a wrong reject.")]
Pairs = Annotated[int, typer.Option(metavar="N", help="Maximum number of pairs of games.")]


def sprt(
    game: GameName,
    new: NewBot,
    old: OldBot,
    elo0: Elo0 = 0.0,
    elo1: Elo1 = 10.0,
    alpha: Alpha = 0.05,
    beta: Beta = 0.05,
    pairs: Pairs = 20_000,
    jobs: Jobs = 0,
    oversubscribe: Oversubscribe = False,
    turn_time: TurnTime = "100ms",
    seed: Seed = 0,
    cap: Cap = 1000,
    variant: Variant = None,
    option: OptionPairs = None,
    reuse: Reuse = False,
    unsafe_host: UnsafeHost = False,
    allow: Allow = None,
    data: Data = None,
    cluster: Cluster = None,
    as_json: JsonFlag = False,
) -> None:
    """Test whether NEW is better than OLD, on pairs of games with the same seed and swapped seats.

    The test stops by itself as soon as the games tell elo0 from elo1.

    \b
    Examples:
      agon sprt hive ./mybot-v2 ./mybot-v1
      agon sprt hive mybot@2 mybot@1
      agon sprt hive search greedy --elo0 0 --elo1 50 --time 20ms
    """
    from agon.arbiter.entrant import check_time
    from agon.arbiter.limits import Limits
    from agon.arbiter.series import Series
    from agon.arena.tournament import distinct_names
    from agon.games.registry import find_game
    from agon.ranker.sprt import Sprt

    chosen = find_game(game)
    check_amount("--pairs", pairs, 1, MOST_PAIRS)
    check_amount("--cap", cap, 1, MOST_TURNS)
    check_amount("--seed", seed, 0, MOST_SEED)
    workers = parse_jobs(jobs, oversubscribe, cluster)
    question = Sprt(elo0, elo1, alpha, beta)
    options = chosen_options(chosen, variant, option)
    allow_installations(allow, cluster)
    limits = Limits(parse_duration(turn_time), turns=cap)
    with find_bots(chosen, [new, old], data) as found:
        check_time(chosen, found, limits.turn_ns)
        entrants = prepare_bots(distinct_names(found), unsafe_host, cluster)
        series = Series(chosen, options, entrants, limits, seed)
        with open_matches(
            chosen,
            options,
            entrants,
            workers,
            reuse=reuse,
            unsafe_host=unsafe_host,
            cluster=cluster,
        ) as (runner, room):
            report, is_whole = run_test(series, runner, question, room, pairs)
    if as_json:
        print_json(report_json(report))
    else:
        print_report(report, entrants[0].name, entrants[1].name)
    if not is_whole:
        raise typer.Exit(INTERRUPTED)


def run_test(
    series: Series,
    runner: PlaysMatches,
    question: Sprt,
    room: Callable[[], int],
    pairs: int,
) -> tuple[SprtReport, bool]:
    """Play until the test decides or is stopped; the report, and whether it decided."""
    from agon.arena.trial import run_trial

    console = progress_console()
    with (
        console.status("playing the first pair …") as status,
        stopping_in_order() as stopping,
    ):
        report = run_trial(
            series,
            runner,
            question,
            room,
            pairs,
            lambda report: status.update(format_report(report)),
            stopping.goes_on,
        )
    return report, stopping.goes_on()


def format_report(report: SprtReport) -> str:
    """Where the test stands, in one line."""
    return (
        f"{report.pairs} pairs, LLR {report.llr:+.2f} ({report.lower:+.2f} … {report.upper:+.2f}),"
        f" Elo {format_elo(report)}"
    )


def format_elo(report: SprtReport) -> str:
    if report.elo is None:
        return "not known yet"
    low = "-∞" if report.elo_low is None else f"{report.elo_low:+.0f}"
    high = "+∞" if report.elo_high is None else f"{report.elo_high:+.0f}"
    return f"{report.elo:+.1f} ({low} to {high})"


def report_json(report: SprtReport) -> dict[str, Any]:
    return {
        "decision": report.decision.value,
        "pairs": report.pairs,
        "counts": list(report.counts),
        "llr": report.llr,
        "bounds": [report.lower, report.upper],
        "elo": report.elo,
        "elo_interval": [report.elo_low, report.elo_high],
    }


def print_report(report: SprtReport, new: str, old: str) -> None:
    console = result_console()
    answer = {
        "accept": f"[bold green]accept[/]: {new} is better than {old}",
        "reject": f"[bold red]reject[/]: {new} is not better than {old} by as much as asked",
        "continue": "[bold yellow]undecided[/]: the games ended first; allow more --pairs",
    }
    console.print(answer[report.decision.value])
    console.print(format_report(report))
    points = ("0", "½", "1", "1½", "2")
    shown = "  ".join(f"{p}: {n}" for p, n in zip(points, report.counts, strict=True))
    console.print(f"points of {new} in a pair   {shown}", style="dim", markup=False)
