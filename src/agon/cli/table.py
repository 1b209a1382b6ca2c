"""The official table on the screen: ratings with their intervals, records, who beat whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from agon.cli.console import print_json, result_console

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.table import Table as Grid

    from agon.ranker.table import RankingTable

    Intervals: TypeAlias = Mapping[str, tuple[float, float]]

RECORD = ("won", "drawn", "lost")


def show_table(
    title: str,
    table: RankingTable,
    as_json: bool,
    extra: dict[str, Any],
    resampled: Intervals | None = None,
) -> None:
    """The table for people or programs; `resampled`: the bootstrap's interval of each bot."""
    if not as_json:
        print_table(result_console(), title, table, resampled)
        return
    shown = table.to_json()
    for row in shown["rows"]:
        if resampled is not None:
            row["bootstrap_low"], row["bootstrap_high"] = resampled[row["bot"]]
    print_json(extra | shown)


def print_table(
    console: Console, title: str, table: RankingTable, resampled: Intervals | None = None
) -> None:
    """The table, and with few bots who beat whom."""
    from rich.markup import escape

    console.print(f"[bold]{escape(title)}[/]  {table.matches} matches")
    console.print(table_grid(table, resampled=resampled))
    if len(table.groups) > 1:
        console.print(f"[yellow]{len(table.groups)} groups never met: compare within them only[/]")
    if 1 < len(table.rows) <= 12:
        print_meetings(console, table)


def table_grid(
    table: RankingTable, most: int | None = None, resampled: Intervals | None = None
) -> Grid:
    """The rows of the table, or the first of them.

    Beside the intervals of a bootstrap a terminal has no room for wins, draws and losses.
    """
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="dim", padding=(0, 2, 0, 0))
    middle = ("bootstrap", "games", "score") if resampled else ("games", "score", *RECORD)
    for heading in ("", "bot", "Elo", "95 %", *middle, "surer than next"):
        grid.add_column(heading, justify="left" if heading == "bot" else "right")
    for row in table.rows[:most]:
        bootstrap = (format_interval(*resampled[row.bot]),) if resampled else ()
        record = () if resampled else map(str, (row.wins, row.draws, row.losses))
        grid.add_row(
            str(row.rank),
            escape(row.bot),
            f"[bold]{row.rating:+.0f}[/]",
            format_interval(row.low, row.high),
            *bootstrap,
            str(row.games),
            "" if row.score is None else f"{100 * row.score:.1f} %",
            *record,
            "" if row.superiority is None else f"{100 * row.superiority:.1f} %",
        )
    return grid


def format_interval(low: float, high: float) -> str:
    return f"{low:+.0f} to {high:+.0f}"


def print_meetings(console: Console, table: RankingTable) -> None:
    """The head-to-head matrix: wins, draws and losses of the row against the column."""
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="dim", padding=(0, 2, 0, 0))
    grid.add_column("won-drawn-lost against")
    for row in table.rows:
        grid.add_column(str(row.rank), justify="right")
    for row, against in zip(table.rows, table.meetings, strict=True):
        cells = ["-".join(map(str, meeting)) if sum(meeting) else "" for meeting in against]
        grid.add_row(escape(f"{row.rank} {row.bot}"), *cells)
    console.print(grid)
