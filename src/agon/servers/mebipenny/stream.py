"""The stream of an observer: documents as they come, until the game is over.

An observer that does not read is dropped: when too much waits for it, or some time after the game
is over. Its response is broken off then.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from agon.games.mebipenny.http_api import FRESH

if TYPE_CHECKING:
    from agon.servers.mebipenny.http_call import HttpCall
    from agon.servers.mebipenny.observers import Observer

STREAM = (
    (b"content-type", b"application/x-multi-json"),
    (b"x-content-type-options", b"nosniff"),
    FRESH,
)
PIECE = 1 << 16
"""Bytes passed to the ASGI server at a time: it waits for slow readers in between."""


async def stream(call: HttpCall, observer: Observer) -> None:
    """Send all documents; returns when that is done, or the observer disconnects or is dropped."""
    loop = asyncio.get_running_loop()
    news, done = asyncio.Event(), asyncio.Event()
    linger = call.settings.linger_ns / 10**9

    def on_news() -> None:
        news.set()
        if observer.is_dropped:
            done.set()
        elif observer.is_over:
            loop.call_later(linger, done.set)

    observer.on_news = on_news
    on_news()
    if call.settings.held_ns is not None:
        loop.call_later(call.settings.held_ns / 10**9, observer.end)
    tasks = (
        loop.create_task(_pump(call, observer, news)),
        loop.create_task(call.gone(done.set)),
    )
    tasks[0].add_done_callback(lambda _: done.set())
    try:
        await done.wait()
    finally:
        observer.on_news = lambda: None
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _pump(call: HttpCall, observer: Observer, news: asyncio.Event) -> None:
    await call.start(200, STREAM)
    while True:
        news.clear()
        while (document := observer.take()) is not None:
            await _send(call, document)
        if observer.is_over:
            break
        await news.wait()
    await call.send({"type": "http.response.body", "body": b""})


async def _send(call: HttpCall, document: bytes) -> None:
    for begin in range(0, len(document), PIECE):
        piece = document[begin : begin + PIECE]
        await call.send({"type": "http.response.body", "body": piece, "more_body": True})
