"""Stopping: the first Ctrl-C or SIGTERM stops in order, the second one at once.

A server may drain: then SIGTERM lets what is under way end first.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

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


class StopEvents(NamedTuple):
    """What signals have asked for, as events of the running event loop."""

    wanted: asyncio.Event
    """To stop."""
    now: asyncio.Event
    """To stop without waiting for what is under way."""


@contextmanager
def stop_events(*, drains: bool) -> Iterator[StopEvents]:
    """Events that signals set. If it drains, SIGTERM leaves time: the second signal does not.

    The signal after `now` ends the process at once.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    events = StopEvents(asyncio.Event(), asyncio.Event())

    def on_signal(number: signal.Signals) -> None:
        leaves_time = drains and number == signal.SIGTERM and not events.wanted.is_set()
        events.wanted.set()
        if not leaves_time:
            events.now.set()
            for one in SIGNALS:
                loop.remove_signal_handler(one)

    for number in SIGNALS:
        loop.add_signal_handler(number, on_signal, number)
    try:
        yield events
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)


@contextmanager
def stop_event() -> Iterator[asyncio.Event]:
    """An event of the running event loop that the first signal sets; the next ones end it all."""
    with stop_events(drains=False) as events:
        yield events.now
