"""`agon bench`: how fast things are, as ratios against others in the same minute."""

from __future__ import annotations

import os
import time
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from agon.arena.cluster.settings import ADDRESS, LOCAL
from agon.cli.arguments import JsonFlag, check_amount
from agon.cli.console import (
    JsonValue,
    format_seconds,
    print_json,
    progress_console,
    result_console,
)
from agon.cli.warm import warm_game
from agon.errors import MissingPartError, SettingError
from agon.games.registry import find_game
from agon.simulate.cuda import load_cuda
from benchmarks import hive
from benchmarks.arbiter import arbiter_duels
from benchmarks.cluster_report import bench_cluster
from benchmarks.duel import fight, read_meter
from benchmarks.duel_report import duel_json, print_duel
from benchmarks.fairness import bench_fairness
from benchmarks.measure import measure
from benchmarks.website_report import bench_website

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from benchmarks.learn_check import Checked
    from benchmarks.measure import Contest, Standing

OTHER_GAMES = ("atlantis", "battlebots", "skyport", "mebipenny")
BENCHES = ("hive", *OTHER_GAMES, "gpu", "learn", "arbiter", "fairness", "website", "cluster")
WITH_A_SERVER = ("skyport", "mebipenny")

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME]...", help=f"What to measure: {', '.join(BENCHES)}; or all."),
]
Rounds = Annotated[int, typer.Option(metavar="N", help="Turns that each contestant gets.")]
Seconds = Annotated[int, typer.Option(metavar="S", help="Seconds per turn.")]
Measured = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Which cluster the bench cluster measures, else AGON_CLUSTER: HOST:PORT of its head. "
        "Default: one of this machine.",
        show_default=False,
    ),
]
CheckFlag = Annotated[
    bool,
    typer.Option(
        "--check",
        metavar="",
        help="Only for the bench learn: measure nothing; compare batches on this GPU, byte by "
        "byte, with those on cores, over millions of steps of every game. Status 1: they differ.",
    ),
]
HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(add_completion=False, rich_markup_mode="rich", context_settings=HELP)


@app.command()
def bench(
    names: Names = None,
    rounds: Rounds = 3,
    seconds: Seconds = 1,
    cluster: Measured = None,
    check: CheckFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure speed: rules against other programs, the arbiter against a bare loop.

    Contestants take turns; the median of each one's rates counts. [bold]hive[/] is compiled
    rules on one core, against the interpreted ones and OpenSpiel, which takes part if it is
    installed: [bold]make bench[/] sees to that. The other games are the same against the
    interpreted rules and plain Python. [bold]gpu[/] is random games on a GPU, against all cores of
    its machine. [bold]learn[/] is steps of training environments, against
    OpenSpiel and PettingZoo, and on a GPU against Pgx; it says which of these are missing, and how
    to get them. [bold]arbiter[/] is what a match costs around its bots, what it costs to store, and
    the table of many matches. [bold]fairness[/] is whether bots lose on time because many matches
    are played at once.
    [bold]website[/] is how heavy its pages are, how fast they are made and served, and how far
    behind are 500 spectators who come at once. [bold]cluster[/] is what a match costs on a cluster
    beyond a process here, and how the rate grows with nodes; it needs agon\\[cluster].

    \b
    Examples:
      agon bench
      agon bench hive --rounds 5 --json
      agon bench arbiter
      agon bench learn --check
      agon bench cluster --cluster 10.0.0.1:6379
    """
    wrong = [name for name in names or () if name not in BENCHES]
    if wrong:
        raise SettingError(f"bench {wrong[0]!r}: expected one of {', '.join(BENCHES)}")
    if cluster is not None and names != ["cluster"]:
        raise SettingError(f"--cluster {cluster!r}: only for `agon bench cluster`")
    if check:
        check_learn(names, as_json)
        return
    check_amount("--rounds", rounds, 1, 1000)
    check_amount("--seconds", seconds, 0, 3600)
    if not names or {"hive", "arbiter", "fairness", "cluster"} & {*names}:  # those play Hive
        warm_game(find_game("hive"))
    if not names or "cluster" in names:
        warm_game(find_game("battlebots"))
    found: dict[str, JsonValue] = {}
    for name in BENCHES:
        if not names or name in names:
            found |= run_bench(name, rounds, seconds * 10**9, cluster, as_json)
    if as_json:
        print_json(found)


def run_bench(
    name: str, rounds: int, round_ns: int, cluster: str | None, as_json: bool
) -> dict[str, JsonValue]:
    match name:
        case "hive":
            return bench_hive(rounds, round_ns, as_json)
        case "gpu":
            return {name: bench_gpu(rounds, round_ns, as_json)}
        case "learn":
            return {name: bench_learn(rounds, round_ns, as_json)}
        case "arbiter":
            return {name: bench_arbiter(rounds, round_ns, as_json)}
        case "fairness":
            return {name: bench_fairness(as_json)}
        case "website":
            return {name: bench_website(as_json)}
        case "cluster":
            address = cluster or os.environ.get(ADDRESS) or LOCAL
            return {name: bench_cluster(address, rounds, round_ns, as_json)}
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


def bench_gpu(rounds: int, round_ns: int, as_json: bool) -> list[JsonValue]:
    """Measure random games on the GPU, if there is one."""
    try:
        load_cuda()
    except MissingPartError as missing:
        progress_console().print(f"gpu is left out: {missing}", markup=False, soft_wrap=True)
        return []
    found = import_module("benchmarks.gpu").gpu_contests()
    return run_contests(found, rounds, round_ns, as_json)


def bench_learn(rounds: int, round_ns: int, as_json: bool) -> dict[str, JsonValue]:
    """Measure the steps of training environments, and say which peers are missing."""
    missing = import_module("benchmarks.learn_peers").missing_peers()
    for line in missing:
        progress_console().print(line, markup=False, soft_wrap=True)
    found = import_module("benchmarks.learn").learn_contests()
    return {"contests": run_contests(found, rounds, round_ns, as_json), "missing": [*missing]}


def check_learn(names: list[str] | None, as_json: bool) -> None:
    """Compare batches on the GPU with those on cores; status 1 if they differ."""
    if names != ["learn"]:
        raise SettingError("--check: only for `agon bench learn`")
    load_cuda()
    report_checks(import_module("benchmarks.learn_check").check_gpu(), as_json)


def report_checks(checks: Iterable[Checked], as_json: bool) -> None:
    """Show each when it is over; status 1 if there is a difference."""
    found: list[Checked] = []
    for checked in checks:
        found.append(checked)
        if not as_json:
            result_console().print(str(checked), markup=False, soft_wrap=True)
    if as_json:
        print_json([checked_json(checked) for checked in found])
    if any(checked.played.difference for checked in found):
        raise typer.Exit(1)


def checked_json(checked: Checked) -> JsonValue:
    """One comparison for programs; without a difference both were equal in every byte."""
    played = checked.played
    return {
        "game": checked.case.game,
        "options": dict(checked.case.options),
        "matches": checked.shape.matches,
        "steps": checked.shape.matches * played.steps,
        "ended": played.over,
        "cut_off": played.cut_off,
        "difference": played.difference,
    }


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


def contest_json(contest: Contest, standings: list[Standing]) -> JsonValue:
    """One contest for programs; ratios in thousandths."""
    return {
        "title": contest.title,
        "unit": contest.unit,
        "rates": {standing.name: standing.per_second for standing in standings},
        "ratios_permille": {s.name: int(s.ratio * 1000) for s in standings if s.ratio is not None},
        "counts": {one.name: one.counts for one in contest.contestants if one.counts},
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
    for counts, names in names_by_counts(contest).items():
        console.print(f"{', '.join(names)}: {counts}", style="dim", markup=False)


def names_by_counts(contest: Contest) -> dict[str, list[str]]:
    """What is counted, and by whom; without those of whom nothing is said."""
    found: dict[str, list[str]] = {}
    for contestant in contest.contestants:
        if contestant.counts:
            found.setdefault(contestant.counts, []).append(contestant.name)
    return found
