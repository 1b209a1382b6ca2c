"""A stream ends with its browser, however that goes."""

from __future__ import annotations

import asyncio
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from starlette.exceptions import HTTPException

from agon.website.http.event_stream import RETRY, send_events
from agon.website.site import SiteSettings
from tests.website.listening import Listener
from tests.website.people import make_world

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.types import Message

FEW_S = 30


def test_too_many_streams_of_one_address_are_told_to_wait(blank: Path) -> None:
    with closing(make_world(blank, SiteSettings(streams_each=1))) as world:

        async def listen() -> None:
            async with Listener(world.app, "/live/events") as first:
                assert first.status == 200
                async with Listener(world.app, "/live/events") as second:
                    assert (second.status, second.headers["retry-after"]) == (429, "10")
                async with Listener(world.app, "/live/events", "192.0.2.2") as of_another:
                    assert of_another.status == 200
            async with Listener(world.app, "/live/events") as again:
                assert again.status == 200

        asyncio.run(listen())


async def one_event() -> AsyncIterator[bytes]:
    yield b"data: 1\n\n"


def test_a_stream_ends_with_its_events() -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(send_events([(b"x", b"y")], one_event(), receive, send))
    start, *rest = sent
    assert (start["status"], start["headers"]) == (200, [(b"x", b"y")])
    bodies = [(one["body"], one["more_body"]) for one in rest]
    assert bodies == [(RETRY, True), (b"data: 1\n\n", True), (b"", False)]


def test_a_stream_that_the_server_ends_is_not_taken_for_one_that_was_left() -> None:
    was_sent = asyncio.Event()

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Message) -> None:
        if message.get("body") != RETRY:
            return
        was_sent.set()
        await asyncio.Event().wait()

    async def stop() -> None:
        stream = asyncio.create_task(send_events([], one_event(), receive, send))
        await was_sent.wait()
        stream.cancel()
        with pytest.raises(asyncio.CancelledError):
            await stream

    asyncio.run(stop())


@pytest.mark.parametrize("is_refused", [False, True])
def test_a_client_that_leaves_or_sends_too_much_is_not_waited_for(is_refused: bool) -> None:
    """The events never end by themselves."""
    sent: list[bytes] = []
    was_closed = False
    was_sent = asyncio.Event()

    async def events() -> AsyncIterator[bytes]:
        nonlocal was_closed
        try:
            yield b"data: 1\n\n"
            await asyncio.Event().wait()
        finally:
            was_closed = True

    async def receive() -> Message:
        await was_sent.wait()
        if is_refused:
            raise HTTPException(413)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.extend([message["body"]] if "body" in message else [])
        if len(sent) == 2:
            was_sent.set()

    async def stream() -> None:
        async with asyncio.timeout(FEW_S):
            await send_events([], events(), receive, send)

    asyncio.run(stream())
    assert sent == [RETRY, b"data: 1\n\n"]
    assert was_closed
