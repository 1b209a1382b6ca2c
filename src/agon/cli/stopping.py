"""Stopping: the first Ctrl-C or SIGTERM stops in order, the second one at once."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterator
    from types import FrameType

INTERRUPTED = 130
"""The exit status of a command that was stopped."""

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopping:
    """Whether this process was asked to stop."""

    def __init__(self) -> None:
        self.is_wanted = False

    def goes_on(self) -> bool:
        return not self.is_wanted

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Take note of a signal; of the second one at once."""
        if self.is_wanted:
            raise KeyboardInterrupt
        self.is_wanted = True


@contextmanager
def stopping_in_order() -> Iterator[Stopping]:
    """In this block, SIGINT and SIGTERM are reported to the yielded `Stopping`."""
    stopping = Stopping()
    if threading.current_thread() is not threading.main_thread():
        yield stopping  # signals are the main thread's
        return
    before = {number: signal.signal(number, stopping.on_signal) for number in SIGNALS}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def stop_event() -> Iterator[asyncio.Event]:
    """An event of the running event loop that the first signal sets; the next ones end it all."""
    import asyncio

    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()

    def stop() -> None:
        stopped.set()
        for number in SIGNALS:
            loop.remove_signal_handler(number)

    for number in SIGNALS:
        loop.add_signal_handler(number, stop)
    try:
        yield stopped
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
