"""`agon bench cluster`: what a match costs there, and the rate by nodes beside the model's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from agon.cli.console import JsonValue, format_seconds, progress_console, result_console
from benchmarks.duel_report import costs_json, duel_json, print_duel

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.cluster import ClusterFigures

WANTED_NS = 5 * 10**6


def bench_cluster(address: str, rounds: int, round_ns: int, as_json: bool) -> JsonValue:
    """Measure what a match costs on a cluster, and how the rate grows with its cores."""
    from benchmarks.cluster import measure_cluster

    with progress_console().status("playing on a cluster …"):
        figures = measure_cluster(address, rounds, round_ns)
    if not as_json:
        print_cluster(result_console(), figures)
    return cluster_json(figures)


def more_cpu_ns(figures: ClusterFigures) -> int | None:
    """What a match costs more than here; None if the cluster's own processes are not counted."""
    if figures.model.cores_here is None:
        return None
    return figures.verdict.ours.cpu_ns - figures.verdict.bare.cpu_ns


def cluster_json(figures: ClusterFigures) -> JsonValue:
    """The figures for programs; rates in thousandths of a match."""
    model = figures.model
    return {
        "duel": duel_json(figures.duel, figures.verdict),
        "more_cpu_ns": more_cpu_ns(figures),
        "long_match": costs_json(model.costs),
        "cores_here": model.cores_here,
        "per_1000_seconds": {
            str(cores): {"measured": int(1000 * rate), "model": int(1000 * model.per_second(cores))}
            for cores, rate in figures.rates.items()
        },
    }


def print_cluster(console: Console, figures: ClusterFigures) -> None:
    """The figures for people."""
    print_duel(console, figures.duel, figures.verdict)
    more = more_cpu_ns(figures)
    if more is None:
        console.print("counted is the CPU of this process alone: the cluster's is elsewhere\n")
    else:
        told, wanted = format_seconds(more), format_seconds(WANTED_NS)
        console.print(f"a match costs {told} of CPU more than here; wanted: at most {wanted}\n")
    model = figures.model
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    for heading in ("cores of the cluster", "long matches/s", "by the model"):
        table.add_column(heading, justify="right")
    for cores, rate in figures.rates.items():
        table.add_row(str(cores), f"{rate:.1f}", f"{model.per_second(cores):.1f}")
    console.print(table)
    costs = model.costs
    limits = [
        f"cores / {format_seconds(costs.wall_ns)} (a match)",
        f"1 / {format_seconds(costs.own_cpu_ns)} (CPU of this process)",
    ]
    if model.cores_here is not None:
        limits.append(
            f"{model.cores_here} cores of this machine / {format_seconds(costs.cpu_ns)} (all CPU)"
        )
    console.print(f"the model: the least of {', '.join(limits)}\n", soft_wrap=True)
