"""`agon sandbox`: which layers of the sandbox hold on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from agon.cli.arguments import JsonFlag
from agon.cli.console import print_json, result_console

if TYPE_CHECKING:
    from agon.sandbox.doctor import DoctorReport

sandbox = typer.Typer(
    name="sandbox",
    help="Test the sandbox on this machine.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@sandbox.callback()
def sandbox_group() -> None:
    """Test the sandbox on this machine."""


@sandbox.command()
def doctor(as_json: JsonFlag = False) -> None:
    """Try to break every layer of the sandbox and report which hold.

    Ends with status 0 if ranked play is safe enough here, with 1 if not.

    \b
    Examples:
      agon sandbox doctor
      agon sandbox doctor --json
    """
    from agon.sandbox.doctor import examine, is_safe_enough

    report = examine()
    if as_json:
        safe = is_safe_enough(report)
        findings = [asdict(finding) for finding in report.findings]
        print_json({"safe": safe, "groups": report.groups, "layers": findings})
    else:
        print_report(report)
    if not is_safe_enough(report):
        raise typer.Exit(1)


def print_report(report: DoctorReport) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from agon.sandbox.doctor import missing

    console = result_console()
    table = Table(box=box.SIMPLE_HEAD, header_style="dim")
    for heading in ("layer", "active", "proof", "what to do"):
        table.add_column(heading, no_wrap=heading in ("layer", "active"))
    for finding in report.findings:
        word, colour = ("yes", "green") if finding.active else ("no", "yellow")
        if finding.needed and not finding.active:
            colour = "bold red"
        name = finding.layer + ("" if finding.needed else " (optional)")
        table.add_row(name, Text(word, colour), Text(finding.proof), Text(finding.advice))
    console.print(table)
    console.print(report.groups, style="dim", markup=False)
    gaps = missing(report)
    if gaps:
        names = ", ".join(finding.layer for finding in gaps)
        console.print(f"[bold red]not safe enough for ranked play[/]: {names}", soft_wrap=True)
    else:
        console.print("[bold green]safe enough for ranked play[/]")
