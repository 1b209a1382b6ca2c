"""`agon bench website`: how heavy and how fast pages are, how far behind spectators are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.cli.console import JsonValue, format_seconds, progress_console, result_console

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from benchmarks.website import PageWeight, ReplayWeight
    from benchmarks.website_load import PageTimes
    from benchmarks.website_spectators import Watching


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured."""

    pages: Sequence[PageWeight]
    replays: Sequence[ReplayWeight]
    times: PageTimes
    watching: Watching


def bench_website(as_json: bool) -> JsonValue:
    """Measure everything, and print what was found."""
    figures = measure_website()
    if not as_json:
        print_website(result_console(), figures)
    return website_json(figures)


def measure_website() -> Figures:
    """Measure everything; takes a minute or two."""
    from benchmarks.served import served
    from benchmarks.website import weigh_page, weigh_replays
    from benchmarks.website_load import PAGES, measure_pages
    from benchmarks.website_server import serve_busy_site
    from benchmarks.website_spectators import measure_spectators

    console = progress_console()
    with console.status("weighing pages …"), served(serve_busy_site) as site:
        pages = [weigh_page(site.port, path.decode()) for path in PAGES]
    with console.status("weighing replays …"):
        replays = weigh_replays()
    with console.status("serving pages …"):
        times = measure_pages()
    with console.status("watching matches …"):
        watching = measure_spectators()
    return Figures(pages, replays, times, watching)


def website_json(figures: Figures) -> JsonValue:
    """The figures for programs."""
    watching = figures.watching
    return {
        "page_bytes": {page.path: page.total for page in figures.pages},
        "replays": {
            replay.match: {
                "turns": replay.turns,
                "pieces": replay.pieces,
                "packed_bytes": replay.packed,
            }
            for replay in figures.replays
        },
        "crowd": figures.times.crowd,
        "crowd_served_ns": {one.name: one.ns for one in figures.times.crowds},
        "made_anew_ns": {one.name: one.ns for one in figures.times.anew},
        "spectators": watching.spectators,
        "matches": watching.matches,
        "updates": watching.updates,
        "arrival_ns": watching.arrival_ns,
        "median_behind_ns": watching.median_ns,
        "slowest_behind_arriving_ns": watching.slowest_arriving_ns,
        "slowest_behind_ns": watching.slowest_ns,
        "clients_late_ns": watching.clients_late_ns,
        "lost": watching.lost,
    }


def print_website(console: Console, figures: Figures) -> None:
    """The figures for people."""
    from benchmarks.website import MOST_PAGE_BYTES, MOST_REPLAY_BYTES, TURNS

    console.print("[bold]Pages with all that they load, as sent[/]")
    for page in figures.pages:
        console.print(f"{page.path}: {kib(page.total)}, of which {kib(page.own)} the page itself")
    console.print(f"wanted: less than {kib(MOST_PAGE_BYTES)}")
    console.print("[bold]Replays, as sent[/]")
    for replay in figures.replays:
        told = f"{replay.match}, {replay.turns} turns in {replay.pieces} pieces"
        console.print(f"{told}: {kib(replay.packed)}")
    console.print(f"wanted: less than {kib(MOST_REPLAY_BYTES)} for {TURNS} turns")
    print_load(console, figures)


def print_load(console: Console, figures: Figures) -> None:
    """What many at once get: pages, and boards that move."""
    from rich.table import Table

    from benchmarks.website_load import MOST_ANEW_NS, MOST_CROWD_NS
    from benchmarks.website_spectators import MOST_ARRIVING_NS, MOST_BEHIND_NS

    watching = figures.watching
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    table.add_column("Under load", min_width=40)
    for heading in ("found", "wanted"):
        table.add_column(heading, justify="right")
    for one in figures.times.crowds:
        who = f"{figures.times.crowd} at once, {one.name}: all served after"
        table.add_row(who, format_seconds(one.ns), f"below {format_seconds(MOST_CROWD_NS)}")
    for one in figures.times.anew:
        most = f"below {format_seconds(MOST_ANEW_NS)}"
        table.add_row(f"made anew: {one.name}", format_seconds(one.ns), most)
    who = f"{watching.spectators} spectators of {watching.matches} matches"
    most = f"below {format_seconds(MOST_BEHIND_NS)}"
    arrival = f"{who}: there after"
    table.add_row(arrival, format_seconds(watching.arrival_ns), "")
    while_they_come = format_seconds(watching.slowest_arriving_ns)
    table.add_row(
        "the slowest update while they come",
        while_they_come,
        f"below {format_seconds(MOST_ARRIVING_NS)}",
    )
    table.add_row("the slowest update afterwards", format_seconds(watching.slowest_ns), most)
    middle = f"the middle one of {watching.updates:,} updates"
    table.add_row(middle, format_seconds(watching.median_ns), "")
    table.add_row("streams that were lost", str(watching.lost), "0")
    late = format_seconds(watching.clients_late_ns)
    table.add_row("so late were the clients themselves", late, "")
    console.print(table)


def kib(size: int) -> str:
    """A size for people.

    >>> kib(153_600)
    '150.0 KiB'
    """
    return f"{size / 1024:.1f} KiB"
