"""One connection of a program that speaks HTTP: bytes become requests, replies become bytes.

Nothing here waits. A program may send a request byte by byte or several at once, keep connections
or close them. What is not HTTP is answered as such, and the connection closed.
"""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import h11

from agon.games.http_exchange import CLOSE, JSON_TYPE, HttpReply, HttpRequest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agon.games.http_exchange import HttpHeader

CHUNK = 1 << 16
MOST_HEAD = 1 << 14  # bytes before the body
MOST_BODY = 1 << 14
MOST_AHEAD = 1 << 16  # of requests that follow one which is not answered yet


class BotConnection:
    """A program's connection, from the side of the server."""

    def __init__(self, accepted: socket.socket) -> None:
        """Take over a connection that was accepted."""
        accepted.setblocking(False)
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = accepted
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        self._head: h11.Request | None = None
        self._body = b""
        self._out = b""
        self._is_last = False  # nothing more is said after what waits
        self._may_have_more = False  # of requests that came with the last one
        self.refused = ""
        """What was not HTTP, for the program's author."""
        self.is_held = False
        """Whether a request waits for its reply."""
        self.is_gone = False
        """Whether the other side has closed the connection, or it is to be closed."""

    def fileno(self) -> int:
        return self._socket.fileno()

    @property
    def wants(self) -> int:
        """The event to wait for: while a reply waits to be sent, nothing more is read.

        With requests in hand there is nothing to wait for: a socket is writable at once.
        """
        return select.EPOLLOUT if self._out or self._has_requests else select.EPOLLIN

    @property
    def _has_requests(self) -> bool:
        """Whether there may be requests that can be taken without more data."""
        return self._may_have_more and not self.is_held and not self._is_last

    def move(self) -> None:
        """Send what waits, else take what has come."""
        if self._out:
            self._send()
        elif not self._has_requests:
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._socket.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.is_gone = True
        elif not self._is_last:  # after that, all that comes is read and dropped
            self._http.receive_data(data)
            if self.is_held and len(self._http.trailing_data[0]) > MOST_AHEAD:
                self.is_gone = True

    def next_request(self) -> HttpRequest | None:
        """The next whole request, once the one before is answered and the answer sent."""
        if self.is_held or self.is_gone or self._out or self._is_last:
            return None
        self._may_have_more = False
        try:
            request = self._parse()
        except h11.RemoteProtocolError as error:
            self._refuse(error.error_status_hint, str(error))
            return None
        self.is_held = self._may_have_more = request is not None
        return request

    def _parse(self) -> HttpRequest | None:
        while True:
            waiting = len(self._http.trailing_data[0])
            event = self._http.next_event()
            if isinstance(event, h11.Request):
                self._head, self._body = event, b""
                _check("head", waiting - len(self._http.trailing_data[0]), MOST_HEAD, 431)
                _check("body", int(dict(event.headers).get(b"content-length", 0)), MOST_BODY, 413)
            elif isinstance(event, h11.Data):
                self._body += event.data
                _check("body", len(self._body), MOST_BODY, 413)
            elif isinstance(event, h11.EndOfMessage) and self._head is not None:
                return make_request(self._head, self._body)
            else:
                if self._http.they_are_waiting_for_100_continue:
                    self._say([h11.InformationalResponse(status_code=100, headers=[])])
                return None

    def _refuse(self, status: int, message: str) -> None:
        """Answer what is not a request, if that is still possible, and close."""
        self.refused = message
        self._is_last = True
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            reply = HttpReply(status, message.encode(), (CLOSE,))
            self.answer(reply, (b"content-type", b"text/plain"))
        else:
            self.is_gone = True

    def answer(self, reply: HttpReply, content_type: HttpHeader = JSON_TYPE) -> None:
        """Reply to the request that was taken last."""
        self.is_held = False
        headers = reply.all_headers(content_type)
        reason = HTTPStatus(reply.status).phrase.encode()
        head = h11.Response(status_code=reply.status, headers=headers, reason=reason)
        is_for_head = self._head is not None and self._head.method == b"HEAD"
        body = [] if is_for_head else [h11.Data(data=reply.body)]
        self._say([head, *body, h11.EndOfMessage()])
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        else:
            self._is_last = True
            self._send()

    def _say(self, events: Sequence[h11.Event]) -> None:
        for event in events:
            self._out += self._http.send(event) or b""
        self._send()

    def _send(self) -> None:
        try:
            if self._out:
                self._out = self._out[self._socket.send(self._out) :]
            if self._is_last and not self._out:
                self._socket.shutdown(
                    socket.SHUT_WR
                )  # the other side reads to the end, then closes
        except BlockingIOError:
            pass
        except OSError:
            self.is_gone = True
            self._out = b""

    def close(self, grace_ns: int = 0) -> None:
        """Close; what waits to be sent has a moment for that."""
        if self._out and not self.is_gone:
            with suppress(OSError):
                self._socket.settimeout(grace_ns / 10**9)
                self._socket.sendall(self._out)
        self._socket.close()


def _check(part: str, size: int, most: int, status: int) -> None:
    if size > most:
        message = f"a {part} of more than {most} bytes"
        raise h11.RemoteProtocolError(message, error_status_hint=status)


def make_request(head: h11.Request, body: bytes) -> HttpRequest:
    """The request as exchanges take it; of a header that stands twice the last one counts."""
    path, _, query = head.target.decode("ascii").partition("?")
    return HttpRequest(head.method.decode("ascii"), path, dict(head.headers), body, query=query)
