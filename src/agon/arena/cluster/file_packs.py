"""Files that travel to other machines: packed into one value, named by a digest of what is in it.

A machine unpacks a bot once, into the cache of builds. Compiled rules are added to those that the
machine has: a kernel that it lacks need not be compiled there, if its CPU is of the same kind.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agon.arbiter.build_cache import find_cache
from agon.sandbox.leftovers import new_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path
    from typing import TypeAlias

    Fetch: TypeAlias = Callable[[str], "FilePack"]

SHIPPED = ".shipped"
QUICK = 1
"""How hard to compress: the network is quicker than more would be."""


@dataclass(frozen=True, slots=True)
class FilePack:
    """Files as one value."""

    digest: str
    data: bytes

    @classmethod
    def of(cls, files: Iterable[tuple[str, bytes, bool]]) -> FilePack:
        """Pack files: path, content, and whether it is executable."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for path, content, is_executable in files:
                entry = tarfile.TarInfo(path)
                entry.size = len(content)
                entry.mode = 0o755 if is_executable else 0o644
                archive.addfile(entry, io.BytesIO(content))
        whole = packed.getvalue()
        return cls(hashlib.sha256(whole).hexdigest(), zlib.compress(whole, QUICK))

    def open(self) -> tarfile.TarFile:
        return tarfile.open(fileobj=io.BytesIO(zlib.decompress(self.data)))


def pack_kernels(home: Path) -> FilePack:
    """The compiled rules in a folder, each kernel's index after its code."""
    paths = sorted(path for path in home.glob("*/*.nb[ci]"))
    return FilePack.of((str(path.relative_to(home)), path.read_bytes(), False) for path in paths)


def unpack_bot(digest: str, fetch: Fetch) -> Path:
    """The folder with a bot's files in this machine's cache, fetched if they are not there."""
    cache, name = find_cache(), f"files-{digest}"
    with cache.one_at_a_time(name):
        if (known := cache.find(name)) is not None:
            return known
        with cache.new_folder() as folder:
            with fetch(digest).open() as archive:
                archive.extractall(folder, filter="data")
            return cache.keep(name, folder)


def has_kernels(home: Path, digest: str) -> bool:
    return (home / f"{SHIPPED}-{digest}").exists()


def unpack_kernels(home: Path, pack: FilePack) -> None:
    """Add compiled rules to those in a folder; what is there stays."""
    with pack.open() as archive:
        for entry in archive.getmembers():
            source = archive.extractfile(entry)
            if source is not None and not (home / entry.name).exists():
                _write_whole(home, entry.name, source.read())
    (home / f"{SHIPPED}-{pack.digest}").touch()


def _write_whole(home: Path, name: str, content: bytes) -> None:
    """Write a file that other processes see whole or not at all."""
    path = (home / name).resolve()
    if not path.is_relative_to(home.resolve()):
        raise ValueError(f"{name!r}: expected a path inside the folder")
    path.parent.mkdir(exist_ok=True)
    draft = path.with_name(new_name(f".{path.name}"))
    draft.write_bytes(content)
    with suppress(FileNotFoundError):  # the cache was cleared meanwhile
        draft.rename(path)
