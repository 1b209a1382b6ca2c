"""`agon bench`: how fast things are, as ratios against others in the same minute."""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from agon.cli.arguments import JsonFlag, check_amount
from agon.cli.console import (
    JsonValue,
    format_seconds,
    print_json,
    progress_console,
    result_console,
)
from agon.cli.warm import warm_game
from agon.errors import SettingError
from agon.games.registry import find_game
from benchmarks import hive
from benchmarks.arbiter import arbiter_duels
from benchmarks.duel import fight, read_meter
from benchmarks.fairness import bench_fairness
from benchmarks.measure import measure
from benchmarks.website_report import bench_website

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from benchmarks.duel import Costs, Duel, Verdict
    from benchmarks.measure import Contest, Standing

OTHER_GAMES = ("atlantis", "battlebots", "skyport", "mebipenny")
BENCHES = ("hive", *OTHER_GAMES, "arbiter", "fairness", "website", "cluster")
WITH_A_SERVER = ("skyport", "mebipenny")

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME]...", help=f"What to measure: {', '.join(BENCHES)}; or all."),
]
Rounds = Annotated[int, typer.Option(metavar="N", help="Turns that each contestant gets.")]
Seconds = Annotated[int, typer.Option(metavar="S", help="Seconds per turn.")]
HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(add_completion=False, rich_markup_mode="rich", context_settings=HELP)


@app.command()
def bench(
    names: Names = None,
    rounds: Rounds = 3,
    seconds: Seconds = 1,
    as_json: JsonFlag = False,
) -> None:
    """Measure speed: rules against other programs, the arbiter against a bare loop.

    Contestants take turns; the median of each one's rates counts. [bold]hive[/] is compiled
    rules on one core, against the interpreted ones and OpenSpiel, which takes part if it is
    installed: [bold]make bench[/] sees to that. The other games are the same against the
    interpreted rules and plain Python. [bold]arbiter[/] is what a match costs around its bots, what
    it costs to store, and the table of many matches. [bold]fairness[/] is whether bots lose on time
    because many matches are played at once. [bold]website[/] is how heavy its pages are,
    how fast they are made and served, and how far behind are 500 spectators who come at once.
    [bold]cluster[/] is what a match costs on a cluster beyond a process here; it needs
    agon\\[cluster].

    \b
    Examples:
      agon bench
      agon bench hive --rounds 5 --json
      agon bench arbiter
    """
    wrong = [name for name in names or () if name not in BENCHES]
    if wrong:
        raise SettingError(f"bench {wrong[0]!r}: expected one of {', '.join(BENCHES)}")
    check_amount("--rounds", rounds, 1, 1000)
    check_amount("--seconds", seconds, 0, 3600)
    if not names or {"hive", "arbiter", "fairness", "cluster"} & {*names}:  # those play Hive
        warm_game(find_game("hive"))
    found: dict[str, JsonValue] = {}
    for name in BENCHES:
        if not names or name in names:
            found |= run_bench(name, rounds, seconds * 10**9, as_json)
    if as_json:
        print_json(found)


def run_bench(name: str, rounds: int, round_ns: int, as_json: bool) -> dict[str, JsonValue]:
    match name:
        case "hive":
            return bench_hive(rounds, round_ns, as_json)
        case "arbiter":
            return {name: bench_arbiter(rounds, round_ns, as_json)}
        case "fairness":
            return {name: bench_fairness(as_json)}
        case "website":
            return {name: bench_website(as_json)}
        case "cluster":
            return {name: bench_cluster(rounds, round_ns, as_json)}
        case _:
            return {name: bench_game(name, rounds, round_ns, as_json)}


def bench_hive(rounds: int, round_ns: int, as_json: bool) -> dict[str, JsonValue]:
    """Measure Hive's contests, and how long the first use of its kernels takes."""
    results = run_contests(hive.hive_contests(), rounds, round_ns, as_json)
    with progress_console().status("compiling everything anew …"):
        cold, warm = hive.first_call_ns(time.perf_counter_ns)
    if not as_json:
        result_console().print(
            f"\na process that uses every kernel of Hive: {format_seconds(cold)} right after an"
            f" install, {format_seconds(warm)} from the cache\n"
        )
    return {"contests": results, "first_call_ns": cold, "from_cache_ns": warm}


def bench_game(name: str, rounds: int, round_ns: int, as_json: bool) -> dict[str, JsonValue]:
    """Measure the contests of a game, and the load on its server."""
    warm_game(find_game(name))
    found = getattr(import_module(f"benchmarks.{name}"), f"{name}_contests")()
    figures: dict[str, JsonValue] = {"contests": run_contests(found, rounds, round_ns, as_json)}
    if name in WITH_A_SERVER:
        figures["load"] = import_module(f"benchmarks.{name}_report").bench_load(as_json)
    return figures


def run_contests(
    contests: Iterable[Contest], rounds: int, round_ns: int, as_json: bool
) -> list[JsonValue]:
    """Measure these contests, and show each when it is over."""
    results: list[JsonValue] = []
    for contest in contests:
        with progress_console().status(f"measuring {contest.title} …"):
            standings = measure(contest, time.perf_counter_ns, rounds, round_ns)
        results.append(contest_json(contest, standings))
        if not as_json:
            print_contest(result_console(), contest, standings)
    return results


def bench_arbiter(rounds: int, round_ns: int, as_json: bool) -> list[JsonValue]:
    """Measure the arbiter's duels."""
    results: list[JsonValue] = []
    with progress_console().status("setting up …") as status:
        for duel in arbiter_duels():
            status.update(f"measuring {duel.title} …")
            verdict = fight(duel, read_meter, rounds, round_ns)
            results.append(duel_json(duel, verdict))
            if not as_json:
                print_duel(result_console(), duel, verdict)
            status.update("setting up …")
    return results


def bench_cluster(rounds: int, round_ns: int, as_json: bool) -> JsonValue:
    """Measure what a match costs on a cluster, and how the rate grows with its cores."""
    from benchmarks.cluster import cluster_duel

    with progress_console().status("starting a cluster …") as status, cluster_duel() as found:
        duel, rates = found
        status.update(f"measuring {duel.title} …")
        verdict = fight(duel, read_meter, rounds, round_ns)
        by_cores = rates(round_ns)
    more_ns = verdict.ours.cpu_ns - verdict.bare.cpu_ns
    if not as_json:
        print_duel(result_console(), duel, verdict)
        told = ", ".join(f"{rate:,} with {cores}" for cores, rate in by_cores)
        result_console().print(
            f"a match costs {more_ns / 10**6:.1f} ms of CPU more than here; wanted: at most 5 ms\n"
            f"matches a second by the number of cores: {told}\n"
        )
    return {
        "duel": duel_json(duel, verdict),
        "more_cpu_ns": more_ns,
        "per_second": {str(cores): rate for cores, rate in by_cores},
    }


def contest_json(contest: Contest, standings: list[Standing]) -> JsonValue:
    """One contest for programs; ratios in thousandths."""
    return {
        "title": contest.title,
        "unit": contest.unit,
        "rates": {standing.name: standing.per_second for standing in standings},
        "ratios_permille": {s.name: int(s.ratio * 1000) for s in standings if s.ratio is not None},
    }


def print_contest(console: Console, contest: Contest, standings: list[Standing]) -> None:
    """One contest for people."""
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    table.add_column(contest.title, min_width=42)
    table.add_column(f"{contest.unit}/s", justify="right", min_width=16)
    table.add_column("", justify="right", min_width=16)
    for standing in standings:
        ratio = "" if standing.ratio is None else f"[bold green]{standing.ratio:,.1f}[/] times"
        table.add_row(standing.name, f"{standing.per_second:,}", ratio)
    console.print(table)


def duel_json(duel: Duel, verdict: Verdict) -> JsonValue:
    """One duel for programs; ratios in thousandths, costs per unit of work."""
    sides = ((duel.ours.name, verdict.ours), (duel.bare.name, verdict.bare))
    return {
        "title": duel.title,
        "unit": duel.unit,
        "sides": {name: costs_json(costs) for name, costs in sides},
        "ratios_permille": {
            "cpu": int(verdict.cpu_ratio * 1000),
            "time": int(verdict.time_ratio * 1000),
        },
        "at_most": duel.at_most,
        "at_most_ns": duel.at_most_ns,
    }


def costs_json(costs: Costs) -> JsonValue:
    """What the work costs one side."""
    return {
        "cpu_ns": costs.cpu_ns,
        "own_cpu_ns": costs.own_cpu_ns,
        "per_second": costs.per_second,
        "piece_ns": costs.piece_ns,
    }


def print_duel(console: Console, duel: Duel, verdict: Verdict) -> None:
    """One duel for people."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("", min_width=34)
    for heading in (f"CPU/{duel.unit}", "this process", f"{duel.units}/s"):
        table.add_column(heading, justify="right", min_width=12)
    for side, costs in ((duel.ours, verdict.ours), (duel.bare, verdict.bare)):
        table.add_row(
            side.name,
            format_microseconds(costs.cpu_ns),
            format_microseconds(costs.own_cpu_ns),
            f"{costs.per_second:,}",
        )
    table.add_row(
        "" if duel.at_most is None else f"wanted: at most {duel.at_most} times",
        f"[bold]{verdict.cpu_ratio:,.1f}[/] times",
        "",
        f"[bold]{verdict.time_ratio:,.1f}[/] times",
    )
    console.print(f"[bold]{duel.title}[/]")
    console.print(table)
    if duel.at_most_ns is not None:
        took, most = format_seconds(verdict.ours.piece_ns), format_seconds(duel.at_most_ns)
        console.print(f"all of them: [bold]{took}[/], wanted: at most {most}")


def format_microseconds(nanoseconds: int) -> str:
    """A short time for people.

    >>> format_microseconds(113_250)
    '113.2 µs'
    """
    return f"{nanoseconds / 1000:.1f} µs"
