"""`agon bench skyport`, the load on its server: shown for people, and as data."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, format_seconds, progress_console, result_console

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.skyport_load import Idleness, Load


def bench_load(as_json: bool) -> JsonValue:
    """Measure matches side by side and idle connections; print what was found."""
    from benchmarks.skyport_load import measure_idle, measure_load

    with progress_console().status("measuring matches side by side on a server …"):
        load = measure_load(time.monotonic_ns)
    with progress_console().status("measuring idle connections …"):
        idleness = measure_idle()
    if not as_json:
        print_load(result_console(), load, idleness)
    return load_json(load, idleness)


def load_json(load: Load, idleness: Idleness) -> JsonValue:
    """The figures for programs."""
    return {
        "matches": load.matches,
        "think_ns": load.think_ns,
        "wall_ns": load.wall_ns,
        "turns_per_second": load.turns_per_second,
        **asdict(load.tally),
        "idle": asdict(idleness),
    }


def print_load(console: Console, load: Load, idleness: Idleness) -> None:
    """The figures for people."""
    tally = load.tally
    console.print(
        f"[bold]{load.matches} matches side by side on one server, clients that answer at once[/]"
    )
    console.print(
        f"{tally.turns:,} turns in {format_seconds(load.wall_ns)}, {load.turns_per_second:,}/s,"
        f" with {format_seconds(load.think_ns)} to think"
    )
    console.print(f"turns lost though answered in time: [bold]{tally.lost}[/], wanted: 0")
    console.print(
        f"the slowest turn took {format_seconds(tally.slowest_ns)}; {tally.late} were answered late"
        f" by the clients; {tally.unfinished} clients were cut off"
    )
    console.print(f"[bold]{idleness.connections:,} idle connections, memory of the server[/]")
    for kind, cost, total in (
        ("without a handshake", idleness.unnamed_cost_kib, idleness.with_unnamed_kib),
        ("in matches that wait", idleness.named_cost_kib, idleness.with_named_kib),
    ):
        console.print(
            f"{kind}: [bold]{cost / 1024:.1f} MiB[/], wanted: less than"
            f" {idleness.at_most_kib >> 10} MiB; all in all {total / 1024:.0f} MiB"
        )
