"""HEAD requests: what GET would answer, without its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadMiddleware:
    """Answers HEAD wherever GET is answered; of a stream nothing is waited for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self.app(scope, receive, send)
            return
        is_answered = False

        async def send_head(message: Message) -> None:
            nonlocal is_answered
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b""})
                is_answered = True

        async def receive_end() -> Message:
            return {"type": "http.disconnect"} if is_answered else await receive()

        await self.app({**scope, "method": "GET"}, receive_end, send_head)
