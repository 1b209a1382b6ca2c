"""`agon bench`: run the benchmarks of the checkout that Agon runs from."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from agon.errors import MissingPartError


def bench(context: typer.Context) -> None:
    """Measure speed, as ratios against others in the same minute.

    The benchmarks are not part of the installed package: this needs a checkout of the repository.
    """
    app = load_benchmarks(Path(__file__).parents[3]).app
    status = app(context.args, prog_name="agon bench", standalone_mode=False)
    raise typer.Exit(status or 0)


def load_benchmarks(checkout: Path) -> Any:
    if not (checkout / "benchmarks" / "command.py").is_file():
        raise MissingPartError(
            "agon bench: the benchmarks are in Agon's repository; run it in a checkout"
        )
    if str(checkout) not in sys.path:
        sys.path.insert(0, str(checkout))
    return import_module("benchmarks.command")
