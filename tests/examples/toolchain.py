"""What the bots of other languages need: compilers and interpreters that may be missing."""

from __future__ import annotations

import os
import shutil

import pytest

ALWAYS = ("python3", "node", "cc")  # where the project is tested for all to see, these are there


def need(tool: str) -> None:
    """Skip the test without this tool, or fail where it has to be there."""
    if shutil.which(tool):
        return
    if tool in ALWAYS and os.environ.get("CI") == "true":
        pytest.fail(f"{tool} is missing")
    pytest.skip(f"{tool} is missing")
