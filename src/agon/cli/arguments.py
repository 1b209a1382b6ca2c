"""Arguments and options that several commands share, so that they read the same everywhere."""

from pathlib import Path
from typing import Annotated

import typer

from agon.errors import SettingError
from agon.games.game import Game, Options
from agon.games.registry import game_names
from agon.simulate.threads import available_cores

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME", help=f"Which game: {', '.join(game_names())}.", show_default=False
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", metavar="", help="Print JSON, for programs.")]
Threads = Annotated[
    str,
    typer.Option(
        metavar="N", help="How many threads share the work; [bold]all[/] or 0: all cores."
    ),
]

Variant = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Which variant of the game, such as Base+MLP."),
]
OptionPairs = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="Any option of the game; [bold]agon games[/] lists them. NAME=@FILE reads a file.",
    ),
]

Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT",
        help="Built-in bots, folders with bot.toml, command lines, or stored versions: NAME@N.",
        show_default=False,
    ),
]
Jobs = Annotated[int, typer.Option(metavar="N", help="Matches in parallel; 0: one for each core.")]
TurnTime = Annotated[
    str, typer.Option("--time", metavar="T", help="Time per turn, such as 1s or 200ms.")
]
Cap = Annotated[
    int, typer.Option("--cap", metavar="TURNS", help="A match this long ends without a winner.")
]
Reuse = Annotated[
    bool,
    typer.Option(
        "--reuse",
        metavar="",
        help="Keep programs running from match to match; they must support that.",
    ),
]
Oversubscribe = Annotated[
    bool,
    typer.Option("--oversubscribe", metavar="", help="Allow more jobs than cores."),
]
UnsafeHost = Annotated[
    bool,
    typer.Option(
        "--unsafe-host",
        metavar="",
        help="Run programs without the sandbox: only for bots that you trust.",
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER|URL",
        help="The datastore; default: AGON_DATA, else your own.",
        show_default=False,
    ),
]

Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        envvar="AGON_CLUSTER",
        help="Use the machines of the cluster with its head at HOST:PORT; local: one of this "
        "machine alone. See docs/cluster.md.",
        show_default=False,
    ),
]

MOST_THREADS = 1024
MOST_JOBS = 1000
MOST_TURNS = 10**6
MOST_SEED = 2**53
"""Seeds of tournaments are below this, so that a browser can hold them as numbers."""


def parse_jobs(
    jobs: int, oversubscribe: bool, cluster: str | None = None, option: str = "--jobs"
) -> int:
    """How many matches side by side it means; on a cluster 0 stays 0, for all its cores."""
    check_amount(option, jobs, 0, MOST_JOBS)
    if cluster is not None:
        return jobs
    cores = available_cores()
    if jobs > cores and not oversubscribe:
        raise SettingError(
            f"{option} {jobs}: expected at most {cores}, a match for each core of this machine;"
            " with --oversubscribe more, and each is slower"
        )
    return jobs or cores


def parse_threads(text: str) -> int:
    """A number of threads, or all cores.

    >>> parse_threads("3")
    3
    """
    if text == "all":
        return available_cores()
    if not (text.isascii() and text.isdigit() and int(text[:9]) <= MOST_THREADS):
        raise SettingError(
            f"--threads {text[:40]!r}: expected all, or a whole number up to {MOST_THREADS}"
        )
    return int(text) or available_cores()


def chosen_options(game: Game, variant: str | None, pairs: list[str] | None) -> Options:
    """The game's options as the command line gives them; `--variant V` is `--option variant=V`."""
    given = {} if variant is None else {"variant": variant}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise SettingError(f"--option {pair[:40]!r}: expected NAME=VALUE")
        if name in given:
            raise SettingError(f"--option {pair[:40]!r}: {name} is given twice")
        given[name] = read_value(value) if value.startswith("@") else value
    return game.parse_options(given)


def read_value(text: str) -> str:
    """The value of an option that stands in a file: `@FILE`."""
    try:
        return Path(text[1:]).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"--option {text[:80]!r}: the file cannot be read: {error}") from None


def check_amount(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise SettingError(f"{name} {value}: expected a whole number from {least} to {most}")
