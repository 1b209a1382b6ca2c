"""`agon export`: matches as a dataset, for those who train."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from agon.cli.arguments import (
    Data,
    GameName,
    JsonFlag,
    OptionPairs,
    Variant,
    check_amount,
    chosen_options,
)
from agon.cli.console import compile_notice, print_json, progress_bar, progress_console
from agon.cli.exported_matches import Refusals, choose, make_filter, read_files, read_stored
from agon.cli.stored import open_stored
from agon.errors import MissingPartError, SettingError

FORMATS = ("parquet",)
MOST_MATCHES = 10**12

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE", help="Transcripts, in place of the datastore's.", show_default=False
    ),
]
Format = Annotated[str, typer.Option("--format", metavar="NAME", help="Only parquet, for now.")]
Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER", help="Where to write; default: GAME-matches.", show_default=False
    ),
]
Force = Annotated[
    bool, typer.Option("--force", metavar="", help="Replace the dataset in that folder.")
]
Since = Annotated[
    str | None,
    typer.Option(
        metavar="DATE",
        help="Only matches that began then or later: 2026-11-01, or with a time, in UTC.",
        show_default=False,
    ),
]
BotName = Annotated[
    str | None,
    typer.Option(
        "--bot", metavar="NAME", help="Only matches of a bot of this name.", show_default=False
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(metavar="N", help="At most so many, the oldest first.", show_default=False),
]
Unpublished = Annotated[
    bool,
    typer.Option(
        "--unpublished", metavar="", help="Also matches of contests that are not published."
    ),
]
Observations = Annotated[
    bool,
    typer.Option(
        "--observations",
        metavar="",
        help="Also write every decision with what its seat knew: decisions.parquet.",
    ),
]
Licence = Annotated[
    str, typer.Option(metavar="TEXT", help="What the data card says of the licence.")
]


def export(
    game: GameName,
    files: Files = None,
    out: Out = None,
    force: Force = False,
    format_name: Format = "parquet",
    data: Data = None,
    since: Since = None,
    bot: BotName = None,
    variant: Variant = None,
    option: OptionPairs = None,
    limit: Limit = None,
    unpublished: Unpublished = False,
    observations: Observations = False,
    licence: Licence = "",
    as_json: JsonFlag = False,
) -> None:
    """Write the stored matches of a game as a dataset: Parquet, with a data card.

    Matches that cannot be read, or were played by other rules, are left out and counted.
    docs/learn.md has the columns; agon.learn.dataset.read_dataset reads the matches back.

    \b
    Examples:
      agon export hive
      agon export hive --since 2026-11-01 --bot crawler --out crawler
      agon export mebipenny --observations
      agon export skyport matches/*.json --out self-play --licence CC0-1.0
    """
    from agon.games.registry import find_game

    check_pyarrow()
    from agon.learn.dataset import write_dataset

    chosen = find_game(game)
    if format_name not in FORMATS:
        raise SettingError(f"--format {format_name!r}: expected {', '.join(FORMATS)}")
    if limit is not None:
        check_amount("--limit", limit, 1, MOST_MATCHES)
    since_ns = None if since is None else parse_date(since)
    options = None if variant is None and not option else chosen_options(chosen, variant, option)
    folder = out or Path(f"{chosen.name}-matches")
    if folder.exists() and not force:
        raise SettingError(f"--out {str(folder)!r}: it is there already; --force replaces it")
    console = progress_console()
    refused = Refusals()
    with ExitStack() as stack:
        stack.callback(refused.tell, console)
        if files:
            if data is not None or since is not None or bot is not None or unpublished:
                told = "--data, --since, --bot and --unpublished go with the datastore"
                raise SettingError(f"{told}, not with files")
            total = len(files)
            matches = read_files(chosen, files, refused)
        else:
            store = stack.enter_context(open_stored(data))
            wanted = make_filter(store, chosen, since_ns, bot, unpublished)
            total = store.matches.count(wanted)
            matches = read_stored(store, wanted, refused)
            if not total:
                raise SettingError(f"{store.database.place}: no such matches of {chosen.name}")
        bar = stack.enter_context(progress_bar(console))
        task = bar.add_task("exporting", total=min(total, limit or total))
        kept = choose(matches, options, limit, lambda: bar.advance(task))
        if observations:
            stack.enter_context(compile_notice(chosen.title))
        summary = write_dataset(
            folder,
            kept,
            observations=observations,
            licence=licence,
            force=force,
            on_refused=refused.add,
        )
    if as_json:
        print_json({"folder": str(folder), **summary.figures(), "left_out": refused.count})
    else:
        print(f"{folder}: {summary.matches:,} matches, {summary.turns:,} turns")
        if summary.on_other_maps:
            print(
                f"{summary.on_other_maps:,} of them without decisions: they were played with other"
                " options or on another map than the first one"
            )


def check_pyarrow() -> None:
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise MissingPartError("agon export needs pyarrow: install agon[learn]")


def parse_date(text: str) -> int:
    """A moment as nanoseconds since 1970.

    >>> parse_date("2026-11-01"), parse_date("2026-11-01T02:00+02:00")
    (1793491200000000000, 1793491200000000000)
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise SettingError(
            f"--since {text[:40]!r}: expected a date, such as 2026-11-01 or 2026-11-01T20:15"
        ) from None
    moment = found if found.tzinfo else found.replace(tzinfo=UTC)
    return int(moment.timestamp()) * 10**9
