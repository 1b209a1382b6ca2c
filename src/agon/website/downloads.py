"""Agon itself for download: the wheel that contestants install, and its source."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from agon.errors import SettingError

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Downloads:
    """The two files that `make wheel` writes."""

    wheel: Path
    source: Path

    def find(self, name: str) -> Path | None:
        """The file of this name, if it is one of the two."""
        return next((file for file in (self.wheel, self.source) if file.name == name), None)


def find_downloads(folder: Path) -> Downloads:
    """The files of the version that runs; raise SettingError if one is missing."""
    name = f"agon-{version('agon')}"
    found = Downloads(folder / f"{name}-py3-none-any.whl", folder / f"{name}.tar.gz")
    for file in (found.wheel, found.source):
        if not file.is_file():
            raise SettingError(
                f"--downloads {str(folder)!r}: expected {file.name} in it; `make wheel` builds it"
            )
    return found
