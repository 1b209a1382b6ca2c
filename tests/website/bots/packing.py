"""Zips of bots, good and bad, made in memory."""

from __future__ import annotations

import io
import stat
import zipfile
from typing import TYPE_CHECKING

from agon.arbiter.starter import write_starter
from agon.games.registry import find_game

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS = """name = "{name}"
games = ["hive"]
language = "python"
run = "python3 bot.py"
"""
BROKEN = """name = "broken"
games = ["hive"]
build = "cc -o bot bot.c"
run = "./bot"
"""

UNBUILT = b"""name = "mine"
games = ["hive"]
build = "sh -c 'echo zebra; exit 1'"
run = "./bot"
"""
"""Its build says `zebra`, and fails."""


def pack(files: Mapping[str, bytes | str], mode: int = 0o644) -> bytes:
    """A zip of these files, in their order."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path)
            info.external_attr = (stat.S_IFREG | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return packed.getvalue()


def pack_special(path: str, mode: int, content: bytes = b"/etc/passwd") -> bytes:
    """A zip with one entry of this mode: a link, a device."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        info = zipfile.ZipInfo(path)
        info.create_system = 3
        info.external_attr = mode << 16
        archive.writestr(info, content)
    return packed.getvalue()


def starter_files(
    folder: Path, language: str = "python", name: str = "crawler"
) -> dict[str, bytes]:
    """The files of a Hive starter of that name."""
    starter = write_starter(find_game("hive"), language, name, folder)
    return {path.name: path.read_bytes() for path in starter.written}


def tiny_files(name: str = "crawler", source: str = "print('hello')\n") -> dict[str, bytes]:
    """A bot of a few bytes, which has settings and nothing else to be proud of."""
    return {"bot.toml": SETTINGS.format(name=name).encode(), "bot.py": source.encode()}
