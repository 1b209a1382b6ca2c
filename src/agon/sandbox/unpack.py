"""Unpack an archive that a stranger may have written: a folder comes out of a sandbox as one.

Only what a folder of programs needs is understood: files, folders, links, names of any length. All
is written below an empty folder of ours, and only through folders that were made here, so that no
link in the archive can lead elsewhere; links are made as they are and never followed.
"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from agon.errors import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BLOCK = 512
CHUNK = 1 << 20
LONGEST_NAME = 4096
MOST_ENTRIES = 50_000
NAME_ERRORS = (errno.ENAMETOOLONG, errno.ENOENT, errno.EINVAL, errno.EILSEQ, errno.EMLINK)

FILE, HARD_LINK, LINK, FOLDER = b"0", b"1", b"2", b"5"
LONG_NAME, LONG_LINK = b"L", b"K"


@dataclass(frozen=True, slots=True)
class ArchiveMember:
    """One thing in an archive; the bytes of a file follow it."""

    name: str
    kind: bytes
    is_executable: bool
    size: int
    link: str


def unpack(archive: IO[bytes], target: Path, most_bytes: int) -> None:
    """Unpack to an empty folder; a SandboxError if the archive is not what it should be."""
    made: dict[str, bytes] = {"": FOLDER}
    for count, entry in enumerate(read_entries(archive)):
        most_bytes -= entry.size
        if count >= MOST_ENTRIES or most_bytes < 0:
            raise SandboxError("the built folder is larger than allowed")
        name = os.path.normpath(entry.name) if entry.name else "."
        if name == ".":
            continue
        check_name(name, made)
        try:
            write_entry(archive, entry, target / name, target, made)
        except OSError as error:
            if error.errno in NAME_ERRORS:
                raise SandboxError(
                    f"{name[:200]!r} in the built folder: {error.strerror}"
                ) from None
            raise
        made[name] = entry.kind


def check_name(name: str, made: dict[str, bytes]) -> None:
    """Refuse a name that is taken, or that leads through anything but a folder made before."""
    if name.startswith(("/", "..")) or name in made or made.get(os.path.dirname(name)) != FOLDER:
        raise SandboxError(f"{name[:200]!r} in the built folder: expected a new name inside it")


def write_entry(
    archive: IO[bytes], entry: ArchiveMember, path: Path, target: Path, made: dict[str, bytes]
) -> None:
    """Make one thing; what is neither a file nor a folder nor a link is left out."""
    if entry.kind == FOLDER:
        path.mkdir(mode=0o755)
    elif entry.kind == LINK:
        path.symlink_to(entry.link)
    elif entry.kind == HARD_LINK:
        source = os.path.normpath(entry.link)
        if made.get(source) not in (FILE, HARD_LINK):
            raise SandboxError(f"{entry.link[:200]!r} in the built folder: expected a file")
        os.link(target / source, path, follow_symlinks=False)
    elif entry.kind == FILE:
        with path.open("xb") as file:
            copy(archive, file, entry.size)
        path.chmod(0o755 if entry.is_executable else 0o644)


def copy(archive: IO[bytes], file: IO[bytes], size: int) -> None:
    """Copy a file's bytes and pass over what fills up the last block."""
    left = size
    while left:
        data = archive.read(min(left, CHUNK))
        if not data:
            raise SandboxError("the archive of the built folder ends too early")
        file.write(data)
        left -= len(data)
    archive.read(-size % BLOCK)


def read_entries(archive: IO[bytes]) -> Iterator[ArchiveMember]:
    """What is in an archive of tar(1); the caller must read the bytes of each file."""
    name = link = ""
    while (header := archive.read(BLOCK)) and header != bytes(BLOCK):
        if len(header) < BLOCK:
            raise SandboxError("the archive of the built folder ends too early")
        kind, size = header[156:157].replace(b"\0", FILE), read_octal(header[124:136])
        if kind in (LONG_NAME, LONG_LINK):
            if size > LONGEST_NAME:
                raise SandboxError("a name in the built folder is longer than allowed")
            text = read_text(archive.read(size))
            archive.read(-size % BLOCK)
            name, link = (text, link) if kind == LONG_NAME else (name, text)
            continue
        yield ArchiveMember(
            name or read_text(header[:100]),
            kind,
            bool(read_octal(header[100:108]) & 0o111),
            size if kind == FILE else 0,
            link or read_text(header[157:257]),
        )
        name = link = ""


def read_octal(field: bytes) -> int:
    digits = field.strip(b"\0 ") or b"0"
    if digits.strip(b"01234567"):
        raise SandboxError("the archive of the built folder cannot be read")
    return int(digits, 8)


def read_text(field: bytes) -> str:
    return os.fsdecode(field.partition(b"\0")[0])
