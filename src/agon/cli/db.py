"""`agon db`: manage the datastore: upgrade, check, recount, export, import."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agon.cli.console import progress_bar, progress_console
from agon.errors import DatastoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

DataOption = Annotated[
    str | None,
    typer.Option(
        "--data",
        metavar="FOLDER|URL",
        help="The data folder, or postgresql://USER@HOST/DATABASE. Without it: "
        "[bold]AGON_DATA[/], else the user's data folder.",
        show_default=False,
    ),
]
ToFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Where to write; [bold]-[/]: to stdout.")
]
FromFile = Annotated[
    str, typer.Argument(metavar="FILE", help="An export to read; [bold]-[/]: from stdin.")
]

SalvageFlag = Annotated[
    bool,
    typer.Option(
        "--salvage", metavar="", help="Of a damaged datastore: write what can be read; status 1."
    ),
]

DAMAGED = 1

WAY_OUT = (
    "to go on: `agon db export --salvage FILE` writes what can be read;"
    " `agon db import FILE --data NEW` makes a sound datastore of it"
)

db = typer.Typer(
    name="db",
    no_args_is_help=True,
    help="Manage the datastore: upgrade, check, recount, export, import.",
    rich_markup_mode="rich",
)


def data_location(data: str | None) -> str:
    """What `--data` and the environment say is to be opened."""
    from agon.datastore.location import find_data

    return find_data(data, os.environ)


@db.command()
def upgrade(data: DataOption = None) -> None:
    """Migrate the datastore to the schema of this version of Agon; create it if there is none.

    \b
    Examples:
      agon db upgrade
      agon db upgrade --data ~/contest
      agon db upgrade --data postgresql://agon@localhost/agon
    """
    from agon.datastore.location import format_location, parse_location
    from agon.datastore.store import upgrade_store

    where = data_location(data)
    before, after = upgrade_store(where)
    place = format_location(parse_location(where))
    if before is None:
        print(f"{place}: new, revision {after}")
    elif before == after:
        print(f"{place}: revision {after}, up to date")
    else:
        print(f"{place}: from revision {before} to {after}")


@db.command()
def check(data: DataOption = None) -> None:
    """Check that nothing in the datastore is damaged or missing; status 1 if something is.

    \b
    Examples:
      agon db check
      agon db check --data ~/contest
    """
    from agon.datastore.integrity import check_database
    from agon.datastore.result_counts import RECOUNT
    from agon.datastore.store import Store

    with Store.open(data_location(data), create=False) as store:
        with progress_bar(progress_console()) as bar:
            task = bar.add_task("checking", total=None)
            problems = check_database(
                store.database,
                lambda name, done, steps: bar.update(
                    task, description=f"checking {name}", completed=done, total=steps
                ),
            )
        for problem in problems:
            print(problem)
        if any(RECOUNT not in problem for problem in problems):  # which name their remedy
            progress_console().print(WAY_OUT, markup=False, soft_wrap=True)
        if problems:
            raise typer.Exit(DAMAGED)
        print(f"{store.database.place}: all is well")


@db.command()
def recount(data: DataOption = None) -> None:
    """Count the results of all stored matches again, if `agon db check` found other counts.

    Matches that end meanwhile wait until it is done.

    \b
    Examples:
      agon db recount
      agon db recount --data ~/contest
    """
    from agon.datastore.store import Store

    with Store.open(data_location(data), create=False) as store:
        print(f"{store.database.place}: {store.result_counts.make_anew()} counts of results")


@db.command("export")
def export_command(
    file: ToFile = "-", data: DataOption = None, salvage: SalvageFlag = False
) -> None:
    """Write the whole datastore as JSON lines, as a backup or to move it to another database.

    The export is a snapshot; other processes may write meanwhile.

    \b
    Examples:
      agon db export backup.jsonl
      agon db export | gzip > backup.jsonl.gz
      agon db export --salvage rest.jsonl
    """
    from agon.datastore.store import Store
    from agon.datastore.transfer import count_rows, export_lines

    if salvage:
        salvage_store(file, data_location(data))
        return
    with (
        Store.open(data_location(data), create=False) as store,
        output(file) as stream,
        progress_bar(progress_console()) as bar,
    ):
        task = bar.add_task("exporting", total=count_rows(store.database))
        for line in export_lines(store.database):
            stream.write(line)
            bar.advance(task)


def salvage_store(file: str, where: str) -> None:
    """Write what can be read, and say what is left out; status 1 if something is."""
    from agon.datastore.salvage import salvage_lines
    from agon.datastore.store import open_database

    lost = 0

    def on_loss(told: str) -> None:
        nonlocal lost
        lost += 1
        console.print(f"lost: {told}", markup=False, soft_wrap=True)

    console = progress_console()
    database = open_database(where, create=False)
    try:
        with output(file) as stream:
            for line in salvage_lines(database, on_loss):
                stream.write(line)
    finally:
        database.close()
    if lost:
        console.print(f"{lost} rows or ranges of rows were left out")
        raise typer.Exit(DAMAGED)


@db.command("import")
def import_command(file: FromFile, data: DataOption = None) -> None:
    """Fill an empty datastore from an export, all of it or nothing.

    \b
    Examples:
      agon db import backup.jsonl --data ~/contest
      agon db import backup.jsonl --data postgresql://agon@localhost/agon
    """
    from agon.datastore.store import Store
    from agon.datastore.transfer import import_lines

    with (
        Store.open(data_location(data)) as store,
        source(file) as (stream, size),
        progress_bar(progress_console()) as bar,
    ):
        task = bar.add_task("importing", total=size)

        def lines() -> Iterator[bytes]:
            for line in stream:
                yield line
                bar.advance(task, len(line))

        rows = import_lines(store.database, lines())
        place = store.database.place
    print(f"{place}: {rows} rows")


@contextmanager
def output(file: str) -> Iterator[BinaryIO]:
    """Where an export goes; a file gets its name when it is whole, and is for its owner alone."""
    if file == "-":
        yield sys.stdout.buffer
        return
    part = Path(f"{file}.part")
    try:
        part.unlink(missing_ok=True)
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    except OSError as error:
        raise DatastoreError(f"export to {file!r}: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def source(file: str) -> Iterator[tuple[BinaryIO, int | None]]:
    """Where an import comes from, and how many bytes it has, if that is known."""
    if file == "-":
        yield sys.stdin.buffer, None
        return
    try:
        with open(file, "rb") as stream:
            yield stream, os.fstat(stream.fileno()).st_size
    except OSError as error:
        raise DatastoreError(f"import from {file!r}: {error.strerror or error}") from error
