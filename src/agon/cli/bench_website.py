"""`agon bench website`: how heavy pages are, how many are served, how far behind spectators are."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, format_seconds, progress_console, result_console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from agon.bench.measure import Standing
    from agon.bench.website import PageWeight, ReplayWeight
    from agon.bench.website_load import Watching

ROUNDS = 5
ROUND_NS = 2 * 10**9


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured."""

    pages: Sequence[PageWeight]
    replays: Sequence[ReplayWeight]
    standings: Sequence[Standing]
    watching: Watching


def bench_website(as_json: bool) -> JsonValue:
    """Measure everything, and print what was found."""
    figures = measure_website()
    if not as_json:
        print_website(result_console(), figures)
    return website_json(figures)


def measure_website() -> Figures:
    """Measure everything; takes a minute or two."""
    from agon.bench.measure import measure
    from agon.bench.served import served
    from agon.bench.website import weigh_page, weigh_replays
    from agon.bench.website_load import PAGES, measure_spectators, pages_contest
    from agon.bench.website_server import serve_busy_site

    console = progress_console()
    with console.status("weighing pages …"), served(serve_busy_site) as site:
        pages = [weigh_page(site.port, path.decode()) for path in PAGES]
    with console.status("weighing replays …"):
        replays = list(weigh_replays())
    with console.status("serving pages …"), pages_contest() as contest:
        standings = measure(contest, time.perf_counter_ns, ROUNDS, ROUND_NS)
    with console.status("watching matches …"):
        watching = measure_spectators()
    return Figures(pages, replays, standings, watching)


def website_json(figures: Figures) -> JsonValue:
    """The figures for programs; the ratio in thousandths."""
    ours, bare = figures.standings
    watching = figures.watching
    return {
        "page_bytes": {page.path: page.total for page in figures.pages},
        "replays": {
            replay.game: {"turns": replay.turns, "packed_bytes": replay.packed}
            for replay in figures.replays
        },
        "pages_per_second": ours.per_second,
        "bare_per_second": bare.per_second,
        "ratio_permille": int((bare.ratio or 0) * 1000),
        "spectators": watching.spectators,
        "matches": watching.matches,
        "updates": watching.updates,
        "median_behind_ns": watching.median_ns,
        "slowest_behind_ns": watching.slowest_ns,
        "lost": watching.lost,
    }


def print_website(console: Console, figures: Figures) -> None:
    """The figures for people."""
    from agon.bench.website import MOST_PAGE_BYTES, MOST_REPLAY_BYTES, TURNS
    from agon.bench.website_load import LEAST_RATIO, MOST_BEHIND_NS

    ours, bare = figures.standings
    watching = figures.watching
    console.print("[bold]Pages with all that they load, as sent[/]")
    for page in figures.pages:
        console.print(f"{page.path}: {kib(page.total)}, of which {kib(page.own)} the page itself")
    console.print(f"wanted: less than {kib(MOST_PAGE_BYTES)}")
    console.print("[bold]Replays, as sent[/]")
    for replay in figures.replays:
        told = f"{replay.game}, {replay.turns} turns: {kib(replay.packed)}"
        console.print(f"{told}; {TURNS} turns at this rate: {kib(replay.scaled)}")
    console.print(f"wanted: less than {kib(MOST_REPLAY_BYTES)}")
    console.print("[bold]Pages in a second[/]")
    console.print(f"{ours.name}: {ours.per_second:,}/s; {bare.name}: {bare.per_second:,}/s")
    console.print(
        f"that is [bold]{bare.ratio or 0:.2f}[/] times the bare rate,"
        f" wanted: at least {LEAST_RATIO:.2f}"
    )
    console.print(f"[bold]{watching.spectators} spectators of {watching.matches} matches[/]")
    console.print(
        f"{watching.updates:,} updates, the middle one {format_seconds(watching.median_ns)} behind,"
        f" the slowest [bold]{format_seconds(watching.slowest_ns)}[/],"
        f" wanted: less than {format_seconds(MOST_BEHIND_NS)}; lost: {watching.lost}",
        soft_wrap=True,
    )


def kib(size: int) -> str:
    """A size for people.

    >>> kib(153_600)
    '150.0 KiB'
    """
    return f"{size / 1024:.1f} KiB"
