"""A protocol over HTTP: an exchange answers a program's requests, without a socket.

The program sends requests when it likes; its dialogue has lines when the match has something to
say. The exchange turns requests into lines of the program, and lines of the dialogue into replies.
A request whose reply is not known yet is held, one at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Request:
    """What a program asks for."""

    method: str
    target: str
    """The path, and what may stand behind a `?`."""
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Reply:
    """What it is answered."""

    status: int
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    note: str = ""
    """For the author, if there is something wrong with the request."""


class HttpExchange(ABC):
    """The requests and replies of one program in one match."""

    path = "/"
    """The path that the program is told."""

    @abstractmethod
    def take(self, request: Request) -> Reply | None:
        """The reply to a request; None: it is held, and a line that comes later is its reply."""

    @abstractmethod
    def hear(self, line: str) -> Reply | None:
        """Take a line of the dialogue: the reply to the request that is held, if one is."""

    @abstractmethod
    def release(self) -> None:
        """The client that made the held request has disconnected."""

    @abstractmethod
    def said(self) -> list[str]:
        """The program's lines since the last time, for the dialogue."""
