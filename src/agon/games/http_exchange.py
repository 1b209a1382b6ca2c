"""A protocol over HTTP, without a socket: requests, replies, and requests that are held.

A program sends requests when it likes; its dialogue has lines when the match has something to tell.
An exchange turns requests into lines of the program, and lines of the dialogue into replies. A
request whose reply is not known yet is held.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from agon.errors import AgonError
from agon.strict_json import load_json, not_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agon.games.game import Json

HttpHeader: TypeAlias = tuple[bytes, bytes]
CLOSE: HttpHeader = (b"connection", b"close")
JSON_TYPE: HttpHeader = (b"content-type", b"application/json")
NO_CONTENT = 204
LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A whole request."""

    method: str
    path: str
    """From where the application is mounted, without a query."""
    headers: Mapping[bytes, bytes]
    """By name in lower case."""
    body: bytes = b""
    root: str = ""
    """The path where the application is mounted."""
    query: str = ""
    """What stands behind the path and its question mark."""


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole reply; `headers` without its type, which is JSON, and its length."""

    status: int
    body: bytes = b""
    headers: tuple[HttpHeader, ...] = ()
    note: str = ""
    """What was wrong with the request, for the log of the program's author."""

    def all_headers(self, content_type: HttpHeader = JSON_TYPE) -> list[HttpHeader]:
        """With type and length: clients that read no empty body need its length."""
        if self.status == NO_CONTENT:
            return [*self.headers]
        kind = (content_type,) if self.body else ()
        return [*self.headers, *kind, (b"content-length", str(len(self.body)).encode())]


Respond: TypeAlias = Callable[[HttpReply], None]
"""Answers a request; called once at most."""
Leave: TypeAlias = Callable[[], None]
"""Is called when the client of a held request has disconnected; later it has no effect."""


def no_leave() -> None:
    """For requests that are answered at once."""


class RefusedError(AgonError):
    """A request that is not carried out; the status says what kind of reason there is."""

    def __init__(self, status: int, text: str, headers: tuple[HttpHeader, ...] = ()) -> None:
        """`text` says what was wrong."""
        super().__init__(text)
        self.status = status
        self.headers = headers

    @property
    def reply(self) -> HttpReply:
        return HttpReply(self.status, encode({"error": str(self)}), self.headers, str(self))


def encode(data: Json) -> bytes:
    """JSON without needless blanks, on one line."""
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def parse_body(body: bytes) -> Json:
    """The JSON in a body, whatever its type is said to be."""
    try:
        found: Json = load_json(decode_body(body), parse_constant=_refuse_constant)
    except ValueError as error:
        raise _not_json(body, not_json(error)) from None
    return found


def decode_body(body: bytes) -> str:
    """The text of a body; a byte order mark is allowed."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _not_json(body) from None


def _not_json(body: bytes, why: str = "expected JSON") -> RefusedError:
    text = repr(body[:LONGEST_QUOTE].decode("utf-8", "backslashreplace"))
    more = "" if len(body) <= LONGEST_QUOTE else " ..."
    return RefusedError(400, f"body {text}{more}: {why}")


def _refuse_constant(text: str) -> None:
    raise ValueError(f"expected JSON, which has no {text}")


class HttpExchange(ABC):
    """The requests and replies of one program in one match."""

    path = "/"
    """The path that the program is told."""

    @abstractmethod
    def take(self, request: HttpRequest, respond: Respond) -> Leave:
        """Answer a request, now or when a line has come."""

    @abstractmethod
    def hear(self, line: str) -> None:
        """Take a line of the dialogue, which may answer a held request."""

    @abstractmethod
    def said(self) -> list[str]:
        """The program's lines since the last call, for the dialogue."""
