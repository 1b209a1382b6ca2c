"""The `agon` command: which commands there are, and how every one of them ends.

A mistake that a user can fix is an AgonError, one line on stderr and status 2, as for a wrong
option. An interrupt ends with status 130; a reader of stdout that went away ends quietly. Anything
else is a defect of Agon and shows its traceback.

Commands import what they need when they run: `agon --help` loads neither NumPy nor Numba.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from agon.cli.bench import bench
from agon.cli.board import board
from agon.cli.bot import bot
from agon.cli.cluster import cluster
from agon.cli.db import db
from agon.cli.export import export
from agon.cli.game import game
from agon.cli.games import games
from agon.cli.login import login
from agon.cli.map import map
from agon.cli.match import match
from agon.cli.mebipenny import mebipenny
from agon.cli.perft import perft
from agon.cli.rank import rank
from agon.cli.replay import replay
from agon.cli.sandbox import sandbox
from agon.cli.serve import serve
from agon.cli.show import show
from agon.cli.simulate import simulate
from agon.cli.skyport import skyport
from agon.cli.sprt import sprt
from agon.cli.submit import submit
from agon.cli.tournament import tournament
from agon.cli.uhp import uhp
from agon.cli.user import user
from agon.cli.verify import verify
from agon.cli.warm import warm
from agon.errors import AgonError, MissingPartError

UsageError: Any = typer.BadParameter.__base__  # all that Typer can find wrong
WRONG_USE = 2
INTERRUPTED = 130
WEB_MODULES = {
    *("argon2", "brotli", "cachetools", "confusable_homoglyphs", "fastapi", "jinja2"),
    *("starlette", "uvicorn", "uvloop", "zstandard", "zxcvbn"),
}
"""What the extra `web` brings, by the names under which it is imported."""


class AgonGroup(TyperGroup):
    """All commands; every error of wrong use becomes one line that says what to do."""

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        try:
            return super().make_context(*arguments, **settings)
        except UsageError as error:
            end_with_one_line(error)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (AgonError, UsageError) as error:
            end_with_one_line(error)
        except ModuleNotFoundError as error:
            missing = (error.name or "").partition(".")[0]
            if missing not in WEB_MODULES:
                raise
            command = f"agon {ctx.invoked_subcommand}"
            end_with_one_line(MissingPartError(f"{command} needs {missing}: install agon[web]"))


def end_with_one_line(error: Any) -> NoReturn:
    """Say what was wrong; for what Typer found, also where to read on. Help stays help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        raise error
    text = str(error)
    if not isinstance(error, AgonError):
        where = error.ctx.command_path if error.ctx else "agon"
        text = f"{error.format_message().rstrip('.')}; see `{where} --help`"
    print("agon:", " ".join(text.split("\n")), file=sys.stderr)
    raise typer.Exit(WRONG_USE) from error


app = typer.Typer(
    cls=AgonGroup,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def print_version(wanted: bool) -> None:
    """Answer `--version` and end."""
    if wanted:
        from importlib.metadata import version

        print("agon", version("agon"))
        raise typer.Exit


@app.callback()
def agon(
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=print_version,
            is_eager=True,
            metavar="",
            help="Print the version and exit.",
        ),
    ] = False,
) -> None:
    """An arena for game-playing bots: exact rules, real protocols, compiled speed.

    Every command explains itself: [bold]agon show --help[/].
    """


PANELS: dict[str, tuple[Any, ...]] = {
    "Play and watch": (games, match, show, replay, verify, board, map),
    "Write a bot": (bot, sprt, login, submit, uhp),
    "Run contests": (serve, tournament, rank, skyport, mebipenny, user, db, sandbox, cluster),
    "Research and develop": (simulate, export, perft, warm, bench, game),
}
"""All commands, by what people come for."""
PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}
SETTINGS: dict[Any, Any] = {bench: {"add_help_option": False, "context_settings": PASSED_ON}}

for panel, commands in PANELS.items():
    for command in commands:
        if isinstance(command, typer.Typer):
            app.add_typer(command, rich_help_panel=panel)
        else:
            app.command(rich_help_panel=panel, **SETTINGS.get(command, {}))(command)


def main() -> None:
    """Run the command line and end the process."""
    try:
        app(prog_name="agon")
    except SystemExit as end:
        quiet = _flush_stdout()
        if end.code == INTERRUPTED:
            # Threads in compiled code cannot be interrupted: do not wait for them.
            sys.stderr.flush()
            os._exit(INTERRUPTED)
        sys.exit(end.code if quiet else 1)


def _flush_stdout() -> bool:
    """Write what is left; False if its reader is gone, in which case nothing more is written."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True
