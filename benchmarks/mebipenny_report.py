"""`agon bench mebipenny`, the load on its server: shown for people, and as data."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, progress_console, result_console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from benchmarks.measure import Standing
    from benchmarks.mebipenny_load import Held

ROUNDS = 15  # short ones: what else the machine does is to hit both sides alike
ROUND_NS = 10**9


def bench_load(as_json: bool) -> JsonValue:
    """Measure games side by side and held requests; print what was found."""
    from benchmarks.measure import measure
    from benchmarks.mebipenny_load import load_contest, measure_held

    with (
        progress_console().status("measuring games side by side on a server …"),
        load_contest() as contest,
    ):
        standings = measure(contest, time.perf_counter_ns, ROUNDS, ROUND_NS)
    with progress_console().status("measuring held requests …"):
        held = measure_held()
    if not as_json:
        print_load(result_console(), contest.title, standings, held)
    return load_json(standings, held)


def load_json(standings: Sequence[Standing], held: Held) -> JsonValue:
    """The figures for programs; the ratio in thousandths."""
    ours, bare = standings
    return {
        "moves_per_second": ours.per_second,
        "bare_posts_per_second": bare.per_second,
        "ratio_permille": int((bare.ratio or 0) * 1000),
        "held": held.held,
        "held_resident_bytes": held.resident_bytes,
        "held_error": None if held.error is None else str(held.error),
    }


def print_load(console: Console, title: str, standings: Sequence[Standing], held: Held) -> None:
    """The figures for people."""
    from benchmarks.mebipenny_load import LEAST_RATIO, MOST_HELD_BYTES

    _, bare = standings
    console.print(f"[bold]{title}, clients that answer at once[/]")
    for standing in standings:
        console.print(f"{standing.name}: {standing.per_second:,}/s")
    console.print(
        f"that is [bold]{bare.ratio or 0:.2f}[/] times the bare route's rate,"
        f" wanted: at least {LEAST_RATIO:.2f}"
    )
    console.print(
        f"[bold]{held.held:,} held requests[/] at once: {held.error or 'no error'};"
        f" the server has [bold]{held.resident_bytes >> 20} MiB[/],"
        f" wanted: less than {MOST_HELD_BYTES >> 20} MiB"
    )
