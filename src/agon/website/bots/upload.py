"""Uploaded files: each path and size is checked before it is used.

Nothing is written to a disk here. Whatever could end up outside of the bot's folder, or fill the
machine, is refused; the message names the file and says what was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agon.arbiter.entrant import SETTINGS
from agon.datastore.versions import NewFile
from agon.errors import UploadError

if TYPE_CHECKING:
    from agon.website.upload_limits import UploadLimits

MIB = 1 << 20
SHOWN = 80
LONGEST_NAME = 255  # bytes: what file systems take
DRIVE = re.compile(r"[A-Za-z]:")
JUNK = frozenset({"__pycache__", "__MACOSX"})
SCRIPT, BINARY = b"#!", b"\x7fELF"


@dataclass
class Upload:
    """Files by their paths, with slashes."""

    limits: UploadLimits
    files: dict[str, NewFile] = field(default_factory=dict)
    left_out: int = 0
    """Files that are no part of a bot: hidden ones, and what Python and archives leave behind."""
    size: int = 0
    is_single: bool = False
    """Whether it was sent as one file, which cannot say itself how it is run."""

    @property
    def room(self) -> int:
        """How many more bytes there may be."""
        return self.limits.bytes - self.size

    def wants(self, path: str) -> bool:
        """Whether the file at this path belongs to the bot; UploadError if no file may be there."""
        parts = check_path(path, self.limits)
        if any(part.startswith(".") or part in JUNK for part in parts):
            self.left_out += 1
            return False
        if path in self.files:
            raise UploadError(f"File {path[:SHOWN]!r} is there twice. Send every file once.")
        if len(self.files) >= self.limits.files:
            raise UploadError(
                f"File {path[:SHOWN]!r} is number {len(self.files) + 1}."
                f" Send at most {self.limits.files}, a bot's own files alone."
            )
        return True

    def add(self, path: str, content: bytes, executable: bool | None = None) -> None:
        """Take a file that `wants` has let through; without a mode, its first bytes tell it."""
        if len(content) > self.room:
            raise too_large(path, self.limits)
        if executable is None:
            executable = content.startswith((SCRIPT, BINARY))
        self.size += len(content)
        self.files[path] = NewFile(content, executable)

    def settle(self) -> None:
        """All files are there: take them out of a folder that holds all of them, and look again."""
        if not self.files:
            raise UploadError("There is no file in it. Send the bot's files.")
        while SETTINGS not in self.files and (top := _common_top(list(self.files))):
            self.files = {path[len(top) :]: file for path, file in self.files.items()}
        for path in self.files:
            parts = path.split("/")
            for length in range(1, len(parts)):
                folder = "/".join(parts[:length])
                if folder in self.files:
                    raise UploadError(
                        f"Rename {folder[:SHOWN]!r}: it is a file, and {path[:SHOWN]!r} lies in it."
                    )


def check_path(path: str, limits: UploadLimits) -> list[str]:
    """The parts of a path that stays inside the bot's folder."""
    shown = repr(path[:SHOWN])
    if not path or len(path) > limits.path:
        raise UploadError(f"File {shown}: expected a path of 1 to {limits.path} characters")
    if "\\" in path or not path.isprintable():
        raise UploadError(f"File {shown}: expected a path of plain characters, with slashes")
    if path.startswith("/") or DRIVE.match(path):
        raise UploadError(f"File {shown}: expected a path inside the bot's folder, not from a root")
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise UploadError(f"File {shown}: expected a path inside the bot's folder, without '..'")
    if any(len(part.encode()) > LONGEST_NAME for part in parts):
        raise UploadError(f"File {shown}: expected names of at most {LONGEST_NAME} bytes")
    return parts


def too_large(path: str, limits: UploadLimits) -> UploadError:
    """The error for a file that does not fit any more."""
    return UploadError(
        f"File {path[:SHOWN]!r} does not fit. Send at most {limits.bytes / MIB:g} MiB"
        " of files together."
    )


def _common_top(paths: list[str]) -> str:
    """The folder that all files lie in, with its slash; nothing if there is none."""
    top, slash, _ = paths[0].partition("/")
    prefix = top + slash
    return prefix if slash and all(path.startswith(prefix) for path in paths) else ""
