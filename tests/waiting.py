"""Waiting in tests for what other processes do, for a bounded time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_SECONDS = 120


def wait_for(condition: Callable[[], bool], found: Callable[[], object] = str) -> None:
    """`found` tells, in vain, what there is instead."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {found()}"
        time.sleep(0.002)
