"""A stream ends with its browser, however that goes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from starlette.exceptions import HTTPException

from agon.website.http.event_stream import RETRY, send_events

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Message

FEW_S = 30


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
