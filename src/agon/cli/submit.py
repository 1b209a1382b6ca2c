"""`agon submit`: send a bot to a site, and follow its check."""

from __future__ import annotations

import io
import sys
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agon.cli.printable import printable
from agon.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agon.cli.remote import Remote
    from agon.datastore.versions import NewFile

LOOK_SECONDS = 0.5
EXECUTABLE, PLAIN = 0o100755, 0o100644
SHIFT = 16
EARLY = (1980, 1, 1, 0, 0, 0)
"""The date of all files in an archive, so that the same files give the same archive."""

Folder = Annotated[
    str, typer.Argument(metavar="FOLDER", help="The bot's folder, with a bot.toml in it.")
]
GameName = Annotated[
    str | None,
    typer.Option(metavar="GAME", help="Which game; default: the one that bot.toml names."),
]
Site = Annotated[
    str | None,
    typer.Option(
        "--site", metavar="URL", help="Which site; default: the one you logged in to last."
    ),
]
Wait = Annotated[
    bool, typer.Option("--wait/--no-wait", metavar="", help="Follow the check to its end.")
]


def submit(folder: Folder, game: GameName = None, site: Site = None, wait: Wait = True) -> None:
    """Send a bot to a site: it is built and checked there, and plays on the ladder if it passes.

    A bot whose name you have used in that game becomes its next version. Ends with status 0 if it
    has passed, with 1 if not.

    \b
    Examples:
      agon submit crawler
      agon submit crawler --site https://agon.example.org
      agon submit crawler --no-wait
    """
    from agon.arbiter.entrant import load_program
    from agon.arena.bot_versions import read_files
    from agon.cli.remote import find_remote

    if not Path(folder).is_dir():
        raise SettingError(f"folder {folder!r}: there is no such folder")
    remote = find_remote(site)
    program = load_program(Path(folder))
    data = pack(read_files(Path(folder), bool(program.build)))
    sent = remote.upload("/bots", data, **({"game": game} if game else {}))
    where = f"{remote.url}{sent['page']}"
    print(f"{sent['bot']}, version {sent['version']}, for {sent['game']}: {where}", file=sys.stderr)
    if not wait:
        print(where)
        return
    state = follow(remote, sent["check"], time.sleep)
    verdict = {"passed": "passed: it plays on the ladder now"}.get(state, state)
    print(f"{sent['bot']}, version {sent['version']}: {verdict}")
    print(f"{remote.url}/bots/{sent['bot_id']}" if state == "passed" else where)
    if state != "passed":
        raise typer.Exit(1)


def pack(files: Mapping[str, NewFile]) -> bytes:
    """The files as a zip; the same files always give the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, file in sorted(files.items()):
            info = zipfile.ZipInfo(path, EARLY)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = (EXECUTABLE if file.executable else PLAIN) << SHIFT
            archive.writestr(info, file.content)
    return packed.getvalue()


def follow(remote: Remote, check: dict[str, Any], rest: Callable[[float], None]) -> str:
    """Print a check's output as it comes; its final state. `rest` waits between two requests."""
    begin, told = 0, ""
    while True:
        check = remote.get(f"/checks/{check['id']}", begin=begin)
        begin = check["length"]
        waits = waiting_words(check.get("before"))
        if waits not in ("", told):
            show(f"{waits}\n")
        told = waits
        show(check["output"])
        if check["state"] == "interrupted":
            raise SettingError(f"{remote.url} was cut off; it checks the bot again by itself")
        if check["is_over"]:
            return str(check["state"])
        rest(LOOK_SECONDS)


def waiting_words(before: int | None) -> str:
    """That a check waits, and how many others come first; nothing if it does not wait.

    >>> waiting_words(0), waiting_words(1), waiting_words(None)
    ('it waits for its check, and is the next', 'it waits for its check, after 1 other', '')
    """
    if before is None:
        return ""
    others = f"after {before} other{'' if before == 1 else 's'}"
    return f"it waits for its check, {others if before else 'and is the next'}"


def show(text: str) -> None:
    """Progress goes to stderr, without control characters."""
    lines = text.split("\n")
    print("\n".join(printable(line) for line in lines), end="", file=sys.stderr, flush=True)
