"""`agon simulate`: many random games at once, on all cores or on a GPU."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import (
    Cluster,
    GameName,
    JsonFlag,
    OptionPairs,
    Threads,
    Variant,
    check_amount,
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
from agon.cli.match_setup import open_cluster
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.arena.fleet.fleet import Fleet
    from agon.games.game import Game, Options
    from agon.games.simulation import Simulation
    from agon.simulate.tally import Tally

MOST_GAMES = 10**12
MOST_PLIES = 10**9
DEVICES = ("cpu", "cuda")

Games = Annotated[int, typer.Option(metavar="N", help="How many games to play.")]
Cap = Annotated[int, typer.Option(metavar="PLIES", help="A game of this length ends unfinished.")]
Seed = Annotated[int, typer.Option(metavar="S", help="The same seed gives the same games.")]
Device = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where to play: cpu or cuda. Default: cpu; with --cluster all cores and GPUs.",
        show_default=False,
    ),
]
Checksum = Annotated[
    bool,
    typer.Option("--checksum", metavar="", help="Digest all final records, to compare machines."),
]


@dataclass(frozen=True, slots=True)
class SimulationRun:
    """One simulation: what was asked for and how long it took."""

    options: Options
    seed: int
    cap: int
    devices: Mapping[str, int]
    nanoseconds: int

    def per_second(self, amount: int) -> int:
        return amount * 10**9 // max(1, self.nanoseconds)


def simulate(
    game: GameName,
    games: Games = 10_000,
    variant: Variant = None,
    option: OptionPairs = None,
    cap: Cap = 500,
    seed: Seed = 0,
    threads: Threads = "all",
    device: Device = None,
    checksum: Checksum = False,
    cluster: Cluster = None,
    as_json: JsonFlag = False,
) -> None:
    """Play many games of uniformly random legal moves, compiled, on all cores or a GPU.

    The same seed gives the same games on one thread, on many, on a GPU, and interpreted
    (AGON_JIT=0).

    \b
    Examples:
      agon simulate hive --games 100000
      agon simulate hive --games 2000 --variant Base+MLP --seed 7 --json
      agon simulate hive --games 1000000 --device cuda
      agon simulate hive --games 100000000 --cluster 10.0.0.1:6379
    """
    from agon.games.registry import find_game

    chosen = find_game(game)
    check_amount("--games", games, 1, MOST_GAMES)
    check_amount("--cap", cap, 1, MOST_PLIES)
    check_amount("--seed", seed, 0, 2**64 - 1)
    if device is not None and device not in DEVICES:
        raise SettingError(f"--device {device!r}: expected one of {', '.join(DEVICES)}")
    options = chosen_options(chosen, variant, option)
    workers = parse_threads(threads)
    if device == "cuda" and cluster is None:
        from agon.simulate.cuda import load_cuda

        load_cuda()
    with compile_notice(chosen.title):
        simulation = chosen.simulation(options)
        warm_up(simulation)
    with ExitStack() as stack:
        machines = None if cluster is None else stack.enter_context(open_cluster(cluster))
        bar = stack.enter_context(progress_bar(progress_console()))
        devices = {device or "cpu": 1 if device == "cuda" else workers}
        play = play_on_gpu if device == "cuda" else play_on_cores
        if machines is not None:
            devices = {name: n for name, n in machines.devices.items() if device in (None, name)}
            if not any(devices.values()):
                raise SettingError(f"--device {device}: no machine of the cluster has one")
            play = partial(play_on_cluster, machines, chosen)
        job = SimulationJob(simulation, games, seed, cap, devices, checksum)
        task = bar.add_task("playing", total=games)
        tally, nanoseconds = play(job, lambda done: bar.update(task, advance=done))
    run = SimulationRun(simulation.options, seed, cap, devices, nanoseconds)
    if as_json:
        print_json(tally_json(chosen, tally, run))
    else:
        print_tally(chosen, tally, run)


@dataclass(frozen=True, slots=True)
class SimulationJob:
    """What is to be played."""

    simulation: Simulation
    games: int
    seed: int
    cap: int
    devices: Mapping[str, int]
    """How many cores ("cpu") and GPUs ("cuda") play."""
    checksum: bool


def warm_up(simulation: Simulation) -> None:
    """Have everything compiled or loaded, so that the clock sees play alone."""
    from agon.simulate.cores import simulate_on_cores

    simulate_on_cores(simulation, games=1, seed=0, cap=1, threads=1)


def play_on_cores(job: SimulationJob, on_progress: Callable[[int], None]) -> tuple[Tally, int]:
    """Play on this machine's cores; the tally and how long it took."""
    from agon.simulate.cores import simulate_on_cores

    begin = time.perf_counter_ns()
    tally = simulate_on_cores(
        job.simulation, job.games, job.seed, job.cap, job.devices["cpu"], job.checksum, on_progress
    )
    return tally, time.perf_counter_ns() - begin


def play_on_cluster(
    machines: Fleet, game: Game, job: SimulationJob, on_progress: Callable[[int], None]
) -> tuple[Tally, int]:
    """Play on a cluster; the tally and how long it took."""
    from agon.arena.fleet.simulation import simulate_on_fleet

    begin = time.perf_counter_ns()
    options = job.simulation.options
    tally = simulate_on_fleet(
        machines,
        game,
        options,
        job.games,
        job.seed,
        job.cap,
        job.devices,
        job.checksum,
        on_progress,
    )
    return tally, time.perf_counter_ns() - begin


def play_on_gpu(job: SimulationJob, on_progress: Callable[[int], None]) -> tuple[Tally, int]:
    """Play on the GPU; the tally and how long its kernels ran."""
    from agon.simulate.cuda import GpuSimulation

    return GpuSimulation(job.simulation).play(
        job.games, job.seed, job.cap, job.checksum, time.perf_counter_ns, on_progress
    )


def tally_json(game: Game, tally: Tally, run: SimulationRun) -> dict[str, JsonValue]:
    """The figures for programs; the time in nanoseconds, rates in whole numbers."""
    return {
        "game": game.name,
        "options": asdict(run.options),
        "rules_version": game.rules_version,
        "seed": run.seed,
        "cap": run.cap,
        "device": "+".join(name for name, number in run.devices.items() if number),
        "threads": run.devices.get("cpu"),
        "gpus": run.devices.get("cuda"),
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.shared,
        "unfinished": tally.unfinished,
        "points": tally.points,
        "plies": tally.plies,
        "shortest": tally.shortest,
        "longest": tally.longest,
        "time_ns": run.nanoseconds,
        "games_per_second": run.per_second(tally.games),
        "plies_per_second": run.per_second(tally.plies),
        "checksum": tally.checksum,
    }


def print_tally(game: Game, tally: Tally, run: SimulationRun) -> None:
    from rich.table import Table

    console = result_console()
    settings = ", ".join(f"{name} {value}" for name, value in asdict(run.options).items())
    console.print(f"[bold]{game.title}[/]  {settings}, seed {run.seed}", style="dim")
    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    table.add_column("result")
    table.add_column("games", justify="right")
    table.add_column("", justify="right")
    rows = [(f"seat {seat} wins", wins) for seat, wins in enumerate(tally.wins)]
    for label, count in [*rows, ("draws", tally.shared), ("unfinished", tally.unfinished)]:
        table.add_row(label, f"{count:,}", f"{100 * count / tally.games:.1f} %")
    console.print(table)
    console.print(
        f"{tally.games:,} games of {tally.shortest} to {tally.longest} plies,"
        f" {tally.plies / tally.games:.1f} on average; cap {run.cap}"
    )
    words = {"cpu": "threads", "cuda": "GPUs"}
    where = ", ".join(f"{number} {words[name]}" for name, number in run.devices.items() if number)
    console.print(
        f"[bold green]{run.per_second(tally.plies):,}[/] plies/s,"
        f" {run.per_second(tally.games):,} games/s"
        f" [dim]({format_seconds(run.nanoseconds)}, {where})[/]"
    )
    if tally.checksum:
        console.print(f"checksum {tally.checksum}")
