"""The official table on the screen: ratings with their intervals, records, who beat whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agon.cli.console import print_json, result_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as Grid

    from agon.ranker.table import RankingTable


def show_table(title: str, table: RankingTable, as_json: bool, extra: dict[str, Any]) -> None:
    if as_json:
        print_json(extra | table.to_json())
    else:
        print_table(result_console(), title, table)


def print_table(console: Console, title: str, table: RankingTable) -> None:
    """The table, and with few bots who beat whom."""
    from rich.markup import escape

    console.print(f"[bold]{escape(title)}[/]  {table.matches} matches")
    console.print(table_grid(table))
    if len(table.groups) > 1:
        console.print(f"[yellow]{len(table.groups)} groups never met: compare within them only[/]")
    if 1 < len(table.rows) <= 12:
        print_meetings(console, table)


def table_grid(table: RankingTable, most: int | None = None) -> Grid:
    """The rows of the table, or the first of them."""
    from rich.markup import escape
    from rich.table import Table as Grid

    grid = Grid(box=None, header_style="dim", padding=(0, 2, 0, 0))
    headings = ("", "bot", "Elo", "95 %", "games", "score", "won", "drawn", "lost")
    for heading in (*headings, "surer than next"):
        grid.add_column(heading, justify="left" if heading == "bot" else "right")
    for row in table.rows[:most]:
        grid.add_row(
            str(row.rank),
            escape(row.bot),
            f"[bold]{row.rating:+.0f}[/]",
            f"{row.low:+.0f} to {row.high:+.0f}",
            str(row.games),
            "" if row.score is None else f"{100 * row.score:.1f} %",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            "" if row.superiority is None else f"{100 * row.superiority:.1f} %",
        )
    return grid


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
