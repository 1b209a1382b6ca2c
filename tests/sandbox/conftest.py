"""A folder that a bot, run as the user nobody, may see: pytest's own are closed to others."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """An empty folder, open to all."""
    folder = Path(tempfile.mkdtemp(prefix="agon-sandbox-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)
