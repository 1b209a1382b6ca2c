"""How a duel is shown, to people and to programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from agon.cli.console import JsonValue, format_seconds

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.duel import Costs, Duel, Verdict


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
