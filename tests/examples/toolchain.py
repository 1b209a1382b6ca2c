"""Compilers and interpreters of the bots in other languages; `make test` tries to install them."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ALWAYS = ("python", "javascript", "c")


def present(tools: Mapping[str, str]) -> list[str]:
    """The languages that can be tested here; those that `make test` sees to are always among them.

    `tools` names the program that each language needs.
    """
    return [
        language for language, tool in tools.items() if language in ALWAYS or shutil.which(tool)
    ]
