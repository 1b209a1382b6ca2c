"""`agon bench`: how fast things are, as ratios against others in the same minute."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.arguments import JsonFlag, check_amount
from agon.cli.console import (
    JsonValue,
    compile_notice,
    format_seconds,
    print_json,
    progress_console,
    result_console,
)
from agon.errors import SettingError

if TYPE_CHECKING:
    from rich.console import Console

    from agon.bench.measure import Contest, Standing

BENCHES = ("hive",)

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[NAME]...", help=f"What to measure: {', '.join(BENCHES)}; or all."),
]
Rounds = Annotated[int, typer.Option(metavar="N", help="Turns that each contestant gets.")]
Seconds = Annotated[int, typer.Option(metavar="S", help="Seconds per turn.")]
Touch = Annotated[bool, typer.Option("--touch", hidden=True, help="Only compile everything.")]


def bench(
    names: Names = None,
    rounds: Rounds = 3,
    seconds: Seconds = 2,
    touch: Touch = False,
    as_json: JsonFlag = False,
) -> None:
    """Measure speed: compiled rules against other programs and against the interpreted rules.

    Contestants take turns on one core; the middle one of each one's rates counts. OpenSpiel takes
    part if it is installed: [bold]make bench[/] sees to that.

    \b
    Examples:
      agon bench
      agon bench hive --rounds 5 --json
    """
    wrong = [name for name in names or () if name not in BENCHES]
    if wrong:
        raise SettingError(f"bench {wrong[0]!r}: expected one of {', '.join(BENCHES)}")
    check_amount("--rounds", rounds, 1, 1000)
    check_amount("--seconds", seconds, 0, 3600)
    from agon.bench import hive

    if touch:
        hive.touch_every_kernel()
        return
    from agon.bench.measure import measure

    console = progress_console()
    with compile_notice("Hive"):
        hive.touch_every_kernel()
    results: list[JsonValue] = []
    for contest in hive.hive_contests():
        with console.status(f"measuring {contest.title} …"):
            standings = measure(contest, time.perf_counter_ns, rounds, seconds * 10**9)
        results.append(contest_json(contest, standings))
        if not as_json:
            print_contest(result_console(), contest, standings)
    with console.status("compiling everything anew …"):
        cold, warm = hive.first_call_ns(time.perf_counter_ns)
    if as_json:
        print_json({"contests": results, "first_call_ns": cold, "from_cache_ns": warm})
    else:
        result_console().print(
            f"\na process that uses every kernel of Hive: {format_seconds(cold)} right after an"
            f" install, {format_seconds(warm)} from the cache"
        )


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
    from rich.table import Table

    table = Table(box=None, header_style="dim", padding=(0, 3, 0, 0))
    table.add_column(contest.title, min_width=42)
    table.add_column(f"{contest.unit}/s", justify="right", min_width=16)
    table.add_column("", justify="right", min_width=16)
    for standing in standings:
        ratio = "" if standing.ratio is None else f"[bold green]{standing.ratio:,.1f}[/] times"
        table.add_row(standing.name, f"{standing.per_second:,}", ratio)
    console.print(table)
