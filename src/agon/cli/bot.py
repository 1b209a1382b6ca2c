"""`agon bot`: begin a bot from a working one, and check whether a bot keeps to the protocol."""

from __future__ import annotations

import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.allow import Allow, allow_installations
from agon.cli.arguments import GameName, JsonFlag, OptionPairs, Variant, chosen_options
from agon.cli.bot_report import check_json, print_step, print_summary, save_failure, watched
from agon.cli.console import compile_notice, print_json, result_console
from agon.cli.duration import parse_duration

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agon.arbiter.findings import CheckStep
    from agon.arbiter.limits import Limits
    from agon.arbiter.starter import Starter
    from agon.games.game import Game, Options

Language = Annotated[
    str,
    typer.Option(
        metavar="LANGUAGE",
        help="python, javascript, c, java, go or rust; a game of another package may have fewer.",
    ),
]
BotName = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Its name in tables; default: the folder's name."),
]
NewFolder = Annotated[
    str | None,
    typer.Argument(
        metavar="FOLDER",
        help="Where to write it; default: --name, else GAME-bot.",
        show_default=False,
    ),
]
BotText = Annotated[
    str,
    typer.Argument(
        metavar="FOLDER|COMMAND", help="A folder with bot.toml, or a command line in quotes."
    ),
]
WhichGame = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="Which game; default: the one that bot.toml names."),
]
TurnTime = Annotated[
    str, typer.Option("--time", metavar="T", help="Time per turn, such as 1s or 200ms.")
]
Bank = Annotated[str, typer.Option(metavar="T", help="Extra time, once for a whole match.")]
UnsafeHost = Annotated[
    bool,
    typer.Option(
        "--unsafe-host", metavar="", help="Build and run it as a plain process, not in the sandbox."
    ),
]
SaveFailure = Annotated[
    str | None,
    typer.Option(
        "--save", metavar="FILE", help="Save the match in which it failed, as a transcript."
    ),
]

bot = typer.Typer(
    name="bot",
    help="Start from a working bot; check whether a bot follows the protocol.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@bot.command()
def new(
    game: GameName,
    folder: NewFolder = None,
    language: Language = "python",
    name: BotName = None,
) -> None:
    """Write a short bot to begin from, in your language: it chooses among the legal moves.

    \b
    Examples:
      agon bot new hive crawler
      agon bot new hive --language rust --name crawler bots/crawler
    """
    from agon.arbiter.starter import write_starter
    from agon.games.registry import find_game

    chosen = find_game(game)
    target = Path(folder or name or f"{chosen.name}-bot")
    starter = write_starter(chosen, language, name or target.resolve().name, target)
    print_starter(chosen, starter, target)


def print_starter(game: Game, starter: Starter, folder: Path) -> None:
    """What was written, and what to do next."""
    from rich.text import Text

    from agon.arbiter.starter import missing_tools

    console = result_console()
    for path in starter.written:
        console.print(f"wrote {path}", markup=False, soft_wrap=True)
    for tool in missing_tools(starter.program):
        message = f"the bot needs {tool}, which bots do not have here: install it for all users,"
        message += " or name its installation with --allow"
        console.print(message, style="yellow", markup=False, soft_wrap=True)
    quoted = shlex.quote(str(folder))
    builds = "build it and " if starter.program.build else ""
    match = f"agon match {game.name} {quoted}"
    steps = [
        (f"agon bot check {quoted}", f"{builds}try it out, step by step"),
        (f"{match} {game.bot_names[0]} --watch", "see it play"),
        (f"{match} {game.bot_names[-1]} --save match.json", "keep a match"),
        ("agon replay match.json", "see why it lost"),
    ]
    width = max(len(command) for command, _ in steps)
    console.print()
    for command, purpose in steps:
        line = Text.assemble(f"  {command:<{width}}  ", (f"# {purpose}", "dim"))
        console.print(line, soft_wrap=True)


@bot.command()
def check(
    bot_text: BotText,
    game: WhichGame = None,
    variant: Variant = None,
    option: OptionPairs = None,
    turn_time: TurnTime = "1s",
    bank: Bank = "0s",
    save: SaveFailure = None,
    unsafe_host: UnsafeHost = False,
    allow: Allow = None,
    as_json: JsonFlag = False,
) -> None:
    """Take a bot through numbered steps; say for each what was seen and what to do.

    It is built and run in the sandbox, as in the arena. Ends with status 0 if every step went well,
    with 1 if not.

    \b
    Examples:
      agon bot check crawler
      agon bot check crawler --variant Base+MLP --option queen_first=on
      agon bot check "python3 mybot.py" --game hive --time 200ms --bank 2s
      agon bot check uhp:nokamute --game hive --time 2s
      agon bot check crawler --unsafe-host
    """
    from agon.arbiter.check import find_checked_game
    from agon.arbiter.first_use import use_bots, use_rules
    from agon.arbiter.limits import Limits
    from agon.arbiter.sandboxed import require_sandbox
    from agon.cli.scope import enter_scope

    chosen = find_checked_game(bot_text, game)
    options = chosen_options(chosen, variant, option)
    limits = Limits(parse_duration(turn_time), parse_duration(bank))
    allow_installations(allow)
    if not unsafe_host:
        enter_scope()
        require_sandbox()
    with compile_notice(chosen.title):
        use_rules(chosen, [options])
        use_bots(chosen, options, chosen.bot_names[:1])  # the opponent of most steps
    steps = []
    for step in run_steps(chosen, options, bot_text, limits, unsafe_host):
        steps.append(step)
        if save is not None:
            save_failure(save, step)
        if not as_json:
            print_step(result_console(), step, save)
    is_well = all(step.finding.is_well for step in steps)
    if as_json:
        print_json(check_json(chosen, bot_text, is_well, steps))
    else:
        print_summary(result_console(), steps)
    if not is_well:
        raise typer.Exit(1)


def run_steps(
    game: Game, options: Options, bot_text: str, limits: Limits, unsafe_host: bool
) -> Iterator[CheckStep]:
    """The steps of a check as they are done, in the sandbox or on this host."""
    from agon.arbiter.build import build_in_sandbox, run_build
    from agon.arbiter.check import Check
    from agon.arbiter.entrant import launch_on_host
    from agon.arbiter.host import HostWatch
    from agon.arbiter.sandboxed import launch_in_sandbox

    with HostWatch() as host:
        yield from watched(
            Check(
                game,
                options,
                bot_text,
                limits,
                launch_on_host if unsafe_host else launch_in_sandbox,
                time.monotonic_ns,
                host.late_since,
                build=run_build if unsafe_host else build_in_sandbox,
            )
        )
